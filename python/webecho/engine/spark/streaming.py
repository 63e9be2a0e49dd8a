"""Rows of a frame at the driver, some at a time, in their order. They come within the answers of
tasks, and not by way of files, which a driver and its executors may not both see."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def streamed(frame: "DataFrame", schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The rows of a frame, partition after partition; one of these is held."""
    packed = frame.mapInArrow(partial(pack, schema), "rows binary")
    for row in packed.toLocalIterator():
        with pa.ipc.open_stream(pa.py_buffer(bytes(row["rows"]))) as reader:
            yield from reader


def pack(schema: pa.Schema, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Batches as values of one column."""
    for batch in batches:
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, schema) as writer:
            writer.write_batch(batch.cast(schema))
        yield pa.RecordBatch.from_arrays([pa.array([sink.getvalue().to_pybytes()])], ["rows"])
