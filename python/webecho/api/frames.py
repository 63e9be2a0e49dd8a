"""DataFrames of Spark as inputs, and what a dedup gives of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Any

from webecho.api.runs import EngineChoice
from webecho.deduplication.in_memory import Deduplicated, gone_pages
from webecho.deduplication.losses import checked_losses
from webecho.deduplication.plan import Plan
from webecho.deduplication.run import Decided
from webecho.deduplication.summary import summarise
from webecho.engine.spark.frames import is_frame, read, staying, write_gone
from webecho.read.spooled import SpooledTable
from webecho.run import Run
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
        lost = checked_losses(found, run)
        write_results(
            found.decision,
            found.plan.settings.dropping,
            self.folder,
            whole_ids=found.whole_ids,
        )
        summary = summarise(found, run, self.folder, lost)
        session = self.frames[0].sparkSession
        gone = self.folder / "gone.parquet"
        files = [file for table in self.tables for file in table.files]
        write_gone(files, gone_pages(found.workspace, found.decision.stays), gone)
        kept = [
            staying(frame, table, gone)
            for frame, table in zip(self.frames, self.tables, strict=True)
        ]
        duplicates, clusters = (
            read(session, self.folder / f"{name}.parquet") for name in ("duplicates", "clusters")
        )
        rmtree(self.workspace)
        return Deduplicated(kept[0] if len(kept) == 1 else kept, duplicates, clusters, summary)
