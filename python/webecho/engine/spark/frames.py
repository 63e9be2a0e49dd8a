"""Spark's own DataFrames, as what is read and as what is given back.

A frame is written once, by executors, to Parquet files, and read from there: a frame is a recipe
for rows, which may give others, or the same in another order, when it is followed again. The order
of its pages is that of its partitions, and of the rows in each, as they were written.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from webecho.engine.spark.database import signed, signed_schema
from webecho.engine.spark.failures import frame_errors, spark_errors
from webecho.engine.spark.parquet_files import hadoop_path, reader
from webecho.errors import InputError, SettingsError
from webecho.read.spooled import SpooledTable

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

# What becomes of a row, by the name of its file and its number there.
FATE_ROWS = pa.schema([("row", pa.int64()), ("fate", pa.int8())])
# What no column of a frame is called.
FILE, ROW = "__webecho_file", "__webecho_row"
NOTED = {"file": "__webecho_noted_file", "row": "__webecho_noted_row"}
NO_MARK = "mapreduce.fileoutputcommitter.marksuccessfuljobs"


def is_frame(thing: object) -> bool:
    """Whether this is a DataFrame of Spark, of which nothing is loaded for that."""
    library = type(thing).__module__.partition(".")[0]
    return library == "pyspark" and hasattr(thing, "sparkSession")


def spooled(frame: "DataFrame", folder: Path, name: str) -> SpooledTable:
    """The rows of a frame of this name, written into a new folder."""
    from pyspark.sql import Observation
    from pyspark.sql.functions import count, lit

    if frame.isStreaming:
        raise InputError(
            f"{name} is a streaming DataFrame, which has no end; give each batch of it, by "
            "writeStream.foreachBatch"
        )
    seen = Observation()
    with frame_errors(name):
        counted = frame.observe(seen, count(lit(1)).alias("rows"))
        counted.write.option(NO_MARK, "false").parquet(hadoop_path(folder))
    files = sorted(folder.absolute().glob("*.parquet"))
    # What an executor writes to a disk of its own is missing here, and nobody says so.
    if sum(pq.read_metadata(file).num_rows for file in files) != seen.get["rows"]:
        raise SettingsError(
            f"{folder.parent}: not all machines of the cluster see it, and rows of a frame are "
            "missing there; set TMPDIR to a folder on a disk that they share"
        )
    return SpooledTable(tuple(map(str, files)))


def spooled_inputs(inputs: Sequence[Any], folder: Path) -> tuple[Any, ...]:
    """The inputs, frames among them written into this folder."""
    return tuple(
        spooled(given, folder / f"frame-{number}", f"table {number + 1}")
        if is_frame(given)
        else given
        for number, given in enumerate(inputs)
    )


def write_places(
    files: Sequence[str], some: Iterable[tuple[int, pa.Table]], schema: pa.Schema, out: Path
) -> None:
    """Notes rows of files, given with the number of each file as tables of `row` and more."""
    whole = pa.schema([pa.field("file", pa.string()), *signed_schema(schema)])
    with pq.ParquetWriter(out, whole) as writer:
        for number, rows in some:
            if len(rows):
                name = pa.repeat(PurePosixPath(files[number]).name, len(rows))
                writer.write_table(pa.table([name, *signed(rows).columns], schema=whole))


@dataclass(frozen=True)
class Spooled:
    """A frame, the files that its rows were written to, and what was noted of these rows: what
    becomes of those that do not stay (`FATE_ROWS`), and what is told of each, if something is."""

    frame: "DataFrame"
    table: SpooledTable
    fates: Path
    notes: Path | None = None

    def without(self, fates: Collection[int]) -> "DataFrame":
        """Without the rows of which this becomes, and with what is told of the others. Columns and
        types are those of the frame."""
        with spark_errors():
            rows, listed = self._rows(), self._listed(fates)
            left = rows.join(listed, same_row(rows, listed), "left_anti")
            if self.notes is not None:
                told = noted(self.frame.sparkSession, self.notes)
                left = left.join(told, same_row(left, told), "left").drop(*NOTED.values())
            return left.drop(FILE, ROW)

    def only(self, fate: int) -> "DataFrame":
        """The rows of which this becomes."""
        with spark_errors():
            rows, listed = self._rows(), self._listed([fate])
            return rows.join(listed, same_row(rows, listed), "left_semi").drop(FILE, ROW)

    def _rows(self) -> "DataFrame":
        from pyspark.sql.functions import col

        paths = [hadoop_path(Path(file)) for file in self.table.files]
        rows = reader(self.frame.sparkSession).schema(self.frame.schema).parquet(*paths)
        return rows.withColumns({FILE: col("_metadata.file_name"), ROW: col("_metadata.row_index")})

    def _listed(self, fates: Collection[int]) -> "DataFrame":
        found = noted(self.frame.sparkSession, self.fates)
        return found.where(found["fate"].isin([*fates]))


def noted(session: "SparkSession", file: Path) -> "DataFrame":
    """What was noted of rows, where these stand by names that no column of theirs has."""
    return read(session, file).withColumnsRenamed(NOTED)


def same_row(rows: "DataFrame", listed: "DataFrame") -> "Column":
    return (rows[FILE] == listed[NOTED["file"]]) & (rows[ROW] == listed[NOTED["row"]])


def read(session: "SparkSession", file: Path) -> "DataFrame":
    """A Parquet file of ours as a frame."""
    return reader(session).parquet(hadoop_path(file))
