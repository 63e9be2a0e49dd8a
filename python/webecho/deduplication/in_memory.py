"""A dedup of which nothing stays on the disk: tables of what was decided, and of what stays, of the
kind that was given."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import pyarrow as pa

from webecho.deduplication.plan import Plan
from webecho.deduplication.losses import checked_losses
from webecho.deduplication.run import Decided
from webecho.deduplication.summary import summarise
from webecho.errors import SettingsError
from webecho.read.collection import Collection
from webecho.run import Run
from webecho.workspace.stored import read_file
from webecho.workspace.workspace import Workspace
from webecho.write.decisions import Fates, selections
from webecho.write.results import write_results
from webecho.write.selection import gone_rows

Kept = TypeVar("Kept")
NONE = pa.array([], pa.int64())


@dataclass(frozen=True)
class Deduplicated(Generic[Kept]):
    """What stays, and what was decided.

    `kept` is what was given without the rows that went, of the same kind; for paths a table of the
    pages that stay (`page`, `id`, `url`). `duplicates` and `clusters` are as the command writes
    them, `summary` too.
    """

    kept: Kept
    duplicates: pa.Table
    clusters: pa.Table
    summary: dict[str, Any]


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
        write_results(found.decision, dropping, self.folder)
        summary = summarise(found, run, self.folder, lost)
        pages = read_results(self.folder, summary)
        fates = Fates.of(found.workspace, found.decision, dropping, NONE, run)
        tables = [
            staying(given, source.table, gone(found.workspace, number, fates))
            for number, (given, source) in enumerate(
                zip(self.inputs, found.collection.sources, strict=False)
            )
            if source.table is not None
        ]
        if len(tables) != len(self.inputs):
            return pages
        kept = tables[0] if len(tables) == 1 else tables
        return Deduplicated(kept, pages.duplicates, pages.clusters, summary)


def check_readable_again(collection: Collection) -> None:
    """Refuses tables whose rows come only once: what stays of them could not be given."""
    for source in collection.sources:
        if source.in_memory and not source.rereadable:
            raise SettingsError(f"{source.name} comes only once; give its rows as a table")


def read_results(folder: Path, summary: dict[str, Any]) -> Deduplicated[pa.Table]:
    """What was written of a decision, with the pages that stay."""
    clusters, duplicates = (
        read_file(folder / f"{name}.parquet") for name in ("clusters", "duplicates")
    )
    stay = clusters.filter(clusters["stays"]).select(["page", "id", "url"])
    return Deduplicated(stay, duplicates, clusters, summary)


def gone(workspace: Workspace, number: int, fates: Fates) -> set[int]:
    """The rows of a table that go."""
    every = gone_rows(selections(workspace, number, fates))
    return {row for rows in every for row in rows}


def staying(table: Any, arrow: pa.Table, gone: set[int]) -> Any:
    """The table without these rows, of the kind it was."""
    library = type(table).__module__.partition(".")[0]
    rows = [row for row in range(len(arrow)) if row not in gone]
    if library == "pandas":
        return table.iloc[rows]
    if library == "polars":
        return (table.collect() if hasattr(table, "collect") else table)[rows]
    return (
        table.select(rows)
        if hasattr(table, "with_format")
        else arrow.take(pa.array(rows, pa.int64()))
    )
