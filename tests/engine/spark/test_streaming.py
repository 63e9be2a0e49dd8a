"""Rows come to the driver in their order."""

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from webecho.engine.spark.streaming import pack, streamed

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCHEMA = pa.schema([("number", pa.int64()), ("name", pa.string())])


@pytest.mark.spark
def test_rows_are_in_the_order_of_the_frame(spark: "SparkSession") -> None:
    frame = spark.range(1000, numPartitions=7).selectExpr(
        "999 - id AS number", "CAST(id AS string) AS name"
    )
    batches = [*streamed(frame.orderBy("number"), SCHEMA)]
    found = pa.Table.from_batches(batches)
    assert found.schema == SCHEMA
    assert found["number"].to_pylist() == [*range(1000)]
    assert found["name"][999].as_py() == "0"
    assert [*streamed(frame.where("number < 0"), SCHEMA)] == []


def test_a_batch_is_a_value() -> None:
    batch = pa.RecordBatch.from_pydict({"number": [1, None], "name": ["ä", None]}, SCHEMA)
    [packed] = pack(SCHEMA, iter([batch]))
    [value] = packed["rows"].to_pylist()
    with pa.ipc.open_stream(value) as reader:
        assert [*reader] == [batch]
