"""In how many distinct clusters each host is, in the first and in the last snapshot (Fetterly 2004,
Figure 6), single pages included.

The paper downloaded the same addresses each week; so hosts are compared by the addresses of the
first snapshot, what could not be downloaded in the last being one cluster or left out, and beside
that by all their pages.
"""

import pyarrow as pa

from webecho.engine.protocol import Database
from webecho.study.cluster_coefficients import Missing
from webecho.study.shares import ratio

SAME_ADDRESSES = """
SELECT
    one.host AS host, count(DISTINCT one.cluster) AS before,
    count(DISTINCT coalesce(other.cluster, -1)) AS after
FROM captures_1 AS one {join} captures_{number} AS other ON other.address = one.address
WHERE one.host IS NOT NULL GROUP BY one.host
"""
ALL_PAGES = """
SELECT one.host AS host, before, after
FROM (
    SELECT host, count(DISTINCT cluster) AS before FROM captures_1
    WHERE host IS NOT NULL GROUP BY host
) AS one
JOIN (
    SELECT host, count(DISTINCT cluster) AS after FROM captures_{number}
    WHERE host IS NOT NULL GROUP BY host
) AS other ON other.host = one.host
"""
CHANGES = """
SELECT after - before AS change, count(*) AS hosts FROM ({hosts}) AS counted
GROUP BY after - before ORDER BY change NULLS LAST
"""
OF_FIRST, OF_ALL = "addresses of the first snapshot", "all addresses"
CHANGE = pa.schema({"of": pa.string(), "change": pa.int64(), "hosts": pa.int64()})
UNCHANGED = pa.schema(
    {
        "of": pa.string(),
        "hosts": pa.int64(),
        "in as many clusters": pa.int64(),
        "share of hosts unchanged": pa.float64(),
        "in fewer": pa.int64(),
        "in more": pa.int64(),
    }
)


def host_changes(database: Database, number: int, missing: Missing) -> pa.Table:
    """How many hosts are in how many more clusters in the last snapshot, or fewer, than in the
    first."""
    join = "LEFT JOIN" if missing == "cluster" else "JOIN"
    rows = []
    for of, query in (
        (OF_FIRST, SAME_ADDRESSES.format(join=join, number=number)),
        (OF_ALL, ALL_PAGES.format(number=number)),
    ):
        found = database.table(CHANGES.format(hosts=query)).to_pylist()
        rows += [{"of": of} | row for row in found]
    return pa.Table.from_pylist(rows, CHANGE)


def unchanged_hosts(changes: pa.Table) -> pa.Table:
    """How many hosts are in as many clusters as before."""
    rows = []
    for of in (OF_FIRST, OF_ALL):
        own = {row["change"]: row["hosts"] for row in changes.to_pylist() if row["of"] == of}
        hosts = sum(own.values())
        rows.append(
            {
                "of": of,
                "hosts": hosts,
                "in as many clusters": own.get(0, 0),
                "share of hosts unchanged": ratio(own.get(0, 0), hosts),
                "in fewer": sum(count for change, count in own.items() if change < 0),
                "in more": sum(count for change, count in own.items() if change > 0),
            }
        )
    return pa.Table.from_pylist(rows, UNCHANGED)
