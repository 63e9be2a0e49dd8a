"""The chunks of pages, and other lists, as frames, from their page tables, which executors read.
What a revisit has is what the page has that it repeats."""

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
    or of the `wanted` ones: see `list_frame`."""
    from pyspark.sql import functions as sql

    check_chunks(pages, chunking)
    found = list_frame(database, pages, chunking.table, COLUMN, wanted)
    if bits >= FINGERPRINTS[0]:
        return found
    mask = sql.lit((1 << bits) - 1)
    short = sql.transform(COLUMN, lambda chunk: chunk.bitwiseAND(mask))
    return found.withColumn(COLUMN, short)


def list_frame(
    database: SparkDatabase,
    pages: Pages,
    table: str,
    column: str,
    wanted: "DataFrame | None" = None,
) -> "DataFrame":
    """`page`, `group` and the lists of a column of a page table; of all pages, or of the `wanted`
    ones, a frame of `page`. If that has a `group`, only pages of the same one are compared; if it
    has a `number`, pages are called by it."""
    from pyspark.sql import functions as sql

    own = contents(database, pages, table, column)
    found = reduce(lambda one, other: one.unionByName(other), own)
    if wanted is not None:
        found = found.join(wanted, "page")
    if "group" not in found.columns:
        found = found.withColumn("group", sql.lit(0).cast("long"))
    page = "number" if "number" in found.columns else "page"
    return found.select(found[page].alias("page"), "group", column)


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


def contents(database: SparkDatabase, pages: Pages, table: str, column: str) -> "list[DataFrame]":
    """`page` and the lists of all pages that have a content, and of the revisits of these."""
    from pyspark.sql import functions as sql

    found = []
    for number, (piece, first) in enumerate(pages.pieces):
        shift = sql.lit(first)
        own = database.frame(piece.stored(table)).where(sql.col(column).isNotNull())
        own = own.select((own["page"] + shift).alias("page"), column)
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
        revisits = repeating.join(own, "page").select(repeating["again"].alias("page"), column)
        found += [own, revisits]
    return found


def visible_pages(database: SparkDatabase, pages: Pages) -> "DataFrame":
    """The pages, as `page`, of which more is left than scripts."""
    return pages_where(database, pages, "NOT coalesce(hollow, false)")


def long_pages(database: SparkDatabase, pages: Pages, longer_than: int) -> "DataFrame":
    """The pages, as `page`, of more than so many characters."""
    return pages_where(database, pages, f"chars > {longer_than}")


def pages_where(database: SparkDatabase, pages: Pages, condition: str) -> "DataFrame":
    """The pages, as `page`, for whose sketches this holds."""
    from pyspark.sql import functions as sql

    found = []
    for piece, first in pages.pieces:
        those = database.frame(piece.stored("sketches")).where(condition)
        found.append(those.select((those["page"] + sql.lit(first)).alias("page")))
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
