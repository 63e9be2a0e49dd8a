"""Parts of pages as they reach executors."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from tests.collections_made import many_pages
from tests.engine.spark.grouped import workspace_of
from webecho.engine.spark import page_parts
from webecho.engine.spark.failures import spark_errors
from webecho.engine.spark.page_parts import PagePart, part_frame, part_rows
from webecho.errors import WorkspaceError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


def seen(parts: Iterator[PagePart]) -> Iterator[pa.RecordBatch]:
    """Pages with what is known of them, and their length."""
    for part in parts:
        for rows, known in part.batches(["chars"], "odd"):
            columns = [rows["page"], known["twice"].cast(pa.int64()), rows["chars"]]
            yield pa.RecordBatch.from_arrays(columns, ["page", "twice", "chars"])


def test_what_is_known_of_pages_travels_with_them(tmp_path: Path, spark: "SparkSession") -> None:
    workspace = workspace_of(tmp_path, many_pages(30), part_pages=7)
    odd = pa.array([page % 2 == 1 for page in range(30)])
    twice = pa.array([2 * page for page in range(30)], pa.uint32())
    known = {"odd": odd, "twice": twice}
    frame = part_frame(spark, workspace, seen, "page long, twice long, chars long", known)
    chars = workspace.table()["chars"].to_pylist()
    assert sorted(tuple(row) for row in frame.collect()) == [
        (page, 2 * page, chars[page]) for page in range(1, 30, 2)
    ]


def test_tasks_have_a_bounded_number_of_pages(
    tmp_path: Path, spark: "SparkSession", monkeypatch: pytest.MonkeyPatch
) -> None:
    """However few rows tell of the parts, which Spark would share out by its cores."""
    monkeypatch.setattr(page_parts, "TASK_PAGES", 10)
    workspace = workspace_of(tmp_path, many_pages(60), part_pages=5)
    frame = part_frame(spark, workspace, counted, "pages long")
    assert [row["pages"] for row in frame.collect()] == [10] * 6


def counted(parts: Iterator[PagePart]) -> Iterator[pa.RecordBatch]:
    pages = sum(len(rows) for part in parts for rows, _ in part.batches([]))
    yield pa.record_batch({"pages": [pages]})


def test_parts_without_a_chosen_page_are_left_out(tmp_path: Path) -> None:
    workspace = workspace_of(tmp_path, many_pages(30), part_pages=7)
    chosen = pa.array([page in (8, 29) for page in range(30)])
    assert [row["number"] for row in part_rows(workspace, {}, chosen)] == [1, 4]


def test_a_damaged_part_is_an_error_of_ours(tmp_path: Path, spark: "SparkSession") -> None:
    workspace = workspace_of(tmp_path, many_pages(10))
    file = workspace.part_file("sketches", 0)
    file.write_bytes(file.read_bytes()[:-9])
    known = {name: pa.array([True] * 10) for name in ("odd", "twice")}
    frame = part_frame(spark, workspace, seen, "page long, twice long, chars long", known)
    with pytest.raises(WorkspaceError, match=r"part-00000\.parquet"), spark_errors():
        frame.collect()
