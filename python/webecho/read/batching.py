"""Batches of pages: cut alike however the pages come, joined, and read again by places.

A batch is cut by its pages alone, taken in order, so batches are the same however a file was
written, split into row groups or resumed.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, Protocol, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.errors import MEMORY, InputError
from webecho.formats.skipped import Skipped
from webecho.read.dates import Column
from webecho.read.limits import OVER_MEMORY
from webecho.read.pages import BATCH_BYTES, BATCH_PAGES, PAGES, Batch

_BODY = PAGES.get_field_index("body")
# Offsets in a string column are 32 bits.
_MANY_BYTES = 1 << 30
_LARGE = {pa.string(): pa.large_string(), pa.binary(): pa.large_binary()}
# Views, and the types that have the same values without being such; of these the last can have all.
VIEWS = {
    pa.string_view(): (pa.string(), pa.large_string()),
    pa.binary_view(): (pa.binary(), pa.large_binary()),
}

NO_PAGES = pa.RecordBatch.from_arrays([pa.nulls(0, f.type) for f in PAGES], schema=PAGES)


def cut(
    batches: Iterable[Batch],
    most_bytes: int = BATCH_BYTES,
    most_pages: int = BATCH_PAGES,
    *,
    apart: bool = False,
) -> Iterator[Batch]:
    """The same pages and skipped records in batches of no more bytes and pages than these; `apart`
    they are copied, so that nobody holds what they were cut from."""
    held: list[pa.RecordBatch] = []
    held_rows = held_bytes = 0
    skipped: list[Skipped] = []
    for batch in batches:
        pages, count = batch.pages, batch.pages.num_rows
        waiting = batch.skipped
        ends: Column = pc.cumulative_sum(page_bytes(pages))
        start = before = 0
        while start < count:
            stop = bisect_right(
                ends,
                before + most_bytes - held_bytes,
                lo=start,
                hi=min(count, start + most_pages - held_rows),
                key=lambda end: end.as_py(),
            )
            if stop == start and not held:
                stop += 1
            if stop > start:
                own = copied if apart else _as_is
                held.append(own(pages.slice(start, stop - start)))
                end = ends[stop - 1].as_py()
                held_rows += stop - start
                held_bytes += end - before
                before = end
            if stop < count:
                next_place = pages.column("place")[stop].as_py()
                earlier = bisect_left(waiting, next_place, key=lambda skip: skip.place)
                yield Batch(joined(held), (*skipped, *waiting[:earlier]))
                held, held_rows, held_bytes = [], 0, 0
                skipped, waiting = [], waiting[earlier:]
            start = stop
        skipped.extend(waiting)
        if len(skipped) >= most_pages:
            yield Batch(joined(held) if held else NO_PAGES, tuple(skipped))
            held, held_rows, held_bytes, skipped = [], 0, 0, []
        # Not held while the next are read.
        del batch, pages, ends
    if held or skipped:
        yield Batch(joined(held) if held else NO_PAGES, tuple(skipped))


def page_bytes(pages: pa.RecordBatch) -> Column:
    """The bytes of each page: its body, its address and its id."""
    bodies = _core.byte_lengths(pages.column(_BODY))
    for name in ("url", "id"):
        column = pages.column(name)
        if column.null_count < len(column):
            lengths = pc.fill_null(pc.binary_length(column), 0).cast(bodies.type)
            bodies = pc.add(bodies, lengths)
    return bodies


def _as_is(rows: pa.RecordBatch) -> pa.RecordBatch:
    return rows


def copied(rows: pa.RecordBatch) -> pa.RecordBatch:
    """The same rows in memory of their own."""
    return takeable(rows).take(pa.array(range(rows.num_rows), pa.int64()))


def takeable(rows: pa.RecordBatch) -> pa.RecordBatch:
    """The same rows in types from which Arrow can take single ones: views are none."""
    for index, field in enumerate(rows.schema):
        if field.type in VIEWS:
            kind = VIEWS[field.type][-1]
            rows = rows.set_column(index, field.with_type(kind), rows.column(index).cast(kind))
    return rows


def joined(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    """The rows of these batches, at least one, as one batch."""
    if len(batches) == 1:
        return batches[0]
    if any(batch.schema != batches[0].schema for batch in batches):
        # Bodies that are text, and others that are bytes.
        batches = [_with_bytes(batch) for batch in batches]
    table = pa.Table.from_batches(batches)
    for index, field in enumerate(table.schema):
        # Offsets of 32 bits would not reach to the end.
        if table.column(index).nbytes > _MANY_BYTES and field.type in _LARGE:
            wide = table.column(index).cast(_LARGE[field.type])
            table = table.set_column(index, field.with_type(wide.type), wide)
    return table.combine_chunks().to_batches()[0]


def _with_bytes(batch: pa.RecordBatch) -> pa.RecordBatch:
    at, kind = batch.schema.get_field_index("body"), pa.large_binary()
    return batch.set_column(at, pa.field("body", kind), batch.column(at).cast(kind))


class Some(Protocol):
    """Some records, one after the other."""

    def __len__(self) -> int: ...


SomeT = TypeVar("SomeT", bound=Some)


class Cursor(Generic[SomeT]):
    """Records that come in order, some at a time, and where among them the reading stands.

    Pages are read again in many calls, each for places after those of the one before; every call
    that would start from the front again would make that quadratic.
    """

    def __init__(self, pieces: Iterator[SomeT], first: int = 0) -> None:
        self._pieces = pieces
        self._held: SomeT | None = None
        self.first = first

    def holding(self, places: Sequence[int]) -> Iterator[tuple[SomeT, int, Sequence[int]]]:
        """Each piece with any of these places, its first place, and which of them it has."""
        start = 0
        while start < len(places):
            if self._held is None:
                self._held = next(self._pieces, None)
            if self._held is None:
                return
            end = self.first + len(self._held)
            stop = bisect_left(places, end, lo=start)
            if start < stop:
                yield self._held, self.first, places[start:stop]
            if stop < len(places):
                self.first, self._held = end, None
            start = stop


def pick(batches: Iterable[Batch], places: Sequence[int], name: str) -> pa.RecordBatch:
    """The pages at these places, which ascend; raises `InputError` if one is not there."""
    found = []
    start = 0
    over: set[int] = set()
    for batch in batches:
        if start == len(places):
            break
        over |= {skip.place for skip in batch.skipped if skip.reason == OVER_MEMORY}
        pages = batch.pages
        if not pages.num_rows:
            continue
        stop = bisect_right(places, pages.column("place")[-1].as_py(), lo=start)
        if start < stop:
            wanted = pa.array(places[start:stop], pa.int64())
            there = pc.is_in(pages.column("place"), value_set=wanted)
            found.append(takeable(pages).filter(there))
            start = stop
    picked = joined(found) if found else NO_PAGES
    if picked.num_rows != len(places):
        missing = min(set(places) - set(picked.column("place").to_pylist()))
        if missing in over:
            raise InputError(f"{name}: the page at {missing} is {OVER_MEMORY}; give more ", MEMORY)
        raise InputError(f"{name}: no page at {missing} any more; sketch the changed source anew")
    return picked
