from collections.abc import Sequence

import pyarrow as pa
import pytest

from webecho.formats.skipped import Skipped
from webecho.read.limits import Limits
from webecho.read.pages import MAX_PAGE_BYTES, Batch
from webecho.read.rows import is_text, names, page_rows


def made(
    bodies: list[bytes | None],
    first: int = 0,
    skipped: Sequence[Skipped] = (),
    longest: int = MAX_PAGE_BYTES,
) -> Batch:
    places = pa.array(range(first, first + len(bodies)), pa.int64())
    body = pa.array(bodies, pa.binary())
    return page_rows(places, body, False, skipped=skipped, limits=Limits(page=longest))


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
