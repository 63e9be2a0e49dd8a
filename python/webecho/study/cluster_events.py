"""*Events*: what becomes of clusters of two and more addresses from one snapshot to the next.

A *part* is what two clusters, one of each snapshot, have in common if that is at least two
addresses: fewer are pages that move, not a cluster that goes on. So a cluster

| event | of the snapshot | |
| --- | --- | --- |
| birth | later | has no part |
| death | earlier | has no part |
| split | earlier | has several parts |
| merge | later | has several parts |
| growth, shrinking, no change of size | both | has one part, with a cluster that has no other |

One that splits can merge with others in the same step, and is told of for both.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa

from webecho.engine.protocol import Database
from webecho.study.shares import ratio
from webecho.study.size_classes import CLASS_NAMES, size_class

PARTS = """
SELECT one.cluster AS one, other.cluster AS other, count(*) AS shared
FROM captures_{before} AS one JOIN captures_{after} AS other ON other.address = one.address
WHERE one.size > 1 AND other.size > 1
GROUP BY one.cluster, other.cluster HAVING count(*) > 1
"""
# Clusters of one snapshot with the number of their parts, and the cluster of one of them.
SIDE = """
SELECT
    clusters.cluster AS cluster, size, "first", coalesce(parts, 0) AS parts, met,
    coalesce(shared, 0) AS shared
FROM (
    SELECT cluster, size, "first" FROM captures_{number} WHERE size > 1 AND page = "first"
) AS clusters
LEFT JOIN (
    SELECT {own}, count(*) AS parts, min({other}) AS met, CAST(sum(shared) AS BIGINT) AS shared
    FROM parts GROUP BY {own}
) AS meeting ON meeting.{own} = clusters.cluster
"""
# An event, its pages before and after, and those in common; by the first pages of the clusters.
EVENTS = """
SELECT 'birth' AS event, CAST(NULL AS BIGINT) AS earlier, "first" AS later,
    CAST(0 AS BIGINT) AS pages_before, size AS pages_after, shared, parts
FROM later WHERE parts = 0
UNION ALL
SELECT 'death', "first", NULL, size, 0, shared, parts FROM earlier WHERE parts = 0
UNION ALL
SELECT 'split', "first", NULL, size, shared, shared, parts FROM earlier WHERE parts > 1
UNION ALL
SELECT 'merge', NULL, "first", shared, size, shared, parts FROM later WHERE parts > 1
UNION ALL
SELECT
    CASE
        WHEN later.size > earlier.size THEN 'growth'
        WHEN later.size < earlier.size THEN 'shrinking'
        ELSE 'same size'
    END,
    earlier."first", later."first", earlier.size, later.size, earlier.shared, 1
FROM earlier JOIN later ON later.cluster = earlier.met
WHERE earlier.parts = 1 AND later.parts = 1
"""
KINDS = ("birth", "death", "growth", "shrinking", "same size", "split", "merge")
# The kinds that are told of by the pages of the earlier snapshot, and where these are in the later
# one; others are told of by those of the later, and where they were.
BY_EARLIER = ("death", "shrinking", "split")
COUNTED = """
SELECT
    event, count(*) AS clusters,
    CAST(sum(pages_before) AS BIGINT) AS before,
    CAST(sum(pages_after) AS BIGINT) AS after,
    CAST(sum(shared) AS BIGINT) AS shared
FROM events GROUP BY event
"""
# Those of most pages; of growth and shrinking those by most pages.
WEIGHT = """
CASE
    WHEN event IN ('growth', 'shrinking') THEN abs(pages_after - pages_before)
    WHEN event IN ('death', 'split') THEN pages_before
    ELSE pages_after
END
"""
LARGEST = """
SELECT event, earlier, later, pages_before, pages_after, shared, parts FROM (
    SELECT *, row_number() OVER (
        PARTITION BY event
        ORDER BY {weight} DESC NULLS LAST, coalesce(earlier, later) NULLS LAST
    ) AS place FROM events WHERE event <> 'same size'
) AS ranked
WHERE place <= {rows} ORDER BY event NULLS LAST, place NULLS LAST
"""
# The pages of the chosen events' clusters, and the first pages of the clusters that they come from
# or go to: none where the address is not there.
PAGES = """
SELECT event, cluster, page, there, other_first, other_size FROM (
    SELECT
        chosen.event AS event, chosen.cluster AS cluster, own.page AS page,
        other.page IS NOT NULL AS there, other."first" AS other_first, other.size AS other_size,
        row_number() OVER (
            PARTITION BY chosen.event, chosen.cluster ORDER BY own.page NULLS LAST
        ) AS place
    FROM chosen
    JOIN captures_{own} AS own ON own."first" = chosen.cluster
    LEFT JOIN captures_{other} AS other ON other.address = own.address
) AS placed
WHERE place <= {most}
ORDER BY event NULLS LAST, cluster NULLS LAST, page NULLS LAST
"""
# Pages that are in a cluster that goes on, and were not in it: by the size that it had.
ARRIVALS = f"""
SELECT
    class, count(*) AS clusters, CAST(sum(pages) AS BIGINT) AS pages,
    CAST(sum(fresh) AS BIGINT) AS fresh, CAST(sum(single) AS BIGINT) AS single,
    CAST(sum(elsewhere) AS BIGINT) AS elsewhere
FROM (
    SELECT
        later.cluster AS cluster, {size_class("earlier.size")} AS class, earlier.size AS pages,
        count(*) FILTER (WHERE was.page IS NULL) AS fresh,
        count(*) FILTER (WHERE was.size = 1) AS single,
        count(*) FILTER (WHERE was.size > 1 AND was.cluster <> earlier.cluster) AS elsewhere
    FROM earlier JOIN later ON later.cluster = earlier.met
    JOIN captures_{{after}} AS here ON here.cluster = later.cluster
    LEFT JOIN captures_{{before}} AS was ON was.address = here.address
    WHERE earlier.parts = 1 AND later.parts = 1
    GROUP BY later.cluster, earlier.size
) AS going_on
GROUP BY class ORDER BY class NULLS LAST
"""
STEP = {"from": pa.int64(), "to": pa.int64()}
SUMMARY = pa.schema(
    {
        **STEP,
        "event": pa.string(),
        "clusters": pa.int64(),
        "share of clusters": pa.float64(),
        "addresses before": pa.int64(),
        "addresses after": pa.int64(),
        "addresses in common": pa.int64(),
    }
)
ARRIVED = pa.schema(
    {
        **STEP,
        "cluster size before": pa.string(),
        "clusters": pa.int64(),
        "addresses before": pa.int64(),
        "new addresses": pa.int64(),
        "were single": pa.int64(),
        "were in other clusters": pa.int64(),
        "share that arrived": pa.float64(),
    }
)
# So many pages of an event are listed.
PAGES_OF_AN_EVENT = 100


@dataclass(frozen=True)
class Step:
    """What happened from a snapshot to the next: counts, arrivals, and the largest events with
    their pages, by page numbers."""

    number: int
    counts: pa.Table
    arrivals: pa.Table
    largest: pa.Table
    # For the events by the earlier snapshot, and by the later one.
    pages: tuple[pa.Table, pa.Table]


def steps(database: Database, snapshots: int, rows: int) -> Iterator[Step]:
    """What happened from each snapshot to the next; of each kind of event so many are listed."""
    for number in range(1, snapshots):
        yield step(database, number, rows)


def step(database: Database, number: int, rows: int) -> Step:
    """What happened from this snapshot to the next."""
    database.keep("parts", PARTS.format(before=number, after=number + 1))
    database.keep("earlier", SIDE.format(number=number, own="one", other="other"))
    database.keep("later", SIDE.format(number=number + 1, own="other", other="one"))
    database.keep("events", EVENTS)
    largest = database.table(LARGEST.format(rows=rows, weight=WEIGHT))
    pages = []
    for own, other, name in ((number, number + 1, "earlier"), (number + 1, number, "later")):
        database.add("chosen", chosen(largest, name))
        query = PAGES.format(own=own, other=other, most=PAGES_OF_AN_EVENT)
        pages.append(database.table(query))
    return Step(
        number,
        counted(database, number),
        arrivals(database, number),
        largest,
        (pages[0], pages[1]),
    )


def chosen(largest: pa.Table, side: str) -> pa.Table:
    """The clusters, by their first pages, whose pages are listed."""
    rows = [
        {"event": row["event"], "cluster": row[side]}
        for row in largest.to_pylist()
        if (row["event"] in BY_EARLIER) == (side == "earlier")
    ]
    return pa.Table.from_pylist(rows, pa.schema({"event": pa.string(), "cluster": pa.int64()}))


def counted(database: Database, number: int) -> pa.Table:
    """How many clusters each event concerns."""
    found = {row["event"]: row for row in database.table(COUNTED).to_pylist()}
    sides = {
        side: database.row(f"SELECT count(*) AS clusters FROM {side}")["clusters"]
        for side in ("earlier", "later")
    }
    rows = []
    for event in KINDS:
        row = found.get(event, {"clusters": 0, "before": 0, "after": 0, "shared": 0})
        of = sides["later"] if event in ("birth", "merge") else sides["earlier"]
        rows.append(
            {
                "from": number,
                "to": number + 1,
                "event": event,
                "clusters": row["clusters"],
                "share of clusters": ratio(row["clusters"], of),
                "addresses before": row["before"],
                "addresses after": row["after"],
                "addresses in common": row["shared"],
            }
        )
    return pa.Table.from_pylist(rows, SUMMARY)


def arrivals(database: Database, number: int) -> pa.Table:
    """Which pages came to clusters that go on, by the size that these had."""
    found = database.table(ARRIVALS.format(before=number, after=number + 1)).to_pylist()
    rows = [
        {
            "from": number,
            "to": number + 1,
            "cluster size before": CLASS_NAMES[row["class"]],
            "clusters": row["clusters"],
            "addresses before": row["pages"],
            "new addresses": row["fresh"],
            "were single": row["single"],
            "were in other clusters": row["elsewhere"],
            "share that arrived": ratio(
                row["fresh"] + row["single"] + row["elsewhere"], row["pages"]
            ),
        }
        for row in found
    ]
    return pa.Table.from_pylist(rows, ARRIVED)


def joined(tables: Sequence[pa.Table], schema: pa.Schema) -> pa.Table:
    """All rows, also of no tables."""
    return pa.concat_tables([schema.empty_table(), *(each.cast(schema) for each in tables)])
