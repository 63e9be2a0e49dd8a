"""Pairs of units that share enough chunks (Shivakumar 1998, section 2.1), on executors.

The units that have a chunk are brought together by a shuffle, as its list. What can be in no pair
is left out: a unit with fewer chunks than must be shared that others have too, and then a list with
fewer than two units. What is left goes to cells of the matrix of all pairs, in each of which the
kernel counts. A chunk is *hot* if it stands in very many units: it has no list, which one task
would have to hold, and its units go to the cells one by one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from webecho.engine.spark.database import SparkDatabase
from webecho.engine.spark.pair_cells import Cells, CellSearch, counted, spread
from webecho.group.overlaps import OverlapSearch

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, Row

HOT = 10_000
# A round of pruning that drops less than one in so many postings is the last; the kernel goes on
# within each cell.
WORTH = 4
KEY = ["group", "chunk"]


@dataclass(frozen=True)
class Sharing:
    """What units of these postings have in common, as far as it can be in a pair: lists of `units`
    by chunk, the postings of hot chunks, and how much that is."""

    lists: "DataFrame"
    hot: "DataFrame | None"
    facts: Mapping[str, int]


def sharing(
    database: SparkDatabase,
    postings: "DataFrame",
    search: OverlapSearch,
    right: int | None = None,
) -> Sharing:
    """What is left of postings, and what is known of them."""
    from pyspark.sql import functions as sql

    counts = postings.groupBy(*KEY).agg(*side_counts(sql.col("unit"), right))
    most = search.most_pages
    few = sql.lit(True) if most is None else sql.col("pages") <= most
    kept = few & pairing(right)
    [known] = counts.select(
        sql.count("*").alias("distinct"),
        sql.count_if(~few).alias("left_out_chunks"),
        *sizes(kept, right),
    ).collect()
    facts = whole_numbers(known)
    facts |= {"chunks": facts["pruned_chunks"], "left_out_units": 0}
    if facts["left_out_chunks"]:
        many = postings.join(counts.where(~few), KEY, "left_semi")
        facts["left_out_units"] = many.select("unit").distinct().count()
    rest, hot_postings = postings, None
    if facts["longest"] > HOT:
        # So few that every executor can know them.
        crowded = sql.broadcast(counts.where(kept & (sql.col("pages") > HOT)).select(*KEY))
        rest = postings.join(crowded, KEY, "left_anti")
        hot_postings = database.hold(postings.join(crowded, KEY, "left_semi"))
    lists = database.hold(listed(rest, right).where(kept).select(*KEY, "units"))
    return pruned(database, Sharing(lists, hot_postings, facts), search.shared, right)


def side_counts(unit: "Column", right: int | None) -> "list[Column]":
    """How many units a chunk has, and how many of them are below `right`."""
    from pyspark.sql import functions as sql

    below = sql.lit(0) if right is None else sql.count_if(unit < right)
    return [sql.count("*").alias("pages"), below.alias("below")]


def pairing(right: int | None) -> "Column":
    """Whether units, counted so, make any pair."""
    from pyspark.sql import functions as sql

    pages, below = sql.col("pages"), sql.col("below")
    return pages > 1 if right is None else (below > 0) & (below < pages)


def comparisons(right: int | None) -> "Column":
    """How many pairs units make, counted so."""
    from pyspark.sql import functions as sql

    pages, below = sql.col("pages"), sql.col("below")
    if right is not None:
        return below * (pages - below)
    # By whole numbers: a division would go through floats.
    return sql.expr("pages * (pages - 1) DIV 2")


def listed(postings: "DataFrame", right: int | None) -> "DataFrame":
    """The units of each chunk as a list, counted."""
    from pyspark.sql import functions as sql

    unit = sql.col("unit")
    grouped = postings.groupBy(*KEY)
    return grouped.agg(sql.collect_list("unit").alias("units"), *side_counts(unit, right))


def pruned(database: SparkDatabase, whole: Sharing, shared: int, right: int | None) -> Sharing:
    """Without units that share too few chunks, and chunks that are left to one unit, as long as
    that helps; with the size of what is left. The driver has the units that each round leaves: if
    it had only how they are found, its plans would double with every round."""
    now = whole
    while shared > 1 and now.facts["pruned_entries"]:
        left = database.frame(sharing_enough(now, shared))
        lists = listed(flattened(whole.lists).join(left, "unit", "left_semi"), right)
        lists = database.hold(lists.where(pairing(right)).select(*KEY, "units"))
        hot = whole.hot
        if hot is not None:
            hot = database.hold(hot.join(left, "unit", "left_semi"))
        before = now.facts["pruned_entries"]
        now = Sharing(lists, hot, {**whole.facts, **measured(lists, hot, right)})
        if (before - now.facts["pruned_entries"]) * WORTH < before:
            break
    return now


def sharing_enough(now: Sharing, shared: int) -> pa.Table:
    """The units that have at least so many chunks."""
    from pyspark.sql import functions as sql

    flat = flattened(now.lists)
    every = flat if now.hot is None else flat.unionByName(now.hot)
    counts = every.groupBy("unit").count()
    found: pa.Table = counts.where(sql.col("count") >= shared).select("unit").toArrow()
    return found


def flattened(lists: "DataFrame") -> "DataFrame":
    from pyspark.sql import functions as sql

    return lists.select(*KEY, sql.explode("units").alias("unit"))


def measured(lists: "DataFrame", hot: "DataFrame | None", right: int | None) -> dict[str, int]:
    """How much there is."""
    from pyspark.sql import functions as sql

    below = sql.lit(0)
    if right is not None:
        below = sql.size(sql.filter("units", lambda unit: unit < right))
    counts = lists.select(sql.size("units").cast("long").alias("pages"), below.alias("below"))
    if hot is not None:
        more = hot.groupBy(*KEY).agg(*side_counts(sql.col("unit"), right))
        counts = counts.unionByName(more.select("pages", "below"))
    [row] = counts.select(*sizes(pairing(right), right)).collect()
    return whole_numbers(row)


def sizes(kept: "Column", right: int | None) -> "list[Column]":
    """The chunks that are kept, their postings and the comparisons that they make, and the units of
    the one that stands in most."""
    from pyspark.sql import functions as sql

    def of(each: "Column") -> "Column":
        return sql.when(kept, each)

    pages = sql.col("pages")
    return [
        sql.count_if(kept).alias("pruned_chunks"),
        sql.sum(of(pages)).alias("pruned_entries"),
        sql.sum(of(comparisons(right))).alias("pruned_pairs"),
        sql.max(of(pages)).alias("longest"),
    ]


def whole_numbers(row: "Row") -> dict[str, int]:
    """Counts by their names; where there is nothing to add up there is none."""
    return {name: int(value or 0) for name, value in row.asDict().items()}


def shared_pairs(
    left: Sharing, search: OverlapSearch, units: int, room: int, right: int | None = None
) -> "tuple[DataFrame, Cells]":
    """The pairs that share enough: `left`, `right` and `shared`; and how they are parted."""
    cells = Cells.of(units, left.facts["pruned_pairs"], left.facts["pruned_entries"], right)
    asked = CellSearch(cells, search.shared, search.method, room)
    return counted(spread(left.lists, left.hot, cells), asked), cells
