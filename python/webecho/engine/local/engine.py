"""The local engine, and a run by it."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import pyarrow as pa

from webecho import _core
from webecho.engine.local.clusters import clusters
from webecho.engine.local.database import database
from webecho.engine.local.lost_words import lost_words
from webecho.engine.local.overlaps import Overlaps, overlaps, overlaps_and_copies
from webecho.engine.local.pairs import pairs
from webecho.engine.local.stars import stars
from webecho.engine.local.workers import for_each
from webecho.engine.protocol import Database, Item, Result
from webecho.group.clusters import Clusters
from webecho.group.hot_buckets import HotSettings
from webecho.group.overlaps import OverlapSearch, Units
from webecho.group.pairs import FoundPairs
from webecho.group.rules.rule import Rule
from webecho.group.stars import Stars
from webecho.read.collection import Collection, ReadOptions
from webecho.run import Note, Report, Run, silent, unheard
from webecho.sketches.pipeline import Pipeline
from webecho.sketches.sketching import sketch_collection
from webecho.workspace.reread import Reread
from webecho.workspace.resume import SketchSettings
from webecho.workspace.spilling import spilling
from webecho.workspace.union import Pages
from webecho.workspace.workspace import Workspace


class LocalEngine:
    """Rust threads for kernels and grouping, DuckDB for the relational work, in one process."""

    name = "local"

    def each(self, work: Callable[[Item], Result], items: Sequence[Item], run: Run) -> list[Result]:
        return for_each(work, items, run.threads)

    def database(self, run: Run) -> AbstractContextManager[Database]:
        return database(run)

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
        return sketch_collection(
            collection,
            options,
            path,
            settings,
            run,
            Pipeline(shelf),
            append=append,
            temporary=temporary,
        )

    def clusters(
        self, workspace: Workspace, rule: Rule, run: Run, reread: Reread | None = None
    ) -> Clusters:
        with spilling(run):
            return clusters(workspace, rule, run, reread)

    def pairs(
        self,
        workspace: Workspace,
        rule: Rule,
        wanted: pa.Array,
        hot: HotSettings,
        run: Run,
        reread: Reread | None = None,
    ) -> FoundPairs:
        return pairs(workspace, rule, wanted, hot, run, reread)

    def overlaps(
        self,
        pages: Pages,
        search: OverlapSearch,
        run: Run,
        *,
        units: Units | None = None,
        right: int | None = None,
    ) -> Overlaps:
        if units is None and right is None:
            return overlaps_and_copies(pages, search, run)
        return overlaps(pages, search, run, units=units, right=right)

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
        return stars(pages, rule, link, ranks, run, partition=partition, fixed=fixed, reread=reread)

    def lost_words(
        self, pages: Pages, page: pa.Array, kept: pa.Array, reread: Reread, run: Run
    ) -> tuple[pa.Array, str | None]:
        return lost_words(pages, page, kept, reread, run)


def local_run(
    threads: int = 1,
    memory: int | None = None,
    report: Report = silent,
    note: Note = unheard,
    warn: Note = unheard,
    convert: Mapping[str, str] | None = None,
) -> Run:
    """A run by the local engine."""
    return Run(LocalEngine(), threads, memory, report, note, warn, convert=convert or {})
