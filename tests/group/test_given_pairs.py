"""What is measured of pairs that are given, against each two pages compared by themselves."""

from pathlib import Path

import pyarrow as pa
import pytest

import webecho
from tests.collections_made import edited, markup, prose
from tests.evaluation.made_pairs import sketched
from webecho.engine.local.engine import local_run
from webecho.group.given_pairs import measured_pairs
from webecho.group.measures import MEASURES, MeasureSettings
from webecho.workspace.workspace import Workspace

WORDS = prose(1, 204)
# A text, one with a word changed, its first half, another text, and nothing.
TEXTS = [WORDS, edited(WORDS, 100), WORDS[:104], prose(2, 204), []]
HOSTS = ["a.org", "b.a.org", "c.org", "c.org", "c.org"]
GIVEN = [(0, 1), (1, 0), (2, 0), (3, 2), (0, 0), (4, 0)]


def pages(folder: Path, *options: str) -> Workspace:
    made = [
        (f"http://{host}/{number}", markup(words).encode())
        for number, (host, words) in enumerate(zip(HOSTS, TEXTS, strict=True))
    ]
    return sketched(folder, made, *options)


def given(*pairs: tuple[int, int]) -> pa.Table:
    left, right = zip(*pairs, strict=True) if pairs else ((), ())
    return pa.table({"left": pa.array(left, pa.int64()), "right": pa.array(right, pa.int64())})


def test_each_pair_is_measured_as_two_pages_are_compared(tmp_path: Path) -> None:
    workspace = pages(tmp_path)
    settings = MeasureSettings(MEASURES)
    found, problems = measured_pairs(workspace, given(*GIVEN), settings, local_run())
    assert problems == ()
    rows = found.to_pylist()
    # They are in the order in which they were given, and their sides too.
    assert [(row["left"], row["right"]) for row in rows] == GIVEN
    names = ("b_similarity", "c_similarity", "resemblance", "equal_words")
    for row in rows[:4]:
        both = webecho.why(workspace.path, f"#{row['left']}", f"#{row['right']}")
        for name in (*names, "left_containment", "right_containment"):
            assert row[name] == pytest.approx(getattr(both, name)), name
    # By hand: of 200 shingles each a changed word takes 5; the half has 100, all in the whole.
    assert rows[0]["resemblance"] == pytest.approx(195 / 205)
    assert (rows[0]["term_difference"], rows[0]["equal_words"]) == (2, pytest.approx(203 / 204))
    assert (rows[2]["left_containment"], rows[2]["right_containment"]) == (1.0, 0.5)
    assert [rows[4][name] for name in names] == [6, 384, 1.0, 1.0]
    # A page without words has nothing that could agree.
    assert [rows[5][name] for name in names] == [None, None, 0.0, 0.0]
    assert (rows[5]["left_containment"], rows[5]["right_containment"]) == (None, 0.0)
    assert [row["same_site"] for row in rows] == [True, True, False, True, True, False]
    assert (rows[2]["left_url"], rows[2]["right_id"]) == ("http://c.org/2", "doc-0")


def test_only_what_is_asked_for_is_measured(tmp_path: Path) -> None:
    workspace = pages(tmp_path, "--columns", "features")
    settings = MeasureSettings(("equal-words",))
    found, _ = measured_pairs(workspace, given((0, 3)), settings, local_run())
    assert found.to_pylist() == [
        {
            "left": 0,
            "right": 3,
            # The workspace has neither supershingles nor projections.
            "b_similarity": None,
            "c_similarity": None,
            "same_site": False,
            "equal_words": 0.0,
            "equal_words_estimated": False,
            "left_url": "http://a.org/0",
            "right_url": "http://c.org/3",
            "left_id": "doc-0",
            "right_id": "doc-3",
        }
    ]
    nothing, _ = measured_pairs(workspace, given(), settings, local_run())
    assert (nothing.num_rows, nothing.column_names) == (0, found.column_names)


def test_pages_that_cannot_be_read_again_are_told(tmp_path: Path) -> None:
    workspace = pages(tmp_path)
    (tmp_path / "pages.parquet").unlink()
    settings = MeasureSettings(MEASURES)
    found, problems = measured_pairs(workspace, given((0, 1)), settings, local_run())
    [row] = found.to_pylist()
    assert "pages.parquet" in problems[0]
    assert (row["estimated"], row["equal_words"], row["left_containment"]) == (True, None, None)
    assert row["b_similarity"] is not None and row["resemblance"] > 0.8
