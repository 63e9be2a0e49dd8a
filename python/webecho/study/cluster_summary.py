"""What Fetterly 2004, section 3 reports of clusters: how many, and the largest of them."""

from typing import Any

import pyarrow as pa

from webecho.engine.local.database import connect
from webecho.group.clusters import Clusters
from webecho.group.columns import page_numbers
from webecho.run import Run
from webecho.workspace.workspace import Workspace

SUMMARY = """
SELECT
    count(*) AS pages,
    count(*) FILTER (size > 1) AS "pages in clusters",
    count(*) FILTER (size > 1 AND page = cluster) AS clusters
FROM clusters
"""

# Machines are told apart by their IP; hosts of which none is known are counted beside them, as the
# paper's m (+ n) does.
LARGEST = """
WITH largest AS (
    SELECT cluster, size FROM clusters
    WHERE size > 1 AND page = cluster ORDER BY size DESC, cluster LIMIT {most}
)
SELECT
    CAST(any_value(largest.size) AS BIGINT) AS pages,
    count(DISTINCT url) AS urls,
    count(DISTINCT host) AS hosts,
    count(DISTINCT ip) AS machines,
    count(DISTINCT host) - count(DISTINCT host) FILTER (ip IS NOT NULL) AS "hosts without ip",
    any_value(title) FILTER (sketches.page = largest.cluster) AS title,
    coalesce(
        any_value(url) FILTER (sketches.page = largest.cluster),
        any_value(CAST(id AS VARCHAR)) FILTER (sketches.page = largest.cluster)
    ) AS representative,
    CAST(largest.cluster AS BIGINT) AS cluster
FROM largest JOIN clusters USING (cluster) JOIN sketches ON sketches.page = clusters.page
GROUP BY largest.cluster
ORDER BY pages DESC, largest.cluster
"""


def summarise(
    workspace: Workspace, clusters: Clusters, most: int | None = 20, *, run: Run
) -> tuple[dict[str, Any], pa.Table]:
    """The summary, and a table of the largest clusters, or of all."""
    names = ["page", "url", "id", "host", "ip", "title"]
    files = [str(file) for file in workspace.part_files("sketches")]
    with connect(run.threads, run.memory) as connection:
        # The numbers as they are: 64 bits each, as tables have them, would be twice as much.
        numbers = {
            "page": page_numbers(len(clusters.names)),
            "cluster": clusters.names,
            "size": clusters.sizes,
        }
        connection.register("clusters", pa.table(numbers))
        [(pages, clustered, count)] = connection.sql(SUMMARY).fetchall()
        duplicates = clustered - count
        summary = {
            "pages": pages,
            "pages in clusters": clustered,
            "clusters": count,
            "duplicates": duplicates,
            "share of duplicates": duplicates / pages if pages else 0.0,
        }
        if clusters.estimated is not None:
            summary["resemblance"] = f"estimated from features: {clusters.estimated}"
        sketches = connection.read_parquet(files).select(*names) if files else workspace.table()
        connection.register("sketches", sketches)
        largest: pa.Table = connection.sql(
            LARGEST.format(most="ALL" if most is None else most)
        ).to_arrow_table()
    return summary, largest
