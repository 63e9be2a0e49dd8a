"""*Overlap* by the kernels: pages, or hosts, that share chunks (Shivakumar 1998, section 2)."""

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.group.chunk_lists import chunk_lists
from webecho.group.columns import hollow_pages
from webecho.group.overlaps import FOUND, OverlapSearch, Units
from webecho.group.rules.keys import SameChunks
from webecho.memory import overlapping
from webecho.run import Progress, Run
from webecho.workspace.union import Pages

# So much is held if nobody says how much may be.
ROOM = 1 << 30


def room_of(run: Run, units: int, what: str) -> int:
    """The bytes that chunks and pairs of so many units may take."""
    least = overlapping(units)
    run.check_memory(least, what)
    return ROOM if run.memory is None else run.memory - least


def unite_chunk_sets(
    pages: Pages, sets: SameChunks, run: Run, partition: pa.Array | None, hollow: pa.Array | None
) -> _core.Forest:
    """A forest in which pages with the same chunks are joined."""
    wanted = None if hollow is None else pc.invert(hollow)
    found = chunk_sets(pages, sets, run, wanted=wanted, partition=partition)
    forest = _core.Forest(pages.pages, run.threads)
    found.unite(forest)
    return forest


def chunk_sets(
    pages: Pages,
    sets: SameChunks,
    run: Run,
    *,
    wanted: pa.Array | None = None,
    partition: pa.Array | None = None,
) -> _core.ChunkSets:
    """Pages with the same chunks, among the wanted ones."""
    room = room_of(run, pages.pages, f"comparing the pages of {pages.path}") // 2
    settings = (pages.pages, sets.least, sets.bits, room)
    found = _core.ChunkSets(*settings, Path(tempfile.gettempdir()), run.threads)
    for numbers, lists in chunk_lists(pages, sets.chunking, wanted):
        found.add(numbers, lists, None if partition is None else partition.take(numbers))
    found.close()
    return found


def overlaps(
    pages: Pages,
    search: OverlapSearch,
    run: Run,
    *,
    wanted: pa.Array | None = None,
    partition: pa.Array | None = None,
    units: Units | None = None,
    right: int | None = None,
    order: pa.Array | None = None,
    room: int | None = None,
) -> "Overlaps":
    """The pairs of pages, or of the units that they belong to, that share enough chunks; pages are
    called by their numbers in an `order`, if there is one. Within so much `room`, or else what the
    run has."""
    count = pages.pages if units is None else units.count
    if room is None:
        room = room_of(run, max(count, pages.pages), f"comparing the pages of {pages.path}")
    folder, start = Path(tempfile.gettempdir()), time.monotonic()
    postings = _core.ChunkPostings(count, search.bits, room // 2, folder)
    done = 0
    for numbers, lists in chunk_lists(pages, search.chunking, wanted):
        groups = None if partition is None else partition.take(numbers)
        done += len(numbers)
        called = numbers if order is None else order.take(numbers)
        postings.add(*((called, lists) if units is None else units.of(numbers, lists)), groups)
        run.report(Progress("reading chunks", min(done / max(pages.pages, 1), 1.0), pages=done))
    run.begin("sorting chunks")
    settings = {
        "shared": search.shared,
        "room": room,
        "method": search.method,
        "most": search.most_pages,
        "right": right,
    }
    kernel = _core.Overlaps(postings, settings, run.threads)
    return Overlaps(kernel, run, {"sort": time.monotonic() - start})


def overlaps_and_copies(pages: Pages, search: OverlapSearch, run: Run) -> "Overlaps":
    """The pairs of pages that share enough chunks; of copies one is compared for all."""
    least = search.shared if search.least_copy is None else search.least_copy
    same = SameChunks(search.chunking, least, search.bits)
    start = time.monotonic()
    wanted = None if search.hollow else pc.invert(hollow_pages(pages))
    sets = chunk_sets(pages, same, run, wanted=wanted)
    seconds = time.monotonic() - start
    standing = sets.standing() if wanted is None else pc.and_(sets.standing(), wanted)
    found = overlaps(pages, search, run, wanted=standing)
    return Overlaps(found.kernel, run, {"copies": seconds} | found.seconds, sets)


@dataclass
class Overlaps:
    """What was found, as it is asked for."""

    kernel: _core.Overlaps
    run: Run
    # What each step has taken so far.
    seconds: dict[str, float]
    sets: _core.ChunkSets | None = None

    @property
    def forecast(self) -> dict[str, Any]:
        return self.kernel.forecast()

    def sizes(self, units: pa.Array) -> pa.Array:
        return self.kernel.sizes(units)

    def filtered(self) -> list[tuple[int, int, int, int]]:
        return self.kernel.filtered()

    def pairs(self) -> Iterator[pa.RecordBatch]:
        """The pairs in their order, once."""
        start = time.monotonic()
        total = self.kernel.functions
        for done in range(total):
            self.kernel.filter()
            self.run.report(Progress("counting coarsely", (done + 1) / total))
        most = 0
        self.seconds["overlap"] = time.monotonic() - start
        while (batch := self.next()) is not None:
            most = max(most, self.kernel.passes_left + 1)
            self.run.report(Progress("counting", 1 - self.kernel.passes_left / most))
            yield pa.RecordBatch.from_arrays(batch.columns, schema=FOUND)

    def next(self) -> pa.RecordBatch | None:
        """The next pairs; what others do with them meanwhile takes no time of this step."""
        start = time.monotonic()
        batch = self.kernel.next()
        self.seconds["overlap"] += time.monotonic() - start
        return batch

    def copies(self) -> Iterator[pa.RecordBatch]:
        """The pages that others stand for, as `right`, in batches of `FOUND`."""
        start = 0
        while self.sets is not None:
            pages, stands = (each.cast(pa.int64()) for each in self.sets.copies(start))
            if not len(pages):
                return
            sizes = self.kernel.sizes(stands)
            yield pa.RecordBatch.from_arrays([stands, pages, sizes, sizes, sizes], schema=FOUND)
            start += len(pages)

    def standing_for(self, pages: pa.Array) -> pa.Array:
        """How many pages each of these stands for, itself included."""
        if self.sets is None:
            return pa.repeat(pa.scalar(1, pa.int64()), len(pages))
        return self.sets.counts(pages)
