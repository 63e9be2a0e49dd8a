from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webecho.errors import InputError
from webecho.formats.skipped import Skipped
from webecho.read.batching import Cursor, cut, pick
from webecho.read.pages import Batch
from webecho.read.rows import page_rows


def made(bodies: list[bytes], first: int = 0) -> Batch:
    places = pa.array(range(first, first + len(bodies)), pa.int64())
    return page_rows(places, pa.array(bodies, pa.binary()), False)


def slow_cut(sizes: list[int], most_bytes: int, most_rows: int) -> list[list[int]]:
    """The obvious way: page by page, into the next batch when it does not fit."""
    batches: list[list[int]] = []
    for page, size in enumerate(sizes):
        last = batches[-1] if batches else None
        fits = last and len(last) < most_rows and sum(sizes[p] for p in last) + size <= most_bytes
        if last is not None and fits:
            last.append(page)
        else:
            batches.append([page])
    return batches


@given(st.lists(st.integers(0, 12), max_size=40), st.lists(st.integers(0, 40), max_size=4))
def test_batches_do_not_depend_on_how_pages_come(sizes: list[int], cuts: list[int]) -> None:
    bounds = sorted({0, len(sizes), *(at for at in cuts if at < len(sizes))})
    pieces = [made([b"x" * size for size in sizes[a:b]], a) for a, b in pairwise(bounds)]
    found = [batch.pages.column("place").to_pylist() for batch in cut(pieces, 20, 5)]
    assert found == slow_cut(sizes, 20, 5)


def test_skipped_records_stay_between_their_pages() -> None:
    def piece(places: list[int], blanks: list[int]) -> Batch:
        body = pa.nulls(len(places), pa.binary())
        skipped = [Skipped(place, "blank") for place in blanks]
        return page_rows(pa.array(places, pa.int64()), body, False, skipped=skipped)

    pieces = [piece([1, 3, 5, 6], [0, 2, 4, 7]), piece([], [8]), piece([9], [])]
    found = [
        (batch.pages.column("place").to_pylist(), [skip.place for skip in batch.skipped])
        for batch in cut(pieces, most_pages=2)
    ]
    assert found == [([1, 3], [0, 2, 4]), ([5, 6], [7, 8]), ([9], [])]


def test_a_cursor_never_goes_back() -> None:
    cursor = Cursor(iter(["abc", "de", "", "fghi"]))
    assert list(cursor.holding([1])) == [("abc", 0, [1])]
    assert list(cursor.holding([2, 3])) == [("abc", 0, [2]), ("de", 3, [3])]
    assert list(cursor.holding([])) == []
    assert cursor.first == 3
    assert list(cursor.holding([8, 9])) == [("fghi", 5, [8])]
    assert list(cursor.holding([10])) == []


def test_a_place_without_a_page_is_an_error() -> None:
    assert pick([made([b"a", b"b"])], [1], "a.csv").column("place").to_pylist() == [1]
    with pytest.raises(InputError, match=r"a\.csv: no page at 7 any more"):
        pick([made([b"a", b"b"])], [1, 7], "a.csv")
