"""What is dropped, and that it has no part in comparing."""

from pathlib import Path

import pyarrow as pa
import pytest

from tests.group.workspaces import sketched
from webecho.engine.local.engine import local_run
from webecho.errors import SettingsError
from webecho.group.decision import DedupSettings, counts, decide
from webecho.group.dropping import Dropping, counted, dropped_pages, named, set_apart
from webecho.group.keeping import keeps
from webecho.settings import SKETCH_COLUMNS

TEXTS = ["", "two words", "longest", "three short words", None, "two words", "?!"]
DROPPING = Dropping(min_words=2, min_chars=10, drop_empty=True)


def test_the_first_reason_that_holds_counts(tmp_path: Path) -> None:
    workspace = sketched(tmp_path / "pages.echo", pa.table({"text": TEXTS}))
    found = dropped_pages(workspace, DROPPING)
    assert found.to_pylist() == [0, 2, 1, None, 0, 2, 1]
    assert named(found, DROPPING).to_pylist() == [
        *("empty", "under 10 characters", "under 2 words"),
        *(None, "empty", "under 10 characters", "under 2 words"),
    ]
    assert counted(found, DROPPING) == {
        "dropped": 6,
        "dropped, empty": 2,
        "dropped, under 2 words": 2,
        "dropped, under 10 characters": 2,
    }


def test_nothing_is_dropped_unasked(tmp_path: Path) -> None:
    workspace = sketched(tmp_path / "pages.echo", pa.table({"text": TEXTS}))
    found = dropped_pages(workspace, Dropping(drop_failed=True))
    assert found.null_count == len(found) == len(TEXTS)
    assert counted(found, Dropping()) == {"dropped": 0}
    assert set_apart(None, found, 0) is None


def test_each_dropped_page_is_a_group_of_its_own() -> None:
    dropped = pa.array([None, 1, None, 0], pa.int8())
    found = set_apart(None, dropped, 2)
    assert found is not None
    assert found.to_pylist() == [0, 0, 0, 1, 0, 2]
    found = set_apart(pa.array([0, 1, 0, 1, 1, 0], pa.uint32()), dropped, 2)
    assert found is not None
    assert found.to_pylist() == [0, 1, 0, 2, 1, 3]


def test_a_dropped_page_is_not_the_one_that_stays(tmp_path: Path) -> None:
    """By their words all are the same; the one with the fewest characters would stay, but goes."""
    table = pa.table({"text": ["A b", "A, (b)", "A   b!"], "score": [3, 1, 2]})
    workspace = sketched(tmp_path / "pages.echo", table, values=["score"], columns=SKETCH_COLUMNS)
    settings = DedupSettings(keep=keeps(["max:score"]), dropping=Dropping(min_chars=4))
    decision = decide(workspace, settings, local_run())
    assert decision.stays.to_pylist() == [False, False, True]
    assert decision.removed.select(["page", "kept_page"]).to_pylist() == [
        {"page": 1, "kept_page": 2}
    ]
    assert decision.fates.to_pylist() == [2, 1, 0]
    found = counts(workspace, decision, settings.dropping)
    assert (found["kept"], found["removed"], found["dropped"], found["read"]) == (1, 1, 1, 3)
    assert (found["characters removed"], found["characters dropped"]) == (6, 3)


@pytest.mark.parametrize("name", ["min_words", "min_chars"])
def test_less_than_nothing_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match="give 0 or more"):
        Dropping(**{name: -1})
