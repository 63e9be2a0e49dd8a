"""Captures with their clusters: those of each snapshot by itself (Fetterly 2004, section 3).

A cluster is one of addresses here: its `size` is the number of its captures, and `first` is the
page of its *representative*, the first of them.
"""

from collections.abc import Sequence

import pyarrow as pa

from webecho.engine.protocol import Database
from webecho.group.columns import page_numbers
from webecho.study.captures import every

CLUSTERED = """
SELECT
    snapshot, captures_{number}.page AS page, address, host, markup, words,
    clusters.cluster AS cluster, size, "first"
FROM captures_{number}
JOIN clusters ON clusters.page = captures_{number}.page
JOIN (
    SELECT cluster, count(*) AS size, min(captures_{number}.page) AS "first"
    FROM captures_{number} JOIN clusters ON clusters.page = captures_{number}.page
    GROUP BY cluster
) AS sized ON sized.cluster = clusters.cluster
"""
SUMMARY = """
SELECT
    count(*) AS addresses,
    count(*) FILTER (WHERE size = 1) AS single,
    count(*) FILTER (WHERE size > 1) AS clustered,
    count(*) FILTER (WHERE size > 1 AND page = "first") AS clusters
FROM captures_{number}
"""
COUNTS = """
SELECT size, count(*) AS clusters FROM captures_{number} WHERE page = "first"
GROUP BY size ORDER BY size NULLS LAST
"""


def add_clusters(database: Database, clusters: Sequence[pa.Array]) -> None:
    """Gives captures the columns `cluster`, `size` and `first`; `clusters` has for each snapshot
    the cluster of every page."""
    for number, names in enumerate(clusters, 1):
        columns = {"page": page_numbers(len(names)), "cluster": names}
        wide = {name: column.cast(pa.int64()) for name, column in columns.items()}
        database.add("clusters", pa.table(wide))
        database.keep(f"captures_{number}", CLUSTERED.format(number=number))
    database.add("clusters", pa.table({"page": pa.array([], pa.int64())}))
    database.view("captures", every("captures", range(1, len(clusters) + 1)))


def size_counts(database: Database, number: int) -> dict[int, int]:
    """How many clusters of a snapshot have how many addresses."""
    rows = database.table(COUNTS.format(number=number)).to_pylist()
    return {row["size"]: row["clusters"] for row in rows}
