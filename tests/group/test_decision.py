"""What a dedup decides, by hand, and that nothing wrong is let through."""

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from tests.collections_made import edited, prose
from tests.group.workspaces import sketched
from webecho.engine.local.engine import local_run
from webecho.errors import SettingsError, WebechoError
from webecho.group.decision import (
    DedupSettings,
    check,
    counts,
    decide,
)
from webecho.group.dropping import Dropping
from webecho.group.keeping import keeps
from webecho.group.rules.registry import rule
from webecho.settings import SKETCH_COLUMNS
from webecho.workspace.workspace import Workspace

# No page is a revisit.
NONE = pa.table({"page": pa.array([], pa.int64()), "revisit_of": pa.array([], pa.int64())})

WORDS = prose(1, 204)
FIRST, NEAR, OTHER = (" ".join(each) for each in (WORDS, edited(WORDS, 100), prose(2, 30)))
# 1 is near to 0, 4 has its tokens, 3 nothing to compare.
TEXTS = [FIRST, NEAR, OTHER, "", FIRST.upper()]


def made(path: Path, texts: list[str]) -> Workspace:
    table = pa.table(
        {
            "text": texts,
            "score": [float(number) for number in range(len(texts))],
            "lang": ["en" if number < 4 else "fr" for number in range(len(texts))],
        }
    )
    return sketched(path, table, by=["lang"], values=["score"], columns=SKETCH_COLUMNS)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return made(tmp_path / "pages.echo", TEXTS)


def goes_with(workspace: Workspace, settings: DedupSettings) -> list[int]:
    decision = decide(workspace, settings, local_run())
    kept: list[int] = decision.stars.kept.to_pylist()
    assert decision.stays.to_pylist() == [page == stays for page, stays in enumerate(kept)]
    return kept


def test_what_stays_is_what_the_settings_say(workspace: Workspace) -> None:
    usual = DedupSettings()
    assert goes_with(workspace, usual) == [0, 0, 2, 3, 0]
    assert goes_with(workspace, replace(usual, rule=rule("tokens"))) == [0, 1, 2, 3, 0]
    # The last page is the first one in other letters.
    assert goes_with(workspace, replace(usual, rule=rule("text"))) == [0, 1, 2, 3, 4]
    assert goes_with(workspace, replace(usual, keep=keeps(["max:score"]))) == [4, 4, 2, 3, 4]
    assert goes_with(workspace, replace(usual, by=("lang",))) == [0, 0, 2, 3, 4]


def test_an_earlier_collection_comes_first_and_stays(tmp_path: Path, workspace: Workspace) -> None:
    old = made(tmp_path / "old.echo", [OTHER, FIRST, OTHER])
    decision = decide(workspace, DedupSettings(keep=keeps(["max:score"])), local_run(), old=old)
    assert decision.first == 3
    # By the numbers of both: what the old one repeats stays too.
    assert decision.stars.kept.to_pylist() == [0, 1, 2, 1, 1, 0, 6, 1]
    rows = decision.removed.select(["page", "kept_page"]).to_pylist()
    assert [(row["page"], row["kept_page"]) for row in rows] == [(0, -2), (1, -2), (2, -3), (4, -2)]
    assert decision.stays.to_pylist() == [False, False, False, True, False]


def test_what_is_counted(workspace: Workspace) -> None:
    found = counts(workspace, decide(workspace, DedupSettings(), local_run()), Dropping())
    assert (found["read"], found["kept"], found["removed"]) == (5, 3, 2)
    agreeing = {name: count for name, count in found.items() if name.startswith("removed, ")}
    assert agreeing == {
        "removed, same payload": 0,
        "removed, same text": 0,
        "removed, same tokens": 1,
        "removed, near": 1,
    }
    assert found["kept, not compared"] == 1
    assert found["characters read"] == sum(map(len, TEXTS))
    assert found["characters removed"] == len(NEAR) + len(FIRST)


@pytest.mark.parametrize(
    "kept",
    [
        [0, 0, 1, 3, 0],  # 2 goes with a page that goes
        [0, 1, 2, 3, 4],  # all stay, and two are said to go
        [0, 0, 0, 3, 4],  # as many go, but not those
        [0, 0, 2, 3],  # a page is left out
    ],
)
def test_a_wrong_decision_is_refused(workspace: Workspace, kept: list[int]) -> None:
    right = decide(workspace, DedupSettings(), local_run())
    check(right, NONE)
    stars = replace(right.stars, kept=pa.array(kept, pa.uint32()))
    with pytest.raises(WebechoError, match="so nothing was written; please report this"):
        check(replace(right, stars=stars), NONE)


def test_settings_as_they_are_written_down() -> None:
    settings = DedupSettings(keep=keeps(["min:score"]), by=("lang",))
    assert settings.as_dict() == {
        "rule": "similar",
        "resemblance": 0.8,
        "link": "kept",
        "keep": ["min:score"],
        "within": ["collection"],
        "by": ["lang"],
        "revisit": False,
        "min_words": 0,
        "min_chars": 0,
        "drop_empty": False,
        "drop_failed": False,
    }
    assert DedupSettings(rule("combined")).as_dict().items() > {
        ("rule", "combined"),
        ("resemblance", None),
        ("least_b", 2),
        ("least_c", 355),
    }


def test_settings_that_cannot_be() -> None:
    with pytest.raises(SettingsError, match=r"^--link 'loose': it is kept or chain$"):
        DedupSettings(link="loose")
    with pytest.raises(SettingsError, match=r"^--within 'page': it is host or site or collection$"):
        DedupSettings(within=("page",))
