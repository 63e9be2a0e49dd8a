"""What Pereira 2006 would report of a made-up web of documents, from the truth alone.

Short documents are left out, as the paper does with those of at most 450 characters. Reached are
the pages of the core and of out: all that links lead to from a page of the core.
"""

from collections.abc import Callable

import pyarrow as pa

from webecho.synthetic.truth import ask
from webecho.synthetic.web import REACHED

# Documents of a part: their number, clusters (of two or more), and duplicates.
_COUNTS = """
SELECT
    CAST(coalesce(sum(size), 0) AS BIGINT) AS documents,
    count(*) FILTER (WHERE size > 1) AS clusters,
    CAST(coalesce(sum(size - 1), 0) AS BIGINT) AS duplicates,
    coalesce(sum(size - 1) / sum(size), 0) AS share
FROM (SELECT count(*) AS size FROM documents WHERE {where} GROUP BY {cluster})
"""
_DOCUMENTS = f"""
SELECT *, component IN {REACHED} AS reached FROM truth WHERE NOT short
"""
# A document has more in common with the original than with any other variant.
_NEAR = """
CASE WHEN original IS NULL OR common * 100 >= {percent} * len(paragraphs) THEN cluster
ELSE -1 - paragraph_cluster END
"""
_CLUSTERS = """
SELECT
    count(*) AS clusters,
    count(*) FILTER (WHERE reached) AS "in the reachable part",
    count(*) FILTER (WHERE reached) / count(*) AS share
FROM (
    SELECT bool_or(reached) AS reached FROM documents GROUP BY paragraph_cluster
    HAVING count(*) {sizes}
)
"""


def planted_tables(truth: pa.Table) -> dict[str, pa.Table]:
    """Tables 2 to 6 of the paper by their numbers, each with this web's numbers."""
    return {
        "2": counts(truth, "true", "paragraph_cluster"),
        "3": _labelled("least", ("90 %", "70 %", "50 %"), near, truth),
        "4": _labelled("part", ("complete", "reachable", "unreachable"), part, truth),
        "5": of_documents(truth, _CLUSTERS.format(sizes="> 1")),
        "6": of_documents(truth, _CLUSTERS.format(sizes="= 1")).rename_columns(
            ["unique", "in the reachable part", "share"]
        ),
    }


def near(truth: pa.Table, least: str) -> pa.Table:
    """Near-duplicates: documents that share so much with another one, and the clusters that they
    are joined to."""
    return counts(truth, "true", _NEAR.format(percent=int(least.split()[0])))


def part(truth: pa.Table, name: str) -> pa.Table:
    """Duplicates of a part of the collection that is clustered by itself."""
    where = {"complete": "true", "reachable": "reached", "unreachable": "NOT reached"}[name]
    return counts(truth, where, "paragraph_cluster")


def counts(truth: pa.Table, where: str, cluster: str) -> pa.Table:
    return of_documents(truth, _COUNTS.format(where=where, cluster=cluster))


def of_documents(truth: pa.Table, query: str) -> pa.Table:
    return ask(f"WITH documents AS ({_DOCUMENTS}) {query}", truth=truth)


def _labelled(
    column: str, names: tuple[str, ...], count: Callable[[pa.Table, str], pa.Table], truth: pa.Table
) -> pa.Table:
    """A row for each name."""
    rows = pa.concat_tables([count(truth, name) for name in names])
    return rows.add_column(0, column, pa.array(names))
