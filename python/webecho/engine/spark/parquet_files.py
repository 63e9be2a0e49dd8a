"""Parquet files on disks that the driver and all executors see, whatever their paths."""

from pathlib import Path
from typing import TYPE_CHECKING

from webecho.errors import SettingsError

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, DataFrameReader, SparkSession

# What Spark asks itself by whether `*`, `?`, `[…]` and `{…}` in a path stand for others.
GLOBS = "__globPaths__"


def hadoop_path(file: Path) -> str:
    """A path as Hadoop reads it: with the scheme of a URI, and nothing in it escaped."""
    return f"file://{file.absolute()!s}"


def reader(session: "SparkSession") -> "DataFrameReader":
    """What reads paths as they are. A folder may be called `page=7`, and that is no column."""
    return session.read.option("recursiveFileLookup", "true").option(GLOBS, "false")


def by_files(
    frame: "DataFrame", folder: Path, schema: str, *observed: "Column"
) -> tuple["DataFrame", dict[str, int]]:
    """The same rows, cut off from the plan that made them by writing them into a new folder; and
    what was observed of them."""
    from pyspark.sql import Observation
    from pyspark.sql import functions as sql

    seen = Observation()
    counted = frame.observe(seen, sql.count("*").alias("rows"), *observed)
    counted.write.parquet(hadoop_path(folder))
    rows = reader(frame.sparkSession).schema(schema).parquet(hadoop_path(folder))
    # What an executor writes to a disk of its own is missing here, and nobody says so.
    if rows.count() != seen.get["rows"]:
        raise SettingsError(
            f"{folder.parent.parent}: not all machines of the cluster see it, and what they wrote "
            "there is missing; put the workspace on a disk that they share"
        )
    return rows, seen.get
