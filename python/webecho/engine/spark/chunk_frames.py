"""The chunks of pages as frames, from their page tables, which executors read. What a revisit has
is what the page has that it repeats."""

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

import pyarrow as pa

from webecho.chunkings import Chunking
from webecho.engine.spark.database import SparkDatabase
from webecho.group.chunk_lists import COLUMN, check_chunks
from webecho.group.overlaps import Units
from webecho.group.rules.parameters import FINGERPRINTS
from webecho.workspace.union import Pages, Union

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class ChunkPages:
    """Whose chunks are compared: frames of a column `page`, if not all are `wanted`, and of `page`
    and `group`, if only pages of the same group are compared."""

    pages: Pages
    wanted: "DataFrame | None" = None
    groups: "DataFrame | None" = None


def chunk_frame(
    database: SparkDatabase, chosen: ChunkPages, chunking: Chunking, bits: int
) -> "DataFrame":
    """`page`, `group` and `chunks`, in their order, of which so many bits are left."""
    from pyspark.sql import functions as sql

    check_chunks(chosen.pages, chunking)
    frames = contents(database, chosen.pages, chunking)
    found = reduce(lambda one, other: one.unionByName(other), frames)
    if chosen.wanted is not None:
        found = found.join(chosen.wanted, "page", "left_semi")
    if bits < FINGERPRINTS[0]:
        mask = sql.lit((1 << bits) - 1)
        found = found.withColumn(
            COLUMN, sql.transform(COLUMN, lambda chunk: chunk.bitwiseAND(mask))
        )
    if chosen.groups is None:
        return found.withColumn("group", sql.lit(0).cast("long"))
    return found.join(chosen.groups, "page")


def contents(database: SparkDatabase, pages: Pages, chunking: Chunking) -> "list[DataFrame]":
    """`page` and `chunks` of all pages that have a content, and of the revisits of these."""
    from pyspark.sql import functions as sql

    found = []
    for number, (piece, first) in enumerate(pages.pieces):
        shift = sql.lit(first)
        own = database.frame(piece.stored(chunking.table)).where(sql.col(COLUMN).isNotNull())
        own = own.select((own["page"] + shift).alias("page"), COLUMN)
        if isinstance(pages, Union) and number == 0:
            # What a revisit of an earlier collection repeats is there by itself, or is nowhere.
            gone = database.frame(pa.table({"page": pages.gone.cast(pa.int64())}))
            found.append(own.join(gone, "page", "left_anti"))
            continue
        sketches = database.frame(piece.stored("sketches"))
        repeating = sketches.where(sketches["revisit_of"].isNotNull()).select(
            (sketches["page"] + shift).alias("again"),
            (sketches["revisit_of"] + shift).alias("page"),
        )
        revisits = repeating.join(own, "page").select(repeating["again"].alias("page"), COLUMN)
        found += [own, revisits]
    return found


def visible_pages(database: SparkDatabase, pages: Pages) -> "DataFrame":
    """The pages, as `page`, of which more is left than scripts."""
    from pyspark.sql import functions as sql

    found = []
    for piece, first in pages.pieces:
        sketches = database.frame(piece.stored("sketches"))
        visible = sketches.where(~sql.coalesce(sketches["hollow"], sql.lit(False)))
        found.append(visible.select((sketches["page"] + sql.lit(first)).alias("page")))
    return reduce(lambda one, other: one.unionByName(other), found)


@dataclass(frozen=True)
class Postings:
    """*Posting*: a chunk, within its group, and a unit that has it: a page, or that which the page
    belongs to. Each is there once. Beside them the `size` of each unit, its different chunks."""

    each: "DataFrame"
    sizes: "DataFrame"


def postings(database: SparkDatabase, chunks: "DataFrame", units: Units | None) -> Postings:
    """The postings of pages, or of units."""
    from pyspark.sql import functions as sql

    own = sql.array_distinct(COLUMN)
    each = sql.explode(own).alias("chunk")
    if units is None:
        unit = chunks["page"].alias("unit")
        size = sql.size(own).cast("long").alias("size")
        return Postings(chunks.select(unit, "group", each), chunks.select(unit, size))
    numbers = pa.array(range(len(units.numbers)), pa.int64())
    belonging = pa.table({"page": numbers, "unit": units.numbers.cast(pa.int64())})
    unit_of = database.frame(belonging.filter(belonging["unit"].is_valid()))
    found = chunks.join(unit_of, "page").select("unit", "group", each).distinct()
    return Postings(found, found.groupBy("unit").agg(sql.count("*").alias("size")))
