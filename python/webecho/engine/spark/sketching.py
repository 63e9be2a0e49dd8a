"""Sketching by executors: they read splits of sources, and put parts together of what they made.

No page passes through the driver, but for what only the driver has: tables in memory and streams.
Page numbers are the local engine's: a split counts its pages, and those of the splits before it are
added.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from webecho.engine.protocol import Item, Result
from webecho.engine.spark.part_files import PartTask, make_part, name_part, part_tasks
from webecho.engine.spark.split_files import (
    SplitFiles,
    SplitTask,
    joined,
    sketch_split,
    write_blocks,
)
from webecho.engine.spark.tasks import each
from webecho.read.collection import Collection
from webecho.read.pages import Source
from webecho.read.splits import Split, splits_of
from webecho.run import Progress, Run
from webecho.settings import Recipe
from webecho.sketches.boilerplate import BLOCKS
from webecho.sketches.remaining import RemainingInput, remaining
from webecho.sketches.rows import origin_of
from webecho.workspace.parts import name_parts
from webecho.workspace.resume import SketchSettings
from webecho.workspace.stored import Stored
from webecho.workspace.workspace import SKETCH, Workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from webecho.engine.protocol import Rows

# Spark's own settings of how files are split, and what they are unless somebody says otherwise.
MOST_BYTES = ("spark.sql.files.maxPartitionBytes", 128 << 20)
LEAST_BYTES = ("spark.sql.files.openCostInBytes", 4 << 20)
# Splits for each core, so that none waits long for the last.
SPLITS = 2
UNITS = {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}


@dataclass(frozen=True)
class ExecutorSketching:
    """Sketches in the executors of a session."""

    session: "SparkSession"
    maps = False

    def blocks(
        self, collection: Collection, recipe: Recipe, workspace: Workspace, run: Run
    ) -> "Rows":
        workspace.files.splits.mkdir(exist_ok=True)
        run.report(Progress("counting blocks"))
        size = self.split_bytes(workspace)
        tasks = [
            (source.narrowed(split.after, split.last), split)
            for source in collection.sources
            for split in (splits_of(source, size) if source.sure_breaks else [Split()])
        ]
        work = partial(write_blocks, workspace.files.splits.absolute(), recipe, self.threads)
        files = self.for_each(work, tasks, [source for source, _ in tasks], run)
        return Stored(tuple(workspace.files.splits / name for name in files), BLOCKS, SKETCH)

    def parts(
        self,
        workspace: Workspace,
        collection: Collection,
        first_input: int,
        settings: SketchSettings,
        run: Run,
    ) -> None:
        workspace.files.splits.mkdir(exist_ok=True)
        inputs = [*remaining(workspace, collection, first_input)]
        run.report(Progress("reading"))
        size = self.split_bytes(workspace)
        tasks = [task for given in inputs for task in split_tasks(workspace, given, settings, size)]
        made = self.sketched(workspace, settings, tasks, run)
        run.report(Progress("writing sketches"))
        number, first = len(workspace.manifest.parts), workspace.pages
        parts: list[PartTask] = []
        of_source: dict[int, list[tuple[int, SplitFiles]]] = {}
        for one in made:
            of_source.setdefault(one[0], []).append(one)
        for given in inputs:
            splits = [one for rest in given.sources for one in of_source.get(rest.number, ())]
            parts += part_tasks(
                splits, number + len(parts), first, given.number, settings.part_pages
            )
            first += sum(files.pages for _, files in splits)
        done = each(self.session, partial(make_part, workspace.bare()), parts)
        name_parts(workspace, [name_part(workspace, one) for one in done])
        workspace.save()

    def split_bytes(self, workspace: Workspace) -> int:
        """How many bytes a split has: as Spark splits files, by its own settings."""
        most, least = (setting(self.session, *each) for each in (MOST_BYTES, LEAST_BYTES))
        total: int = sum(source["stamp"].get("size", 0) for source in workspace.manifest.sources)
        cores: int = self.session.sparkContext.defaultParallelism
        even = total // (SPLITS * cores)
        return min(most, max(least, even))

    def sketched(
        self,
        workspace: Workspace,
        settings: SketchSettings,
        tasks: Sequence[SplitTask],
        run: Run,
    ) -> list[tuple[int, SplitFiles]]:
        """What is made of the splits, in their order, with the numbers of the sources."""
        work = partial(sketch_split, workspace.bare(), settings, self.threads)
        made = self.for_each(work, tasks, [task.source for task in tasks], run)
        while not all(files.ends for files in made):
            some = joined(tasks, made)
            tasks = [task for task, _ in some]
            again = [task for task, files in some if files is None]
            rest = iter(self.for_each(work, again, [task.source for task in again], run))
            made = [next(rest) if files is None else files for _, files in some]
        return [(task.origin.source, files) for task, files in zip(tasks, made, strict=True)]

    @property
    def threads(self) -> int:
        """How many a task may use."""
        said: str = self.session.sparkContext.getConf().get("spark.task.cpus", "1")
        return int(said)

    def for_each(
        self,
        work: Callable[[Item], Result],
        items: Sequence[Item],
        sources: Sequence[Source],
        run: Run,
    ) -> list[Result]:
        """The results of the work for each of the items, which are of these sources, in their
        order; the driver does it where it alone has the source."""
        own = [is_drivers(source) for source in sources]
        for name in dict.fromkeys(source.name for source in sources if is_drivers(source)):
            run.note(f"{name} is read by the driver, which alone has it")
        others = [item for item, mine in zip(items, own, strict=True) if not mine]
        made = iter(each(self.session, work, others))
        return [work(item) if mine else next(made) for item, mine in zip(items, own, strict=True)]


def split_tasks(
    workspace: Workspace, given: RemainingInput, settings: SketchSettings, size: int
) -> list[SplitTask]:
    """What is left of an input, in splits of so many bytes."""
    found = []
    for rest in given.sources:
        origin = origin_of(workspace, rest.source, rest.number, settings, elsewhere=True)
        for split in splits_of(rest.source, size, rest.after):
            narrow = rest.source.narrowed(split.after, split.last)
            found.append(SplitTask(narrow, split, origin))
    return found


def is_drivers(source: Source) -> bool:
    """Whether the driver alone has it: a table in memory or a stream."""
    return source.table is not None or not source.rereadable


def setting(session: "SparkSession", name: str, usual: int) -> int:
    """Bytes that a setting of Spark says."""
    said = session.conf.get(name, str(usual)) or str(usual)
    digits = said.rstrip("bBkKmMgGtT")
    unit = said[len(digits) :].lower().removesuffix("b")
    return int(digits) << UNITS[unit]
