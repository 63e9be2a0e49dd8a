"""Spark's own DataFrames, as what is read and as what is given back.

A frame is written once, by executors, to Parquet files, and read from there: a frame is a recipe
for rows, which may give others, or the same in another order, when it is followed again. The order
of its pages is that of its partitions, and of the rows in each, as they were written.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from webecho.engine.spark.failures import spark_errors
from webecho.read.spooled import SpooledTable

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Where a row stands that goes: the name of its file, and its number there.
GONE = pa.schema([("file", pa.string()), ("row", pa.int64())])
# What no column of a frame is called.
FILE, ROW = "__webecho_file", "__webecho_row"
NO_MARK = "mapreduce.fileoutputcommitter.marksuccessfuljobs"


def is_frame(thing: object) -> bool:
    """Whether this is a DataFrame of Spark, of which nothing is loaded for that."""
    library = type(thing).__module__.partition(".")[0]
    return library == "pyspark" and hasattr(thing, "sparkSession")


def spooled(frame: "DataFrame", folder: Path) -> SpooledTable:
    """The rows of a frame, written into a new folder."""
    with spark_errors():
        frame.write.option(NO_MARK, "false").parquet(folder.absolute().as_uri())
    return SpooledTable(tuple(str(file) for file in sorted(folder.absolute().glob("*.parquet"))))


def spooled_inputs(inputs: Sequence[Any], folder: Path) -> tuple[Any, ...]:
    """The inputs, frames among them written into this folder."""
    return tuple(
        spooled(given, folder / f"frame-{number}") if is_frame(given) else given
        for number, given in enumerate(inputs)
    )


def write_gone(files: Sequence[str], rows: Iterable[pa.RecordBatch], out: Path) -> None:
    """Notes which rows of which files go, given the numbers of the files and the rows."""
    names = pa.array([PurePosixPath(file).name for file in files], pa.string())
    with pq.ParquetWriter(out, GONE) as writer:
        for some in rows:
            if len(some):
                columns = [names.take(some["source"]), some["place"]]
                writer.write_table(pa.table(columns, schema=GONE))


def staying(frame: "DataFrame", table: SpooledTable, gone: Path) -> "DataFrame":
    """The frame without the rows that go, with the same columns and types."""
    from pyspark.sql.functions import col

    session = frame.sparkSession
    with spark_errors():
        paths = [Path(file).as_uri() for file in table.files]
        rows = session.read.schema(frame.schema).parquet(*paths)
        file, row = col("_metadata.file_name"), col("_metadata.row_index")
        listed = read(session, gone)
        here = rows.withColumns({FILE: file, ROW: row})
        same = (here[FILE] == listed["file"]) & (here[ROW] == listed["row"])
        return here.join(listed, same, "left_anti").drop(FILE, ROW)


def read(session: "SparkSession", file: Path) -> "DataFrame":
    """A Parquet file of ours as a frame."""
    return session.read.parquet(file.absolute().as_uri())
