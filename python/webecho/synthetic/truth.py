"""What is true of a made-up web, and how a result compares with it.

A *cluster* of the truth is a planted family, named by its lowest page: an original and all that was
made from it. An *identity set* (Henzinger 2006), named the same way, holds the pages with the same
text, whatever their markup and address.
"""

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from webecho.engine.local.engine import local_run
from webecho.workspace.stored import read_file

TRUTH = "truth.parquet"

_NAMED = ("page", "url", "host", "ip", "kind", "original")

_TRUTH = """
SELECT
    page, url, host, ip, kind, original,
    min(page) OVER (PARTITION BY {family}) AS cluster,
    min(page) OVER (PARTITION BY text) AS identity,
    {rest}
FROM made ORDER BY page NULLS LAST
"""

_DOCUMENTS = """
SELECT
    page, url, host, ip, kind, original,
    min(page) OVER family AS cluster,
    min(page) OVER (PARTITION BY paragraphs) AS identity,
    CASE WHEN NOT short THEN min(page) OVER family_variant END AS paragraph_cluster,
    {rest}
FROM made
WINDOW
    family AS (PARTITION BY coalesce(original, page)),
    family_variant AS (PARTITION BY coalesce(original, page), variant)
ORDER BY page NULLS LAST
"""

_KINDS = """
SELECT
    page.kind,
    count(*) AS pages,
    count(*) FILTER (WHERE page.identity = made_from.identity) AS "same text",
    min(page.resemblance) AS "lowest resemblance",
    avg(page.resemblance) AS "mean resemblance"
FROM truth AS page LEFT JOIN truth AS made_from ON made_from.page = page.original
GROUP BY page.kind ORDER BY pages DESC NULLS LAST, page.kind NULLS LAST
"""

_DOCUMENT_KINDS = """
SELECT
    page.kind,
    count(*) AS documents,
    count(*) FILTER (WHERE page.paragraph_cluster = made_from.paragraph_cluster)
        AS "same paragraphs",
    min(page.share) AS "lowest share",
    avg(page.share) AS "mean share"
FROM truth AS page LEFT JOIN truth AS made_from ON made_from.page = page.original
GROUP BY page.kind ORDER BY documents DESC NULLS LAST, page.kind NULLS LAST
"""

_CLUSTERS = """
WITH found AS (
    SELECT
        truth.*, clusters.cluster AS found,
        truth.resemblance >= CAST('{least}' AS DOUBLE) AS near
    FROM truth JOIN clusters USING (page)
)
SELECT
    count(*) FILTER (WHERE page.page <> page.identity),
    count(*) FILTER (WHERE page.page <> page.identity AND page.found = same.found),
    count(*) FILTER (WHERE page.page <> page.found AND page.identity <> named.identity),
    count(*) FILTER (WHERE page.near),
    count(*) FILTER (WHERE page.near AND page.found = made_from.found),
    count(*) FILTER (WHERE page.page <> page.found AND page.cluster <> named.cluster)
FROM found AS page
JOIN found AS same ON same.page = page.identity
JOIN found AS named ON named.page = page.found
LEFT JOIN found AS made_from ON made_from.page = page.original
"""

_KEPT = """
WITH gone AS (
    SELECT truth.*, page IN (SELECT page FROM removed) AS gone FROM truth
), texts AS (
    SELECT count(*) AS pages, count(*) FILTER (WHERE gone) AS gone FROM gone GROUP BY identity
), families AS (
    SELECT count(*) AS pages, count(*) FILTER (WHERE gone) AS gone FROM gone GROUP BY cluster
)
SELECT
    (SELECT CAST(sum(pages - 1) AS BIGINT) FROM texts),
    (SELECT CAST(sum(least(gone, pages - 1)) AS BIGINT) FROM texts),
    (SELECT count(*) FROM texts WHERE gone = pages),
    (SELECT count(*) FROM families WHERE gone = pages)
"""


@dataclass(frozen=True)
class Found:
    """How far clusters agree with the truth."""

    exact_planted: int  # pages less identity sets
    exact_found: int  # of these, how many are in one cluster with the lowest page of their set
    exact_wrong: (
        int  # pages in the cluster of a page with another text: 0 is right for the rule exact
    )
    pairs_planted: int  # copies whose resemblance to their original is at least what was asked for
    pairs_found: int  # of these, how many are in one cluster with their original
    strangers: int  # pages in the cluster of a page of another family


@dataclass(frozen=True)
class Removed:
    """What removing pages took away of the truth."""

    exact_planted: int  # pages less identity sets: so many can go and no text is lost
    exact_removed: int  # how many of these are gone
    lost_texts: int  # identity sets of which no page is left: 0 where only exact copies should go
    lost_families: int  # families of which no page is left


def read_truth(folder: str | Path) -> pa.Table:
    """The truth of the made-up web in a folder, a row a page."""
    return read_file(Path(folder) / TRUTH, "make the web up again")


def truth_of(made: pa.Table, graph: bool = False) -> pa.Table:
    """What is true of all pages, from what was known of each when it was made."""
    query, used = (_DOCUMENTS, "variant") if graph else (_TRUTH, "text")
    rest = [name for name in made.column_names if name not in {*_NAMED, used}]
    # Over snapshots a family outlives its original.
    family = "family" if "family" in made.column_names else "coalesce(original, page)"
    return ask(query.format(rest=", ".join(rest), family=family), made=made)


def kinds(truth: pa.Table) -> pa.Table:
    """How many pages there are of each kind, and how they resemble their originals: by shingles,
    or in a web of documents by paragraphs."""
    documents = "paragraph_cluster" in truth.column_names
    return ask(_DOCUMENT_KINDS if documents else _KINDS, truth=truth)


def compare_clusters(truth: pa.Table, clusters: pa.Table, resemblance: float = 0.8) -> Found:
    """How far `clusters`, with the columns `page` and `cluster`, agree with the truth.

    Pairs of a copy and its original count from a true resemblance on.
    """
    query = _CLUSTERS.format(least=float(resemblance))
    found = ask(query, truth=truth, clusters=clusters.select(["page", "cluster"]))
    return Found(*(column[0].as_py() for column in found.columns))


def compare_removed(truth: pa.Table, removed: pa.Array) -> Removed:
    """What is gone if the pages with these numbers are removed."""
    found = ask(_KEPT, truth=truth, removed=pa.table({"page": removed}))
    return Removed(*(column[0].as_py() for column in found.columns))


def ask(query: str, **tables: pa.Table) -> pa.Table:
    """The rows of a query over these tables; by one thread, so that means are always the same."""
    with local_run().database() as database:
        for name, table in tables.items():
            database.add(name, table)
        return database.table(query)
