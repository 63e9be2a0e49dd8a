"""A dedup of which nothing stays on the disk: tables of what was decided, and of what stays, of the
kind that was given."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import pyarrow as pa

from webecho.deduplication.annotating import Told, annotated
from webecho.deduplication.losses import checked_losses
from webecho.deduplication.plan import Plan
from webecho.deduplication.run import Decided
from webecho.deduplication.summary import summarise
from webecho.errors import SettingsError
from webecho.group.decision import DROPPED, KEPT, REMOVED
from webecho.read.collection import Collection
from webecho.read.table_kinds import as_table, column_names, is_split, kind_of
from webecho.run import Run
from webecho.shown import Outline, Shown
from webecho.workspace.stored import read_file
from webecho.workspace.workspace import Workspace
from webecho.write.annotations import RowFeed
from webecho.write.decisions import Fates, page_columns, selections, source_decision
from webecho.write.line_columns import taken as column_taken
from webecho.write.results import write_results
from webecho.write.selection import GoneRows, gone_rows

Kept = TypeVar("Kept")
NONE = pa.array([], pa.int64())
# What is told of a dedup where it is told in short.
TOLD = ("read", "kept", "removed", "dropped", "skipped", "failed", "words lost")


@dataclass(frozen=True, repr=False)
class Deduplicated(Shown, Generic[Kept]):
    """What stays, and what was decided.

    `kept` is what was given without the rows that went, of the same kind; for paths a table of the
    pages that stay (`page`, `id`, `url`). `duplicates` and `clusters` are as the command writes
    them, `summary` too; of data frames they are frames of the same library. `removed` and `dropped`
    are as `kept` is. `losses` is what each source, host and group loses. `facts` are the counts of
    the summary.
    """

    kept: Kept
    duplicates: Any
    clusters: Any
    summary: dict[str, Any]
    removed: Any = None
    dropped: Any = None
    losses: Any = None

    @property
    def facts(self) -> dict[str, Any]:
        """What was counted, by name."""
        counts: dict[str, Any] = self.summary.get("counts", {})
        return counts

    def outline(self) -> Outline:
        counts = self.facts
        tables = {"kept": self.kept, "duplicates": self.duplicates, "clusters": self.clusters}
        return Outline(
            "Deduplicated",
            {name: counts[name] for name in TOLD if name in counts},
            {name: table for name, table in tables.items() if table is not None},
            tuple(self.summary.get("warnings", ())),
        )


@dataclass(frozen=True)
class MemorySink:
    """Tables in memory, of these inputs; what has to be written meanwhile goes into a folder that
    somebody removes."""

    folder: Path
    inputs: Sequence[Any]
    temporary = True
    replaces = False

    @property
    def workspace(self) -> Path:
        return self.folder / "sketches.echo"

    def already(self, _: Plan) -> None:
        return None

    def put(self, found: Decided, run: Run) -> Deduplicated[Any]:
        """The tables, and what stays of what was given."""
        dropping = found.plan.settings.dropping
        lost = checked_losses(found, run)
        write_results(found.decision, dropping, self.folder, whole_ids=found.whole_ids)
        summary = summarise(found, run, self.folder, lost)
        pages = read_results(self.folder, summary, lost)
        if not all(source.table is not None for source in found.collection.sources):
            return pages
        fates = Fates.of(found.workspace, found.decision, dropping, NONE, run)
        told = annotated(found)
        output = fates.annotated if found.plan.output.annotate else fates
        frame = frame_of(self.inputs)
        of_fate = {fate: self.of_fate(found, fates, fate) for fate in (REMOVED, DROPPED)}
        return Deduplicated(
            self.of_fate(found, output, KEPT, told),
            frame(pages.duplicates),
            frame(pages.clusters),
            summary,
            of_fate[REMOVED],
            of_fate[DROPPED],
            frame(lost),
        )

    def of_fate(self, found: Decided, fates: Fates, fate: int, told: Told | None = None) -> Any:
        """The rows of the inputs of which this becomes, of the kind that each input was."""
        made = [self.of_input(found, fates, fate, told, at) for at in range(len(self.inputs))]
        return made[0] if len(made) == 1 else made

    def of_input(
        self, found: Decided, fates: Fates, fate: int, told: Told | None, number: int
    ) -> Any:
        given = self.inputs[number]
        before = sum(len(each.sources) for each in found.collection.inputs[:number])
        tables = []
        for offset, (table, source) in enumerate(
            zip(tables_of(given), found.collection.inputs[number].sources, strict=True)
        ):
            workspace, at, arrow = found.workspace, before + offset, source.table
            if arrow is None:
                continue
            rows = rows_of(workspace, at, fates, fate, len(arrow))
            made = taken(table, arrow, rows)
            if told is not None:
                notes = told.annotations
                decided = source_decision(workspace, at, fates)
                feed = RowFeed(notes.schema, page_columns(workspace, decided, notes))
                check_names(table, arrow, source.name, feed)
                columns = feed.rows(0, len(arrow)).take(pa.array(rows, pa.int64()))
                made = added(made, table, columns)
            tables.append(made)
        return type(given)(zip(given, tables, strict=True)) if is_split(given) else tables[0]


def check_readable_again(collection: Collection) -> None:
    """Refuses tables whose rows come only once: what stays of them could not be given."""
    for source in collection.sources:
        if source.in_memory and not source.rereadable:
            raise SettingsError(f"{source.name} comes only once; give its rows as a table")


def read_results(folder: Path, summary: dict[str, Any], losses: pa.Table) -> Deduplicated[pa.Table]:
    """What was written of a decision, with the pages that stay."""
    clusters, duplicates = (
        read_file(folder / f"{name}.parquet") for name in ("clusters", "duplicates")
    )
    names = ["page", "id", "url"]
    return Deduplicated(
        clusters.filter(clusters["stays"]).select(names),
        duplicates,
        clusters,
        summary,
        duplicates.select(names),
        clusters.filter(clusters["dropped"].is_valid()).select(names),
        losses,
    )


def rows_of(workspace: Workspace, number: int, fates: Fates, fate: int, total: int) -> list[int]:
    """The rows of a table of which this becomes."""
    listed = selections(workspace, source_decision(workspace, number, fates), fate)
    gone = GoneRows(gone_rows(listed, rest=fate == KEPT))
    return [row for stretch in gone.staying(0, total) for row in range(*stretch)]


def tables_of(given: Any) -> list[Any]:
    """The tables that an input is."""
    return [*given.values()] if is_split(given) else [given]


def taken(table: Any, arrow: pa.Table, rows: list[int]) -> Any:
    """These rows of a table, of the kind it was."""
    kind = kind_of(table)
    return arrow if kind is None else kind.taken(table, arrow, rows)


def added(made: Any, table: Any, columns: pa.Table) -> Any:
    """Rows of a table with more columns."""
    kind = kind_of(table)
    return made if kind is None else kind.added(made, columns)


def check_names(table: Any, arrow: pa.Table, name: str, feed: RowFeed) -> None:
    """Refuses to replace columns that are there."""
    there = column_names(table, arrow)
    for each in feed.schema.names:
        if each in there:
            raise column_taken(name, each)


def frame_of(inputs: Sequence[Any]) -> Callable[[pa.Table], Any]:
    """How tables of ours become those of the library that all inputs are of."""
    kinds = {kind_of(table) for given in inputs for table in tables_of(given)}
    only = kinds.pop() if len(kinds) == 1 else None
    return as_table if only is None else only.frame
