"""Whether Spark finds the overlaps that the local engine does, row for row."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from webecho.chunkings import Chunking
from webecho.engine.local.engine import local_run
from webecho.engine.spark.engine import spark_run
from webecho.group.overlaps import FOUND, OverlapSearch, units_of
from webecho.run import Run
from webecho.workspace.union import Pages

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def search(chunking: str, shared: int, bits: int = 64, **more: Any) -> OverlapSearch:
    return OverlapSearch(Chunking.parse(chunking), shared, bits, **more)


def table(batches: Iterator[pa.RecordBatch]) -> pa.Table:
    return pa.Table.from_batches(list(batches), FOUND)


def found(pages: Pages, search: OverlapSearch, run: Run, **of: Any) -> dict[str, Any]:
    """All that an engine tells of a search, but for what it costs."""
    level = of.pop("level", None)
    units = None if level is None else units_of(pages, level)
    overlaps = run.engine.overlaps(pages, search, run, units=units, **of)
    pairs, copies = table(overlaps.pairs()), table(overlaps.copies())
    known = overlaps.forecast
    counted = ("distinct", "chunks", "left_out_chunks", "left_out_units")
    return {
        "pairs": pairs,
        "copies": copies,
        "standing for": overlaps.standing_for(pairs["left"].combine_chunks()).to_pylist(),
        "known": {name: known[name] for name in counted},
    }


def check_overlaps(pages: Pages, search: OverlapSearch, spark: "SparkSession", **of: Any) -> int:
    ours, expected = (found(pages, search, run, **of) for run in (spark_run(spark), local_run()))
    assert ours == expected
    return len(expected["pairs"])
