"""Passages are so many lines of the text that webecho reads, at the line that the truth says."""

from collections import defaultdict
from itertools import combinations

from tests.synthetic.conftest import PLANTED_WEB, Planted
from webecho import _core
from webecho.settings import WEBECHO


def lines_of(html: str) -> list[str]:
    """The lines of a page that have text."""
    text = _core.Sketcher(WEBECHO.as_dict(), 1).text(html.encode(), True, None)
    return [" ".join(line.split()) for line in text.split("\n") if line.strip()]


def test_a_passage_is_all_that_its_pages_share(planted: Planted) -> None:
    pages: dict[int, list[tuple[list[str], int, int]]] = defaultdict(list)
    for row in planted.table("passages"):
        lines = lines_of(planted.html[row["page"]])
        assert len(lines) == row["page_lines"] == len(set(lines))
        pages[row["passage"]].append((lines, row["line"] - 1, row["lines"]))
    assert [len(pages[each]) for each in range(PLANTED_WEB.passages)] == [2, 2, 3] * 3
    for members in pages.values():
        for (left, start, count), (right, other, same) in combinations(members, 2):
            assert left[start : start + count] == right[other : other + same]
            assert set(left) & set(right) == set(left[start : start + count])
            # Something stands around it on both.
            assert start >= 4 <= other
            assert start + count < len(left)
    every = [lines for members in pages.values() for lines, _, _ in members]
    shared = sum(bool(set(left) & set(right)) for left, right in combinations(every, 2))
    assert shared == 6 * 1 + 3 * 3


def test_every_other_passage_is_cut_at_the_same_places(planted: Planted) -> None:
    rests = defaultdict(list)
    for row in planted.table("passages"):
        rests[row["passage"]].append((row["line"] - 1) % 4)
    for passage, found in rests.items():
        assert found == ([0, 1, 2][: len(found)] if passage % 2 else [0] * len(found))


def test_passages_are_of_many_lengths(planted: Planted) -> None:
    lengths = {row["passage"]: row["lines"] for row in planted.table("passages")}
    assert all(4 <= length <= 80 for length in lengths.values())
    assert len(set(lengths.values())) > 5
