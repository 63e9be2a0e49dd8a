"""A dedup of which nothing stays on the disk: tables of what was decided, and of what stays, of the
kind that was given."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from webecho.deduplication.plan import Plan
from webecho.deduplication.run import Decided
from webecho.deduplication.summary import summarise
from webecho.errors import SettingsError
from webecho.read.collection import Collection
from webecho.read.table_kinds import as_table, is_split, kind_of
from webecho.run import Run
from webecho.workspace.stored import read_file
from webecho.workspace.workspace import Workspace
from webecho.write.results import write_results

Kept = TypeVar("Kept")


@dataclass(frozen=True)
class Deduplicated(Generic[Kept]):
    """What stays, and what was decided.

    `kept` is what was given without the rows that went, of the same kind; for paths a table of the
    pages that stay (`page`, `id`, `url`). `duplicates` and `clusters` are as the command writes
    them, `summary` too; of data frames they are frames of the same library.
    """

    kept: Kept
    duplicates: Any
    clusters: Any
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
        write_results(found.decision.pages, found.decision.stars, self.folder)
        summary = summarise(found, run)
        pages = read_results(self.folder, summary)
        if not all(source.table is not None for source in found.collection.sources):
            return pages
        kept = [self.staying(found, number) for number in range(len(self.inputs))]
        frame = frame_of(self.inputs)
        return Deduplicated(
            kept[0] if len(kept) == 1 else kept,
            frame(pages.duplicates),
            frame(pages.clusters),
            summary,
        )

    def staying(self, found: Decided, number: int) -> Any:
        """What stays of one of the inputs, of the kind it was."""
        given = self.inputs[number]
        before = sum(len(each.sources) for each in found.collection.inputs[:number])
        tables = [
            taken(table, source.table, gone(found.workspace, found.decision.stays, before + offset))
            for offset, (table, source) in enumerate(
                zip(tables_of(given), found.collection.inputs[number].sources, strict=True)
            )
        ]
        return type(given)(zip(given, tables, strict=True)) if is_split(given) else tables[0]


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


def gone(workspace: Workspace, stays: pa.Array, number: int) -> set[int]:
    """The rows of a table that go."""
    found: set[int] = set()
    for batch in gone_rows(workspace, stays):
        found.update(batch["place"].filter(pc.equal(batch["source"], number)).to_pylist())
    return found


def gone_rows(workspace: Workspace, stays: pa.Array) -> Iterator[pa.RecordBatch]:
    """The pages that go, with `source` and `place`, some at a time."""
    for batch in workspace.batches(["page", "source", "place"]):
        yield batch.filter(pc.invert(stays.take(batch["page"])))


def tables_of(given: Any) -> list[Any]:
    """The tables that an input is."""
    return [*given.values()] if is_split(given) else [given]


def taken(table: Any, arrow: pa.Table, gone: set[int]) -> Any:
    """The table without these rows, of the kind it was."""
    rows = [row for row in range(len(arrow)) if row not in gone]
    kind = kind_of(table)
    return arrow if kind is None else kind.taken(table, arrow, rows)


def frame_of(inputs: Sequence[Any]) -> Callable[[pa.Table], Any]:
    """How tables of ours become those of the library that all inputs are of."""
    kinds = {kind_of(table) for given in inputs for table in tables_of(given)}
    only = kinds.pop() if len(kinds) == 1 else None
    return as_table if only is None else only.frame
