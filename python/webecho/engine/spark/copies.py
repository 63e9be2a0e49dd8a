"""*Copies* on executors: pages with the same sequence of chunks, or with the same paragraphs, each
as often. The lowest stands for them."""

from typing import TYPE_CHECKING

import pyarrow as pa

from webecho import _core
from webecho.engine.spark.chunk_frames import (
    chunk_frame,
    list_frame,
    long_pages,
    visible_pages,
    wanted_frame,
)
from webecho.engine.spark.database import SparkDatabase, database
from webecho.engine.spark.streaming import streamed
from webecho.group.chunk_lists import COLUMN
from webecho.group.paragraphs import TABLE, check_made
from webecho.group.rules.keys import Paragraphs, SameChunks
from webecho.run import Run
from webecho.workspace.union import Pages

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# A sequence by two hashes of it and its length.
SEQUENCE = ["group", "forward", "backward", "length"]
STANDING = pa.schema([("page", pa.int64()), ("stands", pa.int64())])


def copies_of(lists: "DataFrame", least: int, column: str = COLUMN) -> "DataFrame":
    """The pages that others stand for: `page`, the one that `stands` for it, for how many `pages`
    it does, itself included, and the `size` of each, its different values in a column; of pages
    that have at least so many of these."""
    from pyspark.sql import functions as sql

    known = lists.select(
        *("page", "group"),
        sql.xxhash64(column).alias("forward"),
        sql.xxhash64(sql.reverse(column)).alias("backward"),
        sql.size(column).alias("length"),
        sql.size(sql.array_distinct(column)).cast("long").alias("size"),
    ).where(sql.col("size") >= max(least, 1))
    sets = known.groupBy(*SEQUENCE).agg(
        sql.min("page").alias("stands"), sql.count("*").alias("pages")
    )
    together = known.join(sets.where("pages > 1"), SEQUENCE)
    return together.where("page <> stands").select("page", "stands", "pages", "size")


def unite_copies(
    session: "SparkSession",
    pages: Pages,
    sets: SameChunks | Paragraphs,
    run: Run,
    *,
    partition: pa.Array | None = None,
    hollow: pa.Array | None = None,
) -> _core.Forest:
    """A forest in which copies are joined: see `engine/local/sets.py`."""
    run.begin("finding copies")
    forest = _core.Forest(pages.pages, run.threads)
    with database(session) as held:
        wanted = None if hollow is None else visible_pages(held, pages)
        if partition is not None:
            grouped = wanted_frame(held, pa.repeat(True, pages.pages), partition)
            wanted = grouped if wanted is None else grouped.join(wanted, "page", "left_semi")
        copies = found_copies(held, pages, sets, wanted).select(*STANDING.names)
        for batch in streamed(copies, STANDING):
            forest.unite(*(column.cast(pa.uint32()) for column in batch.columns))
    return forest


def found_copies(
    held: SparkDatabase, pages: Pages, sets: SameChunks | Paragraphs, wanted: "DataFrame | None"
) -> "DataFrame":
    """The copies among the wanted pages, or all."""
    from pyspark.sql import functions as sql

    match sets:
        case SameChunks(chunking, least, bits):
            return copies_of(chunk_frame(held, pages, chunking, bits, wanted), least)
        case Paragraphs(longer_than):
            check_made(pages, TABLE)
            long = long_pages(held, pages, longer_than)
            those = long if wanted is None else wanted.join(long, "page", "left_semi")
            lists = list_frame(held, pages, TABLE, TABLE, those)
            # Whichever order they have.
            return copies_of(lists.withColumn(TABLE, sql.sort_array(TABLE)), 1, TABLE)
