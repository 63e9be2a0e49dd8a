"""Cells of the matrix of pairs: all that two units share is in one, and in no other."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webecho.engine.spark import pair_cells
from webecho.engine.spark.pair_cells import COUNTED, Cells, CellSearch, count_cells, counted, spread

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# The units that have each chunk: one that all have, and one that nobody shares.
LISTS = [[*range(20)], [3, 7], [3, 7, 8], [7, 8, 19], [3, 19], [0, 11], [12]]


def expected(right: int | None, shared: int) -> set[tuple[int, int, int]]:
    counts = Counter(
        pair
        for units in LISTS
        for pair in combinations(units, 2)
        if right is None or pair[0] < right <= pair[1]
    )
    return {(*pair, count) for pair, count in counts.items() if count >= shared}


def test_there_are_as_many_blocks_as_the_work_needs() -> None:
    assert Cells.of(0, 0, 0) == Cells(0, 1)
    assert Cells.of(1000, 5000, 5000).count == 1
    many = Cells.of(10**6, 100 * pair_cells.COMPARISONS, 10**6)
    assert (many.blocks, many.count) == (14, 105)
    # A chunk on two pages each goes to one cell of all.
    sparse, dense = (Cells.of(10**8, count, 10**9) for count in (10**9, 10**13))
    assert sparse.blocks < dense.blocks
    assert Cells.of(3, 10**15, 10**9).blocks == 3
    assert Cells.of(10**6, 100 * pair_cells.COMPARISONS, 10**6, 10).count == 14 * 14


@given(st.integers(1, 50), st.integers(1, 7), st.one_of(st.none(), st.integers(0, 50)))
def test_units_have_numbers_of_their_own_in_each_cell(
    count: int, blocks: int, right: int | None
) -> None:
    cells = Cells(count, blocks, None if right is None else min(right, count))
    for cell in range(blocks * blocks):
        one, other = cells.sides(cell)
        units = [
            unit
            for unit in range(count)
            if (
                unit % blocks in (one, other)
                if cells.right is None
                else unit % blocks == one
                if unit < cells.right
                else (unit - cells.right) % blocks == other
            )
        ]
        numbers = cells.local(cell, np.array(units, np.int64))
        assert len({*numbers.tolist()}) == len(units)
        assert all(0 <= number < cells.width + cells.other_width for number in numbers)
        assert cells.units_of(cell, numbers).tolist() == units


def rows(batches: Iterator[pa.RecordBatch]) -> list[tuple[int, ...]]:
    return [tuple(row.values()) for batch in batches for row in batch.to_pylist()]


def test_the_kernel_counts_one_cell_after_the_other() -> None:
    def batch(of: list[tuple[int, int, int, int]]) -> pa.RecordBatch:
        names = ("cell", "group", "chunk", "unit")
        return pa.RecordBatch.from_pylist([dict(zip(names, row, strict=True)) for row in of])

    # Blocks of even and of odd units; cell 0 is of the even ones, 1 of both, 3 of the odd ones.
    first = [(0, 0, -5, 2), (0, 0, -5, 4), (0, 1, -5, 6), (1, 0, 9, 4), (1, 0, 9, 1)]
    rest = [(1, 0, 8, 1), (1, 0, 8, 4), (1, 0, 8, 6), (3, 0, 7, 5)]
    empty = batch(first).slice(0, 0)
    found = count_cells(CellSearch(Cells(7, 2), 1, "auto", 1 << 20), iter([empty]))
    assert rows(found) == []
    come = iter([batch(first), empty, batch(rest)])
    found = count_cells(CellSearch(Cells(7, 2), 1, "auto", 1 << 20), come)
    assert rows(found) == [(2, 4, 1), (1, 4, 2), (1, 6, 1)]


@pytest.mark.spark
@pytest.mark.parametrize(("blocks", "right", "method"), [(1, None, "auto"), (4, None, "coarse")])
def test_every_pair_is_counted_once(
    blocks: int, right: int | None, method: str, spark: "SparkSession"
) -> None:
    check(blocks, right, method, spark)


@pytest.mark.spark
@pytest.mark.parametrize(("blocks", "right"), [(1, 8), (3, 8), (3, 0)])
def test_or_every_pair_of_two_sides(blocks: int, right: int, spark: "SparkSession") -> None:
    check(blocks, right, "sorted", spark)


def check(blocks: int, right: int | None, method: str, spark: "SparkSession") -> None:
    """The first chunk comes by its postings, the others as lists."""
    hot = [{"group": 0, "chunk": 0, "unit": unit} for unit in LISTS[0]]
    lists = [
        {"group": 0, "chunk": chunk, "units": units} for chunk, units in enumerate(LISTS[1:], 1)
    ]
    cells = Cells(20, blocks, right)
    frames = [spark.createDataFrame(pa.Table.from_pylist(each)) for each in (lists, hot)]
    placed = spread(*frames, cells)
    found = counted(placed, CellSearch(cells, 2, method, 1 << 20)).toArrow()
    assert found.schema.names == COUNTED.names
    assert sorted(map(tuple, found.to_pandas().to_numpy().tolist())) == sorted(expected(right, 2))
