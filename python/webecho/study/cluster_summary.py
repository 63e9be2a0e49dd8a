"""What Fetterly 2004, section 3 reports of clusters: how many, and the largest of them."""

from typing import Any

import pyarrow as pa

from webecho.group.clusters import Clusters
from webecho.group.columns import page_numbers
from webecho.run import Run
from webecho.study.shares import ratio
from webecho.workspace.workspace import Workspace

SUMMARY = """
SELECT
    count(*) AS pages,
    count(*) FILTER (WHERE size > 1) AS "pages in clusters",
    count(*) FILTER (WHERE size > 1 AND page = cluster) AS clusters
FROM clusters
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
    # The numbers as they are: 64 bits each, as tables have them, would be twice as much.
    numbers = {
        "page": page_numbers(len(clusters.names)),
        "cluster": clusters.names,
        "size": clusters.sizes,
    }
    with run.database() as database:
        database.add("clusters", pa.table(numbers))
        database.add("sketches", workspace.stored("sketches"))
        summary = database.row(SUMMARY)
        largest = database.table(LARGEST.format(most="ALL" if most is None else most))
    duplicates = summary["pages in clusters"] - summary["clusters"]
    summary["duplicates"] = duplicates
    summary["share of duplicates"] = ratio(duplicates, summary["pages"])
    if clusters.estimated is not None:
        summary["resemblance"] = f"estimated from features: {clusters.estimated}"
    return summary, largest
