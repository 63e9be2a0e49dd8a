from collections.abc import Sequence
from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webecho.errors import InputError
from webecho.formats.skipped import Skipped
from webecho.read.pages import MAX_PAGE_BYTES, Batch
from webecho.read.rows import Cursor, cut, is_text, names, page_rows, pick


def made(
    bodies: list[bytes | None],
    first: int = 0,
    skipped: Sequence[Skipped] = (),
    longest: int = MAX_PAGE_BYTES,
) -> Batch:
    places = pa.array(range(first, first + len(bodies)), pa.int64())
    body = pa.array(bodies, pa.binary())
    return page_rows(places, body, False, skipped=skipped, longest=longest)


@pytest.mark.parametrize(
    "kind",
    [
        *(pa.string(), pa.large_string(), pa.string_view()),
        *(pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(4)),
        pa.dictionary(pa.int32(), pa.string()),
    ],
)
def test_bodies_of_every_type(kind: pa.DataType) -> None:
    body = pa.array([b"page", None, b"text"], pa.binary()).cast(pa.string())
    if pa.types.is_fixed_size_binary(kind):
        body = pa.array([b"page", None, b"text"], kind)
    batch = page_rows(pa.array([0, 1, 2]), body.cast(kind), True).pages
    text = is_text(batch.schema.field("body").type)
    assert batch.column("body").cast(pa.binary()).to_pylist() == [b"page", None, b"text"]
    # Decoded text is UTF-8 whatever a <meta> in it says; bytes are of nobody knows what charset.
    assert batch.column("charset").to_pylist() == (["utf-8"] * 3 if text else [None] * 3)
    assert batch.column("markup").to_pylist() == [True] * 3


def test_bodies_are_not_copied() -> None:
    body = pa.array(["some text"] * 10)
    batch = page_rows(pa.array(range(10)), body, False).pages
    assert batch.column("body").buffers()[2].address == body.buffers()[2].address


def test_too_long_bodies_are_skipped_and_counted() -> None:
    bodies = [b"short", b"much too long", None, b"just fits!"]
    batch = made(bodies, 5, [Skipped(9, "blank")], longest=10)
    assert batch.pages.column("place").to_pylist() == [5, 7, 8]
    assert batch.skipped == (
        Skipped(6, "too long", "13 bytes", failed=True),
        Skipped(9, "blank"),
    )


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pa.array([1, None, 3]), ["1", None, "3"]),
        (pa.array(["a", None], pa.large_string()), ["a", None]),
        (pa.array(["a", None], pa.string_view()), ["a", None]),
        (pa.array([b"a\xff", None], pa.binary()), ["a\\xff", None]),
        (pa.array([b"a\xff", None], pa.binary()).view(pa.string()), ["a\\xff", None]),
        (pa.array([b"\x00\xff"], pa.binary(2)), ["\0\\xff"]),
        (pa.array(["a", "b", "a"]).dictionary_encode(), ["a", "b", "a"]),
        (pa.array([True]), ["true"]),
    ],
)
def test_ids_of_every_type_become_valid_strings(column: pa.Array, expected: list[str]) -> None:
    found = names(column)
    assert found.type == pa.string()
    assert found.to_pylist() == expected


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
