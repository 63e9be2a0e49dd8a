"""The Spark engine, and a run by it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import pyarrow as pa

from webecho import _core
from webecho.engine.local.clusters import clusters as clusters_here
from webecho.engine.local.lost_words import lost_words as lost_words_here
from webecho.engine.local.pairs import pairs as pairs_here
from webecho.engine.local.stars import stars as stars_here
from webecho.engine.protocol import Database, Item, Result
from webecho.engine.spark.clusters import clusters
from webecho.engine.spark.database import database
from webecho.engine.spark.failures import spark_errors
from webecho.engine.spark.lost_words import lost_words
from webecho.engine.spark.overlaps import SparkOverlaps, overlaps
from webecho.engine.spark.pairs import pairs
from webecho.engine.spark.progress import StageReport, watched
from webecho.engine.spark.searching import are_in_memory, is_local_alone
from webecho.engine.spark.session import sibling
from webecho.engine.spark.sketching import ExecutorSketching
from webecho.engine.spark.stars import stars
from webecho.engine.spark.tasks import each
from webecho.group.clusters import Clusters
from webecho.group.hot_buckets import HotSettings
from webecho.group.overlaps import OverlapSearch, Units
from webecho.group.pairs import FoundPairs
from webecho.group.rules.rule import Rule
from webecho.group.stars import Stars
from webecho.read.collection import Collection, ReadOptions
from webecho.run import Note, Report, Run, silent, unheard
from webecho.sketches.pipeline import Pipeline
from webecho.sketches.sketching import Sketching, sketch_collection
from webecho.workspace.mirror import is_away
from webecho.workspace.reread import Reread
from webecho.workspace.resume import SketchSettings
from webecho.workspace.union import Pages
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Said where a rule compares what executors cannot read.
HERE = "pages are compared on this machine, not by Spark: their table is in its memory alone"


@dataclass(frozen=True)
class SparkEngine:
    """The kernels in the executors of a session, and Spark SQL for the relational work."""

    session: "SparkSession"
    name: ClassVar[str] = "spark"

    def each(self, work: Callable[[Item], Result], items: Sequence[Item], run: Run) -> list[Result]:
        with self._working(run):
            return each(sibling(self.session), work, items)

    @contextmanager
    def database(self, run: Run) -> Iterator[Database]:
        with self._working(run), database(self.session) as found:
            yield found

    def sketch(
        self,
        collection: Collection,
        options: ReadOptions,
        path: Path,
        settings: SketchSettings,
        run: Run,
        *,
        append: bool = False,
        temporary: bool = False,
        shelf: _core.Shelf | None = None,
    ) -> Workspace:
        """Shelves are for those who compare pages here: executors read them again."""
        del shelf
        sketching: Sketching = ExecutorSketching(sibling(self.session))
        if is_away(path):
            # Executors hand each other what they make of splits in a folder.
            run.note(
                f"{path} is sketched by the driver alone; for executors to do it, sketch into a "
                "folder that all machines see, and copy that there"
            )
            sketching = Pipeline()
        with self._working(run):
            return sketch_collection(
                collection,
                options,
                path,
                settings,
                run,
                sketching,
                append=append,
                temporary=temporary,
            )

    def clusters(
        self,
        workspace: Workspace,
        rule: Rule,
        run: Run,
        reread: Reread | None = None,
    ) -> Clusters:
        with self._working(run):
            if is_local_alone(workspace, rule, reread):
                run.note(HERE)
                return clusters_here(workspace, rule, run, reread)
            return clusters(sibling(self.session), workspace, rule, run)

    def pairs(
        self,
        workspace: Workspace,
        rule: Rule,
        wanted: pa.Array,
        hot: HotSettings,
        run: Run,
        reread: Reread | None = None,
    ) -> FoundPairs:
        with self._working(run):
            if is_local_alone(workspace, rule, reread):
                run.note(HERE)
                return pairs_here(workspace, rule, wanted, hot, run, reread)
            return pairs(sibling(self.session), workspace, rule, wanted, hot, run)

    def overlaps(
        self,
        pages: Pages,
        search: OverlapSearch,
        run: Run,
        *,
        units: Units | None = None,
        right: int | None = None,
    ) -> SparkOverlaps:
        with self._working(run):
            return overlaps(self.session, pages, search, run, units=units, right=right)

    def stars(
        self,
        pages: Pages,
        rule: Rule,
        link: str,
        ranks: pa.Array,
        run: Run,
        *,
        partition: pa.Array | None = None,
        fixed: int = 0,
        reread: Reread | None = None,
    ) -> Stars:
        with self._working(run):
            if is_local_alone(pages, rule, reread):
                run.note(HERE)
                return stars_here(
                    pages, rule, link, ranks, run, partition=partition, fixed=fixed, reread=reread
                )
            return stars(
                sibling(self.session),
                pages,
                rule,
                link,
                ranks,
                run,
                partition=partition,
                fixed=fixed,
            )

    def lost_words(
        self, pages: Pages, page: pa.Array, kept: pa.Array, reread: Reread, run: Run
    ) -> tuple[pa.Array, str | None]:
        with self._working(run):
            if are_in_memory(pages):
                return lost_words_here(pages, page, kept, reread, run)
            return lost_words(sibling(self.session), pages, page, kept, run)

    @contextmanager
    def _working(self, run: Run) -> Iterator[None]:
        """What Spark does in the block is reported to the run, and fails with errors of ours."""
        with watched(run), spark_errors():
            yield


def spark_run(
    session: "SparkSession",
    threads: int = 1,
    memory: int | None = None,
    report: Report = silent,
    note: Note = unheard,
    warn: Note = unheard,
    convert: Mapping[str, str] | None = None,
) -> Run:
    """A run by the Spark engine."""
    staged = report if report is silent else StageReport(session.sparkContext, report)
    return Run(SparkEngine(session), threads, memory, staged, note, warn, convert=convert or {})
