"""*Cell*: some units on one side of the matrix of all pairs, some on the other, and what these
share. A task counts the pairs of a cell by the kernel: all that two units share is in one cell, and
the pairs of a chunk that stands on very many pages are shared out among all of them.

Units are in `blocks` by their numbers. A cell is of two blocks, or of one and itself; with `right`,
units below that number are on one side and the others on the other.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import ceil, isqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.group.rules.parameters import FINGERPRINTS

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

COUNTED = pa.schema([(name, pa.int64()) for name in ("left", "right", "shared")])
# Comparisons, some seconds of a task, and postings that a cell has at the most where they are even.
COMPARISONS = 1 << 27
ENTRIES = 1 << 24
ROOM = 128 << 20
# More tasks than these have several cells each.
MOST_TASKS = 10_000


@dataclass(frozen=True)
class Cells:
    """How the matrix of so many units is parted."""

    units: int
    blocks: int
    right: int | None = None

    @classmethod
    def of(cls, units: int, comparisons: int, entries: int, right: int | None = None) -> "Cells":
        """So many blocks that no cell has too much to do, if they are even."""
        cells = max(1, ceil(comparisons / COMPARISONS))
        # A posting comes to one cell of each block, but to no more than there are others with the
        # same chunk.
        by_block = ceil(2 * entries / ENTRIES)
        by_pair = isqrt(ceil(2 * (2 * comparisons + entries) / ENTRIES))
        blocks = max(isqrt(2 * cells), min(by_block, by_pair), 1)
        return cls(units, min(blocks, max(units, 1)), right)

    @property
    def count(self) -> int:
        blocks = self.blocks
        return blocks * (blocks + 1) // 2 if self.right is None else blocks * blocks

    @property
    def width(self) -> int:
        """How many units a block of the first side has at the most."""
        return ceil((self.units if self.right is None else self.right) / self.blocks)

    @property
    def other_width(self) -> int:
        return self.width if self.right is None else ceil((self.units - self.right) / self.blocks)

    def sides(self, cell: int) -> tuple[int, int]:
        """The blocks of a cell."""
        return divmod(cell, self.blocks)

    def block(self, unit: "Column") -> "Column":
        """The block of units on its side."""
        return (self.numbered(unit) % self.blocks).cast("int")

    def numbered(self, unit: "Column") -> "Column":
        from pyspark.sql import functions as sql

        if self.right is None:
            return unit
        return sql.when(unit < self.right, unit).otherwise(unit - self.right)

    def local(self, cell: int, units: np.ndarray) -> np.ndarray:
        """The numbers that the kernel knows units of a cell by: those of the first block come
        first."""
        one, other = self.sides(cell)
        if self.right is not None:
            second = units >= self.right
            numbers = np.where(second, units - self.right, units)
        else:
            second = (units % self.blocks == other) & (one != other)
            numbers = units
        return numbers // self.blocks + np.where(second, self.width, 0)

    def units_of(self, cell: int, numbers: np.ndarray) -> np.ndarray:
        """The units that these are in a cell."""
        one, other = self.sides(cell)
        second = numbers >= self.width
        if self.right is None and one == other:
            second = np.zeros(len(numbers), np.bool_)
        start = 0 if self.right is None else self.right
        return np.where(
            second,
            (numbers - self.width) * self.blocks + other + start,
            numbers * self.blocks + one,
        )

    def kernel_right(self, cell: int) -> int | None:
        one, other = self.sides(cell)
        return None if self.right is None and one == other else self.width


@dataclass(frozen=True)
class CellSearch:
    """What is counted in each cell: pairs that share at least so many chunks, within so many bytes
    of room; beyond these are files."""

    cells: Cells
    shared: int
    method: str
    room: int


def spread(lists: "DataFrame", hot: "DataFrame | None", cells: Cells) -> "DataFrame":
    """`cell`, `group`, `chunk` and `unit`: each posting in all cells in which it can make a pair.
    Of chunks with a list of `units` only those in which there is another; `hot` ones, by their
    postings, are in all."""
    within = cells.right is None
    return spread_within(lists, hot, cells) if within else spread_across(lists, hot, cells)


def spread_within(lists: "DataFrame", hot: "DataFrame | None", cells: Cells) -> "DataFrame":
    """The same where any two units make a pair."""
    from pyspark.sql import functions as sql

    known = lists.withColumn("blocks", blocks_of(sql.col("units"), cells))
    # Where no block has two of the units, none makes a pair with another of its own.
    alone = sql.size("units") == sql.size("blocks")
    unit = sql.explode("units").alias("unit")
    flat = known.select("group", "chunk", unit, "blocks", alone.alias("alone"))
    if hot is not None:
        more = hot.select("group", "chunk", "unit", every_block(cells).alias("blocks"))
        flat = flat.unionByName(more.withColumn("alone", sql.lit(False)))
    placed = flat.select(
        *("group", "chunk", "unit", "alone"),
        cells.block(sql.col("unit")).alias("own"),
        sql.explode("blocks").alias("other"),
    ).where("NOT alone OR own <> other")
    cell = sql.least("own", "other") * cells.blocks + sql.greatest("own", "other")
    return placed.select(cell.alias("cell"), "group", "chunk", "unit")


def spread_across(lists: "DataFrame", hot: "DataFrame | None", cells: Cells) -> "DataFrame":
    """The same where one unit of a pair is on each side."""
    from pyspark.sql import functions as sql

    def on_left(unit: "Column") -> "Column":
        return unit < sql.lit(cells.right)

    units = sql.col("units")
    lefts = blocks_of(sql.filter(units, on_left), cells)
    rights = blocks_of(sql.filter(units, lambda unit: ~on_left(unit)), cells)
    known = lists.select("group", "chunk", "units", lefts.alias("lefts"), rights.alias("rights"))
    flat = known.select("group", "chunk", sql.explode("units").alias("unit"), "lefts", "rights")
    if hot is not None:
        both = (every_block(cells).alias(side) for side in ("lefts", "rights"))
        flat = flat.unionByName(hot.select("group", "chunk", "unit", *both))
    unit = sql.col("unit")
    facing = sql.when(on_left(unit), sql.col("rights")).otherwise(sql.col("lefts"))
    placed = flat.select(
        *("group", "chunk", "unit"),
        cells.block(unit).alias("own"),
        sql.explode(facing).alias("other"),
    )
    own, other = sql.col("own"), sql.col("other")
    one, two = own * cells.blocks + other, other * cells.blocks + own
    cell = sql.when(on_left(unit), one).otherwise(two)
    return placed.select(cell.alias("cell"), "group", "chunk", "unit")


def blocks_of(units: "Column", cells: Cells) -> "Column":
    """The different blocks of units."""
    from pyspark.sql import functions as sql

    return sql.array_distinct(sql.transform(units, cells.block))


def every_block(cells: Cells) -> "Column":
    from pyspark.sql import functions as sql

    return sql.sequence(sql.lit(0), sql.lit(cells.blocks - 1))


def counted(placed: "DataFrame", search: CellSearch) -> "DataFrame":
    """The pairs, as `COUNTED`, in no order, each once."""
    tasks = min(search.cells.count, MOST_TASKS)
    in_tasks = (
        placed.repartitionById(tasks, (placed["cell"] % tasks).cast("int"))
        # Since Spark 4.1; before, some tasks get several cells, and others none.
        if hasattr(placed, "repartitionById")
        else placed.repartition(tasks, "cell")
    )
    by_cell = in_tasks.sortWithinPartitions("cell")
    types = ", ".join(f"{field.name} bigint" for field in COUNTED)
    return by_cell.mapInArrow(partial(count_cells, search), types)


def count_cells(search: CellSearch, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The pairs of cells whose postings come one cell after the other."""
    now: tuple[int, _core.ChunkPostings] | None = None
    for batch in batches:
        cells = batch["cell"].to_numpy()
        ends = [*(np.flatnonzero(np.diff(cells)) + 1), len(cells)]
        start = 0
        for end in filter(None, ends):
            cell = int(cells[start])
            if now is None or now[0] != cell:
                if now is not None:
                    yield from pairs_of(search, *now)
                now = cell, opened(search)
            add(search.cells, *now, batch.slice(start, end - start))
            start = end
    if now is not None:
        yield from pairs_of(search, *now)


def opened(search: CellSearch) -> _core.ChunkPostings:
    units = search.cells.width + search.cells.other_width
    # Fingerprints are as short as they are to be already.
    bits = FINGERPRINTS[0]
    return _core.ChunkPostings(units, bits, search.room // 2, Path(tempfile.gettempdir()))


def add(cells: Cells, cell: int, kernel: _core.ChunkPostings, rows: pa.RecordBatch) -> None:
    """Takes in postings of a cell."""
    units = pa.array(cells.local(cell, rows["unit"].to_numpy()), pa.uint32())
    each = pa.array(np.arange(len(rows) + 1, dtype=np.int32))
    lists = pa.ListArray.from_arrays(each, rows["chunk"])
    kernel.add(units, lists, rows["group"].cast(pa.uint32()))


def pairs_of(
    search: CellSearch, cell: int, kernel: _core.ChunkPostings
) -> Iterator[pa.RecordBatch]:
    """What the kernel counts in a cell."""
    settings: dict[str, Any] = {
        "shared": search.shared,
        "room": search.room,
        "method": search.method,
        "most": None,
        "right": search.cells.kernel_right(cell),
    }
    found = _core.Overlaps(kernel, settings, 1)
    for _ in range(found.functions):
        found.filter()
    while (batch := found.next()) is not None:
        one, other = (
            search.cells.units_of(cell, batch[side].to_numpy()) for side in ("left", "right")
        )
        sides = np.minimum(one, other), np.maximum(one, other)
        columns = [*map(pa.array, sides), pc.cast(batch["shared"], pa.int64())]
        yield pa.RecordBatch.from_arrays(columns, schema=COUNTED)
