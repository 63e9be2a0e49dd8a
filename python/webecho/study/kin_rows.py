"""The genealogy itself: a row for each child and parent, with what they share.

A child may have very many parents, duplicates of one another; so many are listed, those that share
most, then the lowest pages, and how many it has is told with each."""

import pyarrow as pa

from webecho.engine.protocol import Database
from webecho.study.relations import Pair

_LISTED = """
WITH members AS (
    SELECT text, page, url, site,
        row_number() OVER (PARTITION BY text ORDER BY page NULLS LAST) AS number
    FROM old_{i}
), ranked AS (
    SELECT links.unit, shared, links.chars, members.page, members.url, members.site,
        row_number() OVER (
            PARTITION BY links.unit ORDER BY shared DESC NULLS LAST, members.page NULLS LAST
        ) AS number
    FROM links_{p} AS links
    JOIN members ON members.text = links.text AND members.number <= {listed} + 1
    WHERE shared >= {least}
), pairs AS (
    SELECT children.page AS child, ranked.page AS parent,
        children.url AS child_url, ranked.url AS parent_url,
        children.site AS child_site, ranked.site AS parent_site,
        shared, ranked.chars, children.chars AS all_chars, fresh, parents,
        row_number() OVER (
            PARTITION BY children.page ORDER BY shared DESC NULLS LAST, ranked.page NULLS LAST
        ) AS number
    FROM children_{p} AS children
    JOIN ranked ON ranked.unit = children.unit AND ranked.number <= {listed} + 1
    WHERE own IS NULL OR own <> ranked.page
)
SELECT child, parent, child_url, parent_url, shared AS shared_paragraphs, chars AS shared_chars,
    CASE WHEN all_chars > 0 THEN CAST(chars AS DOUBLE) / all_chars ELSE 0.0 END AS share,
    CASE WHEN child_site = parent_site THEN TRUE ELSE FALSE END AS same_site,
    CASE WHEN fresh = 1 THEN TRUE ELSE FALSE END AS new_address,
    CAST(parents AS BIGINT) AS parents
FROM pairs WHERE number <= {listed}
ORDER BY child NULLS LAST, parent NULLS LAST
"""
ROWS = pa.schema(
    {
        "old": pa.string(),
        "new": pa.string(),
        "child": pa.int64(),
        "parent": pa.int64(),
        "child_url": pa.string(),
        "parent_url": pa.string(),
        "shared_paragraphs": pa.int64(),
        "shared_chars": pa.int64(),
        "share": pa.float64(),
        "same_site": pa.bool_(),
        "new_address": pa.bool_(),
        "parents": pa.int64(),
    }
)


def kin_rows(database: Database, pair: Pair, names: list[str], listed: int) -> pa.Table:
    """The children of a pair of snapshots with up to so many parents each, sorted by child and
    parent; `share` is that of the child's text."""
    query = _LISTED.format(i=pair.old, p=pair.label, least=pair.least, listed=listed)
    rows = database.table(query)
    both = {"old": names[pair.old], "new": names[pair.new]}
    columns = [pa.repeat(pa.scalar(name), len(rows)) for name in both.values()]
    named = pa.table(columns, list(both))
    for name in rows.column_names:
        named = named.append_column(name, rows[name])
    return named.cast(ROWS)
