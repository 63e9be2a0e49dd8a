"""The chunks of pages as frames, from their page tables, which executors read. What a revisit has
is what the page has that it repeats."""

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

import pyarrow as pa

from webecho.chunkings import Chunking
from webecho.engine.spark.database import SparkDatabase
from webecho.group.chunk_lists import COLUMN, check_chunks
from webecho.group.columns import page_numbers
from webecho.group.overlaps import Units
from webecho.group.rules.parameters import FINGERPRINTS
from webecho.workspace.union import Pages, Union

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def chunk_frame(
    database: SparkDatabase,
    pages: Pages,
    chunking: Chunking,
    bits: int,
    wanted: "DataFrame | None" = None,
) -> "DataFrame":
    """`page`, `group` and `chunks`, in their order, of which so many bits are left; of all pages,
    or of the `wanted` ones, a frame of `page`. If that has a `group`, only pages of the same one
    are compared; if it has a `number`, pages are called by it."""
    from pyspark.sql import functions as sql

    check_chunks(pages, chunking)
    found = reduce(lambda one, other: one.unionByName(other), contents(database, pages, chunking))
    if bits < FINGERPRINTS[0]:
        mask = sql.lit((1 << bits) - 1)
        short = sql.transform(COLUMN, lambda chunk: chunk.bitwiseAND(mask))
        found = found.withColumn(COLUMN, short)
    if wanted is not None:
        found = found.join(wanted, "page")
    if "group" not in found.columns:
        found = found.withColumn("group", sql.lit(0).cast("long"))
    page = "number" if "number" in found.columns else "page"
    return found.select(found[page].alias("page"), "group", COLUMN)


def wanted_frame(
    database: SparkDatabase,
    wanted: pa.Array,
    partition: pa.Array | None = None,
    ranks: pa.Array | None = None,
) -> "DataFrame":
    """Pages by flags, with the groups that they are of, and their ranks as numbers."""
    columns = {"page": page_numbers(len(wanted)), "group": partition, "number": ranks}
    known = {name: each for name, each in columns.items() if each is not None}
    rows = pa.table({name: each.cast(pa.int64()) for name, each in known.items()})
    return database.frame(rows.filter(wanted))


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
    belongs = wanted_frame(database, units.numbers.is_valid(), ranks=units.numbers)
    unit_of = belongs.withColumnRenamed("number", "unit")
    found = chunks.join(unit_of, "page").select("unit", "group", each).distinct()
    return Postings(found, found.groupBy("unit").agg(sql.count("*").alias("size")))
