"""Pages with the same sequence of chunks: the lowest stands for them."""

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from webecho.engine.spark.same_chunks import copies_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


def test_the_lowest_stands_for_pages_with_the_same_sequence(spark: "SparkSession") -> None:
    """As in the test of the kernel; the next to last is of another group."""
    lists = [[], [1, 2], [2, 1], [1, 2], [1, 1], [1, 1], [1, 2], [1, 2, 2]]
    rows = [
        {"page": page, "group": int(page == 6), "chunks": chunks}
        for page, chunks in enumerate(lists)
    ]
    frame = spark.createDataFrame(pa.Table.from_pylist(rows))
    found = {least: copies_of(frame, least).toArrow().to_pylist() for least in (1, 2)}
    copy = {"page": 3, "stands": 1, "pages": 2, "size": 2}
    assert found[2] == [copy]
    both = sorted(found[1], key=lambda row: row["page"])
    assert both == [copy, {"page": 5, "stands": 4, "pages": 2, "size": 1}]
