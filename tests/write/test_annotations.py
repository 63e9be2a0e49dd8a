"""Columns that tell what was decided, and rows that ask for them."""

import pyarrow as pa
import pytest

from webecho.write.annotations import RowFeed

SCHEMA = pa.schema([("x_size", pa.int64())])


def feed(*some: tuple[list[int], list[int]]) -> RowFeed:
    """Sizes by places, some at a time."""
    batches = (
        (
            pa.array(places, pa.int64()),
            pa.RecordBatch.from_arrays([pa.array(sizes, pa.int64())], schema=SCHEMA),
        )
        for places, sizes in some
    )
    return RowFeed(SCHEMA, batches)


@pytest.mark.parametrize("step", [1, 2, 3, 7, 20])
def test_rows_get_their_columns_however_they_are_cut(step: int) -> None:
    made = feed(([0, 2], [10, 12]), ([3], [13]), ([], []), ([7, 8, 9], [17, 18, 19]))
    found: list[int | None] = []
    for first in range(0, 12, step):
        found += made.rows(first, step)["x_size"].to_pylist()
    expected = [10, None, 12, 13, None, None, None, 17, 18, 19]
    assert found[:10] == expected
    assert not any(found[10:])


def test_without_pages_all_is_null() -> None:
    assert feed().rows(0, 3)["x_size"].to_pylist() == [None] * 3
