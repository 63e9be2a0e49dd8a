"""Rows by way of files, whatever the folder is called."""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from tests.engine.spark.test_database import NAMES
from webecho.engine.spark import parquet_files
from webecho.engine.spark.parquet_files import by_files, hadoop_path
from webecho.errors import SettingsError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
ROWS = pa.table({"a": [1, 2, 3], "b": [4, 5, 6]})


@pytest.mark.parametrize("name", [*NAMES, "crawl=2024", "ä+ö"])
def test_a_folder_may_have_any_name(name: str, tmp_path: Path, quick: "SparkSession") -> None:
    from pyspark.sql import functions as sql

    frame = quick.createDataFrame(ROWS)
    most = sql.max("b").alias("most")
    rows, seen = by_files(frame, tmp_path / name / "rows", "a long, b long", most)
    assert rows.toArrow().sort_by("a").equals(ROWS)
    assert (seen["rows"], seen["most"]) == (3, 6)
    assert [each.name for each in tmp_path.iterdir()] == [name]


def test_rows_that_the_driver_does_not_see_are_told(
    tmp_path: Path, quick: "SparkSession", monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where executors have disks of their own."""

    def reader(session: "SparkSession") -> object:
        for file in (tmp_path / "round" / "rows").glob("*.parquet"):
            file.unlink()
        return session.read

    monkeypatch.setattr(parquet_files, "reader", reader)
    with pytest.raises(SettingsError, match="not all machines of the cluster see it"):
        by_files(quick.createDataFrame(ROWS), tmp_path / "round" / "rows", "a long, b long")
    shutil.rmtree(tmp_path / "round")


def test_nothing_in_a_path_is_escaped() -> None:
    assert hadoop_path(Path("/a b/c=1%.echo")) == "file:///a b/c=1%.echo"
