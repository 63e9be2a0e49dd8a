"""*Pipeline*: one process that reads ahead, sketches, and writes part after part."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, cast

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.read.batching import page_bytes
from webecho.read.collection import Collection
from webecho.read.limits import SKETCHING_TIMES, Limits
from webecho.read.pages import Batch
from webecho.read.rows import numbers_from
from webecho.run import Progress, Run
from webecho.settings import Recipe
from webecho.sketches.boilerplate import BLOCKS, page_blocks, sketcher_of
from webecho.sketches.remaining import RemainingInput, remaining
from webecho.sketches.rows import (
    Origin,
    SketchedBatch,
    origin_of,
    sketched_batch,
    table_rows,
)
from webecho.workspace.manifest import Part
from webecho.workspace.parts import OpenPart, name_parts
from webecho.workspace.prefetch import Room, plain_memory, prefetch, quick_switches
from webecho.workspace.reread import MOST
from webecho.workspace.resume import SketchSettings
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from webecho.engine.protocol import Rows


@dataclass(frozen=True)
class Pipeline:
    """Sketches in this process. A `shelf` takes the tokens of the pages, for whoever compares them
    next, until it has `most_shelved` bytes."""

    shelf: _core.Shelf | None = None
    most_shelved: int = MOST
    maps = True

    def blocks(self, collection: Collection, recipe: Recipe, _: Workspace, run: Run) -> "Rows":
        sketcher = _core.Sketcher(recipe.as_dict(), run.threads)
        batches = (batch for source in collection.sources for batch in source.batches())
        found = (page_blocks(sketcher, batch, recipe) for batch in batches)
        return pa.RecordBatchReader.from_batches(BLOCKS, found)

    def parts(
        self,
        workspace: Workspace,
        collection: Collection,
        first_input: int,
        settings: SketchSettings,
        run: Run,
    ) -> None:
        with quick_switches(), plain_memory():
            Work(workspace, settings, self, collection.limits, run).run(collection, first_input)


class Work:
    """One run over the inputs: reads ahead, sketches, and writes part after part."""

    def __init__(
        self,
        workspace: Workspace,
        settings: SketchSettings,
        pipeline: Pipeline,
        limits: Limits,
        run: Run,
    ) -> None:
        self.workspace = workspace
        self.sketcher = sketcher_of(workspace, run)
        self.settings = settings
        self.pipeline = pipeline
        self.report = run.report
        self.limits = limits
        self.pages = 0
        self.bytes = 0
        self.unsaved = 0
        self.finishing: Future[Part] | None = None
        self.start: float | None = None if workspace.manifest.parts else 0.0

    def run(self, collection: Collection, first_input: int) -> None:
        manifest = self.workspace.manifest
        sizes = (source["stamp"].get("size", 0) for source in manifest.sources)
        # The bytes before each source, and at the end those of all.
        before = [*accumulate(sizes, initial=0)]
        with ThreadPoolExecutor(1, "webecho-write") as self.writer:
            for given in remaining(self.workspace, collection, first_input):
                try:
                    self.read_input(given, before)
                finally:
                    self.settle()

    def read_input(self, given: RemainingInput, before: Sequence[int]) -> None:
        done = self.workspace
        part = OpenPart(done, self.writer, len(done.manifest.parts), done.pages, given.number)
        for rest in given.sources:
            source = rest.source
            origin = origin_of(done, source, rest.number, self.settings)
            size, total = before[rest.number + 1] - before[rest.number], before[-1]
            first = part.first + part.pages
            room = Room(self.limits.room)
            batches = prefetch(self.admitted(source.batches(rest.after), room), depth=1)
            made = prefetch(self.sketch_all(batches, first, origin, room), depth=1)
            # The room first: who waits for some would not end.
            with closing(made), closing(room):
                for each in made:
                    part = self.take(part, origin, each)
                    room.hold(-sketched_bytes(each))
                    # Time is by bytes: those of the sources before, and the share of this one.
                    here = (source.passed(each.batch.end) or 0.0) * size
                    share = (before[rest.number] + here) / total if total else None
                    # Where a run that goes on began, its first batch tells near enough.
                    self.start = (share or 0.0) if self.start is None else self.start
                    self.report(Progress("reading", share, self.pages, self.bytes, self.start))
            # Before a part is named that holds what may be of two files.
            source.look.check()
        if given.sources[-1].number + 2 == len(before):
            self.report(Progress("writing sketches"))
        self.write(part, ends_input=True)

    def admitted(self, batches: Iterator[Batch], room: Room) -> Iterator[Batch]:
        """The batches, each read when there is room for the longest that it may be."""
        while True:
            room.wait(self.limits.reading)
            # Not under a name: it would be held here until the next is asked for.
            one = [next(batches, None)]
            if one[0] is None:
                return
            room.hold(sketching_bytes(one[0]))
            yield cast(Batch, one.pop())

    def sketch_all(
        self, batches: Iterable[Batch], first: int, origin: Origin, room: Room
    ) -> Iterator[SketchedBatch]:
        """What is made of the batches' pages, the first of which has this number."""
        shelf = self.pipeline.shelf
        for batch in batches:
            shelving = shelf is not None and shelf.bytes < self.pipeline.most_shelved
            count = len(batch.pages)
            numbers = numbers_from(first, count)
            made = sketched_batch(
                *(batch, origin, self.settings, self.sketcher, numbers), shelf if shelving else None
            )
            first += count
            room.hold(sketched_bytes(made) - sketching_bytes(batch))
            # Else the bodies would stay until the next batch is asked for.
            del batch
            yield made

    def take(self, part: OpenPart, origin: Origin, sketched: SketchedBatch) -> OpenPart:
        """Adds a batch that is sketched, writing the part whenever it is full."""
        places = sketched.batch.pages["place"]
        self.pages += len(places)
        self.bytes += pc.sum(sketched.body_bytes).as_py() or 0
        skipped = sketched.batch.skipped
        start = done = 0
        while True:
            room = self.settings.part_pages - part.pages
            end = min(start + room, len(places))
            full = end - start == room
            if end > start:
                numbers = numbers_from(part.first + part.pages, end - start)
                rows = slice(start, end)
                part.add_pages(
                    table_rows(sketched, rows, numbers, origin, self.workspace, self.settings),
                    origin.source,
                    places[end - 1].as_py(),
                )
            last = places[end - 1].as_py() if full else None
            while done < len(skipped) and (last is None or skipped[done].place < last):
                part.skip(origin.source, skipped[done])
                done += 1
            start = end
            if not full:
                return part
            part = self.write(part, ends_input=False)

    def write(self, part: OpenPart, *, ends_input: bool) -> OpenPart:
        """Lets a part be completed, and begins the next meanwhile."""
        self.settle()
        self.finishing = part.finish(ends_input)
        first = part.first + part.pages
        return OpenPart(self.workspace, self.writer, part.number + 1, first, part.input)

    def settle(self) -> None:
        """Names the part in the manifest that was to be completed last."""
        if self.finishing is None:
            return
        finishing, self.finishing = self.finishing, None
        self.unsaved = name_parts(self.workspace, [finishing.result()], self.unsaved)


def sketching_bytes(batch: Batch) -> int:
    """What a batch may take while it is sketched."""
    return SKETCHING_TIMES * (pc.sum(page_bytes(batch.pages)).as_py() or 0)


def sketched_bytes(sketched: SketchedBatch) -> int:
    """What is held of a batch when it is sketched."""
    return int(sketched.made.nbytes + sketched.batch.pages.nbytes)
