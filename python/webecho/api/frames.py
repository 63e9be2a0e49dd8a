"""DataFrames of Spark as inputs, and what a dedup gives of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from webecho.api.runs import EngineChoice
from webecho.deduplication.annotating import annotated
from webecho.deduplication.in_memory import NONE, Deduplicated
from webecho.deduplication.losses import LOSSES_FILE, checked_losses
from webecho.deduplication.plan import Plan
from webecho.deduplication.run import Decided
from webecho.deduplication.summary import summarise
from webecho.engine.spark.frames import FATE_ROWS, Spooled, is_frame, read, write_places
from webecho.group.decision import DROPPED, REMOVED
from webecho.read.spooled import SpooledTable
from webecho.run import Run
from webecho.workspace.table_files import write_table
from webecho.workspace.workspace import Workspace
from webecho.write.annotations import Annotations
from webecho.write.decisions import (
    Fates,
    SourceDecision,
    page_columns,
    selections,
    source_decision,
)
from webecho.write.line_columns import taken as column_taken
from webecho.write.results import write_results

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def engine_for(data: Any, engine: EngineChoice) -> EngineChoice:
    """The engine that was asked for; for frames of Spark, of which no other knows, their own
    session."""
    given = data if isinstance(data, list | tuple) else [data]
    frame = next(filter(is_frame, given), None)
    return frame.sparkSession if frame is not None and engine == "local" else engine


@dataclass(frozen=True)
class FrameSink:
    """DataFrames of what stays of these, which were written to these files; they are read from the
    folder whenever somebody asks for their rows."""

    folder: Path
    frames: Sequence["DataFrame"]
    tables: Sequence[SpooledTable]
    temporary = True
    replaces = False

    @property
    def workspace(self) -> Path:
        return self.folder / "sketches.echo"

    def already(self, _: Plan) -> None:
        return None

    def put(self, found: Decided, run: Run) -> Deduplicated[Any]:
        dropping = found.plan.settings.dropping
        lost = checked_losses(found, run)
        write_results(found.decision, dropping, self.folder, whole_ids=found.whole_ids)
        summary = summarise(found, run, self.folder, lost)
        session = self.frames[0].sparkSession
        fates = Fates.of(found.workspace, found.decision, dropping, NONE, run)
        rows = self._noted(found, fates)
        gone = (DROPPED,) if found.plan.output.annotate else (REMOVED, DROPPED)
        write_table(self.folder / LOSSES_FILE, [lost])
        duplicates, clusters, losses = (
            read(session, self.folder / name)
            for name in ("duplicates.parquet", "clusters.parquet", LOSSES_FILE)
        )
        rmtree(self.workspace)
        return Deduplicated(
            one_or_all([each.without(gone) for each in rows]),
            duplicates,
            clusters,
            summary,
            one_or_all([each.only(REMOVED) for each in rows]),
            one_or_all([each.only(DROPPED) for each in rows]),
            losses,
        )

    def _noted(self, found: Decided, fates: Fates) -> list[Spooled]:
        """The frames with what was decided of their rows, and is told of them, as files."""
        workspace, told = found.workspace, annotated(found)
        files = [file for table in self.tables for file in table.files]
        decided = [source_decision(workspace, number, fates) for number in range(len(files))]
        gone = self.folder / "fates.parquet"
        write_places(files, rows_of_fates(workspace, decided), FATE_ROWS, gone)
        notes = None
        if told is not None:
            columns = told.annotations.schema
            for number, frame in enumerate(self.frames, 1):
                check_free(frame.columns, columns.names, f"table {number}")
            notes = self.folder / "notes.parquet"
            schema = pa.schema([pa.field("row", pa.int64()), *columns])
            write_places(files, rows_told(workspace, decided, told.annotations), schema, notes)
        pairs = zip(self.frames, self.tables, strict=True)
        return [Spooled(frame, table, gone, notes) for frame, table in pairs]


def rows_of_fates(
    workspace: Workspace, decided: Sequence[SourceDecision]
) -> Iterator[tuple[int, pa.Table]]:
    """The rows that do not stay, by the number of their source, as `FATE_ROWS`."""
    for number, each in enumerate(decided):
        for fate in (REMOVED, DROPPED):
            for some in selections(workspace, each, fate):
                rows = some.places.filter(some.stays)
                yield (
                    number,
                    pa.table(
                        [rows, pa.repeat(pa.scalar(fate, pa.int8()), len(rows))], schema=FATE_ROWS
                    ),
                )


def rows_told(
    workspace: Workspace, decided: Sequence[SourceDecision], notes: Annotations
) -> Iterator[tuple[int, pa.Table]]:
    """What is told of rows, by the number of their source."""
    for number, each in enumerate(decided):
        for rows, columns in page_columns(workspace, each, notes):
            yield number, pa.table([rows, *columns.columns], ["row", *columns.schema.names])


def check_free(there: Sequence[str], names: Sequence[str], table: str) -> None:
    """Refuses to replace columns that are there, to Spark in any case of their letters."""
    known = {each.casefold() for each in there}
    for name in names:
        if name.casefold() in known:
            raise column_taken(table, name)


def one_or_all(frames: "list[DataFrame]") -> Any:
    return frames[0] if len(frames) == 1 else frames
