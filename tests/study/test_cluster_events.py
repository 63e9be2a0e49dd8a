"""What becomes of clusters, by hand."""

from typing import Any

from tests.study.clusters_given import database_of
from webecho.engine.local.engine import local_run
from webecho.study.cluster_events import SUMMARY, Step, joined, step, steps

# Before: A = {a1…a5} splits into {a1, a2} and {a3, a4, x}, a5 goes alone; B = {b1, b2, b3} and
# C = {c1, c2} merge; D = {d1, d2, d3} dies: d1 is gone, d2 is single; E = {e1, e2} grows by a new
# page, one that was single and one of D's; F = {f1, f2, f3} shrinks; G stays. {n1, n2} is new, and
# so is {s2, s3}, of pages that were single.
BEFORE = {
    **dict.fromkeys(["a1", "a2", "a3", "a4", "a5"], 1),
    **dict.fromkeys(["b1", "b2", "b3"], 2),
    **dict.fromkeys(["c1", "c2"], 3),
    **dict.fromkeys(["d1", "d2", "d3"], 4),
    **dict.fromkeys(["e1", "e2"], 5),
    **dict.fromkeys(["f1", "f2", "f3"], 6),
    **dict.fromkeys(["g1", "g2"], 7),
    **{"s1": 11, "s2": 12, "s3": 13, "s4": 14},
}
AFTER = {
    **dict.fromkeys(["a1", "a2"], 1),
    **dict.fromkeys(["a3", "a4", "x"], 20),
    "a5": 21,
    **dict.fromkeys(["b1", "b2", "b3", "c1", "c2"], 2),
    "d2": 22,
    **dict.fromkeys(["e1", "e2", "e3", "s1", "d3"], 5),
    **dict.fromkeys(["f1", "f2"], 6),
    **dict.fromkeys(["g1", "g2"], 7),
    **dict.fromkeys(["n1", "n2"], 23),
    **dict.fromkeys(["s2", "s3"], 24),
    "s4": 14,
}


def happened(rows: int = 20) -> Step:
    with local_run().database() as database:
        database_of(database, [BEFORE, AFTER])
        return step(database, 1, rows)


def names(snapshot: dict[str, int], pages: list[int | None]) -> list[str | None]:
    every = [*snapshot]
    return [None if page is None else every[page] for page in pages]


def test_counts() -> None:
    rows = happened().counts.to_pylist()
    assert {row["event"]: row["clusters"] for row in rows} == {
        **{"birth": 2, "death": 1, "growth": 1, "shrinking": 1, "same size": 1},
        **{"split": 1, "merge": 1},
    }
    by_event = {row["event"]: row for row in rows}
    # Of seven clusters before and eight after.
    assert by_event["death"]["share of clusters"] == 1 / 7
    assert by_event["birth"]["share of clusters"] == 2 / 8
    split, merge = by_event["split"], by_event["merge"]
    assert (split["addresses before"], split["addresses in common"]) == (5, 4)
    assert (merge["addresses after"], merge["addresses in common"]) == (5, 5)
    growth = by_event["growth"]
    assert (growth["addresses before"], growth["addresses after"]) == (2, 5)


def test_arrivals_in_clusters_that_go_on() -> None:
    # E, F and G go on.
    [row] = happened().arrivals.to_pylist()
    assert [*row.values()] == [1, 2, "2–10 pages", 3, 7, 1, 1, 1, 3 / 7]


def test_the_events_and_their_pages() -> None:
    found = happened()
    listed = {
        (row["event"], *names(BEFORE, [row["earlier"]]), *names(AFTER, [row["later"]]))
        for row in found.largest.to_pylist()
    }
    assert listed == {
        *(("birth", None, "n1"), ("birth", None, "s2"), ("death", "d1", None)),
        *(("split", "a1", None), ("merge", None, "b1"), ("growth", "e1", "e1")),
        ("shrinking", "f1", "f1"),
    }
    earlier, later = (each.to_pylist() for each in found.pages)

    def places(
        rows: list[dict[str, Any]], event: str, own: dict[str, int], other: dict[str, int]
    ) -> dict[str | None, tuple[str | None, int | None]]:
        chosen = [row for row in rows if row["event"] == event]
        pages = names(own, [row["page"] for row in chosen])
        firsts = names(other, [row["other_first"] for row in chosen])
        sizes = [row["other_size"] for row in chosen]
        return dict(zip(pages, zip(firsts, sizes, strict=True), strict=True))

    assert places(earlier, "split", BEFORE, AFTER) == {
        **{"a1": ("a1", 2), "a2": ("a1", 2), "a3": ("a3", 3), "a4": ("a3", 3), "a5": ("a5", 1)}
    }
    assert places(earlier, "death", BEFORE, AFTER) == {
        **{"d1": (None, None), "d2": ("d2", 1), "d3": ("e1", 5)}
    }
    assert places(later, "growth", AFTER, BEFORE) == {
        **{"e1": ("e1", 2), "e2": ("e1", 2), "e3": (None, None), "s1": ("s1", 1), "d3": ("d1", 3)}
    }
    assert {row["there"] for row in earlier if row["event"] == "shrinking"} == {True, False}


def test_of_each_kind_the_largest_are_listed() -> None:
    found = happened(1).largest.to_pylist()
    assert [row["event"] for row in found] == sorted({row["event"] for row in found})
    assert len(found) == 6


def test_every_step() -> None:
    with local_run().database() as database:
        database_of(database, [BEFORE, AFTER, BEFORE])
        found = [*steps(database, 3, 5)]
    assert [each.number for each in found] == [1, 2]
    back = {row["event"]: row["clusters"] for row in found[1].counts.to_pylist()}
    # What split is merged, what merged splits; of {a3, a4, x} and {a1, a2} comes A.
    assert (back["split"], back["merge"], back["death"], back["birth"]) == (1, 1, 2, 1)
    assert len(joined([each.counts for each in found], SUMMARY)) == 14
    assert joined([], SUMMARY).num_rows == 0
