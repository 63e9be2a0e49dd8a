"""What Fetterly 2004, section 3 reports of clusters: how many, and the largest of them."""

from typing import Any

import pyarrow as pa

from webecho.engine.protocol import Database
from webecho.group.clusters import Clusters
from webecho.group.columns import page_numbers
from webecho.run import Run
from webecho.study.cluster_sizes import Sizes
from webecho.study.shares import ratio
from webecho.workspace.workspace import Workspace

SUMMARY = """
SELECT
    count(*) AS pages,
    count(*) FILTER (WHERE size > 1) AS "pages in clusters",
    count(*) FILTER (WHERE size > 1 AND page = cluster) AS clusters
FROM clusters
"""
SIZES = """
SELECT CAST(size AS BIGINT) AS size, count(*) AS clusters FROM clusters
WHERE size > 1 AND page = cluster GROUP BY size ORDER BY size NULLS LAST
"""

# Machines are told apart by their IP; hosts of which none is known are counted beside them, as the
# paper's m (+ n) does. The page that names a cluster stands for it.
LARGEST = """
WITH largest AS (
    SELECT cluster, size FROM clusters
    WHERE size > 1 AND page = cluster
    ORDER BY size DESC NULLS LAST, cluster NULLS LAST LIMIT {most}
)
SELECT
    CAST(largest.size AS BIGINT) AS pages,
    count(DISTINCT url) AS urls,
    count(DISTINCT host) AS hosts,
    count(DISTINCT ip) AS machines,
    count(DISTINCT host) - count(DISTINCT host) FILTER (WHERE ip IS NOT NULL) AS "hosts without ip",
    max(title) FILTER (WHERE sketches.page = largest.cluster) AS title,
    coalesce(
        max(url) FILTER (WHERE sketches.page = largest.cluster),
        max(CAST(id AS STRING)) FILTER (WHERE sketches.page = largest.cluster)
    ) AS representative,
    CAST(largest.cluster AS BIGINT) AS cluster
FROM largest
JOIN clusters ON clusters.cluster = largest.cluster
JOIN sketches ON sketches.page = clusters.page
GROUP BY largest.cluster, largest.size
ORDER BY largest.size DESC NULLS LAST, largest.cluster NULLS LAST
"""


def summarise(
    workspace: Workspace, clusters: Clusters, most: int | None = 20, *, run: Run
) -> tuple[dict[str, Any], pa.Table]:
    """The summary, and a table of the largest clusters, or of all."""
    with run.database() as database:
        add_clusters(database, workspace, clusters)
        summary, largest = cluster_counts(database), largest_clusters(database, most)
    if clusters.estimated is not None:
        summary["resemblance"] = f"estimated from features: {clusters.estimated}"
    return summary, largest


def add_clusters(database: Database, workspace: Workspace, clusters: Clusters) -> None:
    """Gives the database `clusters` and `sketches`, of which the rest of this file asks."""
    # The numbers as they are: 64 bits each, as tables have them, would be twice as much.
    numbers = {
        "page": page_numbers(len(clusters.names)),
        "cluster": clusters.names,
        "size": clusters.sizes,
    }
    database.add("clusters", pa.table(numbers))
    database.add("sketches", workspace.stored("sketches"))


def cluster_counts(database: Database) -> dict[str, Any]:
    """Pages, those in clusters, clusters, and duplicates with their share."""
    counts = database.row(SUMMARY)
    duplicates = counts["pages in clusters"] - counts["clusters"]
    counts["duplicates"] = duplicates
    counts["share of duplicates"] = ratio(duplicates, counts["pages"])
    return counts


def clusters_by_size(database: Database) -> Sizes:
    """How many clusters of two and more have which size."""
    rows = database.table(SIZES).to_pylist()
    return Sizes({row["size"]: row["clusters"] for row in rows})


def largest_clusters(database: Database, most: int | None) -> pa.Table:
    """So many of the largest clusters, or all of them."""
    return database.table(LARGEST.format(most="ALL" if most is None else most))
