"""*Copies* on executors: pages with the same sequence of chunks. The lowest stands for them."""

from typing import TYPE_CHECKING

from webecho.group.chunk_lists import COLUMN

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# A sequence by two hashes of it and its length.
SEQUENCE = ["group", "forward", "backward", "length"]


def copies_of(chunks: "DataFrame", least: int) -> "DataFrame":
    """The pages that others stand for: `page`, the one that `stands` for it, for how many `pages`
    it does, itself included, and the `size` of each, its different chunks; of pages that have at
    least so many of these."""
    from pyspark.sql import functions as sql

    known = chunks.select(
        *("page", "group"),
        sql.xxhash64(COLUMN).alias("forward"),
        sql.xxhash64(sql.reverse(COLUMN)).alias("backward"),
        sql.size(COLUMN).alias("length"),
        sql.size(sql.array_distinct(COLUMN)).cast("long").alias("size"),
    ).where(sql.col("size") >= max(least, 1))
    sets = known.groupBy(*SEQUENCE).agg(
        sql.min("page").alias("stands"), sql.count("*").alias("pages")
    )
    together = known.join(sets.where("pages > 1"), SEQUENCE)
    return together.where("page <> stands").select("page", "stands", "pages", "size")
