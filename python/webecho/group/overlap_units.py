"""Overlap of hosts or sites: each has the chunks of all its pages (Shivakumar 1998, section 1), and
the pages that *carry* it have chunks that stand on the other host too."""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from webecho.chunkings import Chunking
from webecho.group.chunk_lists import chunk_lists
from webecho.group.overlaps import FOUND, FoundOverlaps, OverlapSearch, Units, measured_columns
from webecho.group.rules.parameters import FINGERPRINTS
from webecho.read.urls import sites
from webecho.run import Run
from webecho.settings import Recipe
from webecho.workspace.lookup import Lookup
from webecho.workspace.union import Pages

INT64 = pa.int64()
CARRYING = """
WITH sides AS (
    SELECT "left", "right", TRUE AS of_left, "left" AS unit, "right" AS other FROM pairs
    UNION ALL
    SELECT "left", "right", FALSE AS of_left, "right" AS unit, "left" AS other FROM pairs
)
SELECT sides."left", sides."right", of_left, own.page, count(*) AS shared_chunks
FROM sides
JOIN chunks AS own ON own.unit = sides.unit
JOIN counting ON counting.chunk = own.chunk AND counting.unit = sides.other
GROUP BY sides."left", sides."right", of_left, own.page
ORDER BY sides."left" NULLS LAST, sides."right" NULLS LAST, of_left DESC NULLS LAST,
    shared_chunks DESC NULLS LAST, own.page NULLS LAST
"""


def unit_rows(found: FoundOverlaps, units: Units, level: str, recipe: Recipe) -> pa.Table:
    """The pairs of units, by their names."""
    pairs = pa.Table.from_batches(list(found.pairs()), FOUND)
    named = {
        f"{side}_{level}": units.names.take(pairs[side].combine_chunks())
        for side in ("left", "right")
    }
    measured = measured_columns(pairs)
    if level == "host":
        one, other = (sites(column, recipe.site) for column in named.values())
        measured["same_site"] = pc.fill_null(pc.equal(one, other), False)
    numbers = {side: pairs[side] for side in ("left", "right")}
    return pa.table(numbers | named | measured)


def carrying_pages(
    pages: Pages, pairs: pa.Table, search: OverlapSearch, units: Units, level: str, run: Run
) -> pa.Table:
    """For each pair of units the pages of both that have chunks of the other, those with most
    first."""
    involved = pa.chunked_array([*pairs["left"].chunks, *pairs["right"].chunks], INT64)
    # In how many units a chunk stands is told by all of them.
    chosen = None if search.most_pages is not None else pc.unique(involved)
    schema = pa.schema([(name, INT64) for name in ("page", "unit", "chunk")])
    rows = unit_chunks(pages, search.chunking, search.bits, units, chosen)
    with run.database() as database:
        database.add("all_chunks", pa.RecordBatchReader.from_batches(schema, rows))
        database.keep("chunks", "SELECT DISTINCT page, unit, chunk FROM all_chunks")
        database.keep("counting", "SELECT DISTINCT unit, chunk FROM chunks")
        if search.most_pages is not None:
            few = (
                f"SELECT chunk FROM counting GROUP BY chunk HAVING count(*) <= {search.most_pages}"
            )
            database.keep("counting", f"SELECT * FROM counting WHERE chunk IN ({few})")
        database.add("pairs", pairs.select(["left", "right"]))
        found = database.table(CARRYING)
    named = Lookup.of(pages).named(found, ["page"])
    for side in ("left", "right"):
        name = units.names.take(named[side].combine_chunks())
        named = named.append_column(f"{side}_{level}", name)
    units_named = (f"left_{level}", f"right_{level}")
    return named.select([*units_named, "of_left", "page", "shared_chunks", "page_url", "page_id"])


def unit_chunks(
    pages: Pages, chunking: Chunking, bits: int, units: Units, chosen: pa.Array | None
) -> Iterator[pa.RecordBatch]:
    """Each chunk of each page that belongs to a unit, or to one that is chosen."""
    for every, all_lists in chunk_lists(pages, chunking):
        all_units = units.numbers.take(every).cast(pa.int64())
        here = all_units.is_valid() if chosen is None else pc.is_in(all_units, value_set=chosen)
        numbers, unit, lists = (each.filter(here) for each in (every, all_units, all_lists))
        at, chunks = pc.list_parent_indices(lists), pc.list_flatten(lists)
        if bits < FINGERPRINTS[0]:
            chunks = pc.bit_wise_and(chunks, (1 << bits) - 1)
        columns = [numbers.take(at), unit.take(at), chunks]
        yield pa.RecordBatch.from_arrays(columns, ["page", "unit", "chunk"])
