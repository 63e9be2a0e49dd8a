"""MinHash by hand, as scripts on Spark do it: a Python function gives the bands of each document, a
group-by finds those that share one, and all but the first of each band go, unverified.

    python spark_group_by.py IN OUT THREADS
"""

import os
import re
import sys
import zlib
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as sql

K, BANDS, WIDTH = 5, 16, 5
PRIME = (1 << 61) - 1
DRAWN = np.random.default_rng(1)
A, B = (DRAWN.integers(1, PRIME, BANDS * WIDTH, dtype=np.uint64) for _ in range(2))
WORDS = re.compile(r"\s+")


def banded(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """A row (id, band) for each band of each document."""
    for batch in batches:
        ids, bands = [], []
        for page, text in zip(batch["id"].to_pylist(), batch["text"].to_pylist(), strict=True):
            words = WORDS.split(text.lower())
            shingles = {" ".join(words[at : at + K]) for at in range(max(1, len(words) - K + 1))}
            values = np.array([zlib.crc32(each.encode()) for each in shingles], np.uint64)
            hashed = (values[:, None] * A + B) % np.uint64(PRIME)
            lowest = hashed.min(axis=0).reshape(BANDS, WIDTH)
            ids += [page] * BANDS
            bands += [f"{number}-{row.tobytes().hex()}" for number, row in enumerate(lowest)]
        yield pa.record_batch([pa.array(ids, pa.int64()), pa.array(bands)], ["id", "band"])


def main(source: str, target: str, threads: str) -> None:
    # A worker's Python is the system's otherwise.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(f"local[{threads}]").config("spark.driver.memory", "3g")
    session = builder.config("spark.ui.enabled", "false").getOrCreate()
    pages = session.read.parquet(source)
    bands = pages.select("id", "text").mapInArrow(banded, "id long, band string")
    sharing = bands.groupBy("band").agg(sql.collect_list("id").alias("ids")).where("size(ids) > 1")
    gone = sharing.selectExpr("explode(slice(array_sort(ids), 2, size(ids))) AS id").distinct()
    pages.join(gone, "id", "left_anti").write.parquet(target)
    session.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
