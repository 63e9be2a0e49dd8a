"""Which sites are copied most, and by whom: children whose parents are on another site.

A text that stands on very many sites would be a pair of each two of them; of its sites only the
first are counted, by their first pages, and how many are left out is told.
"""

from typing import Any

import pyarrow as pa

from webecho.engine.protocol import Database
from webecho.study.relations import Pair

# So many sites of a text.
SITES = 100

_SITES_OF_TEXTS = """
SELECT text, site,
    row_number() OVER (PARTITION BY text ORDER BY first NULLS LAST) AS number
FROM (
    SELECT text, site, min(page) AS first FROM old_{i} WHERE site IS NOT NULL GROUP BY text, site
) AS places
"""
_PAIRS = """
WITH sources AS (
    SELECT DISTINCT links.unit, places.site
    FROM links_{p} AS links JOIN text_sites AS places ON places.text = links.text
    WHERE shared >= {least} AND number <= {sites}
), copiers AS (
    SELECT unit, site, count(*) AS docs, sum(fresh) AS fresh
    FROM new_{p} WHERE site IS NOT NULL GROUP BY unit, site
)
SELECT sources.site AS copied, copiers.site AS copier,
    sum(copiers.docs) AS children, sum(copiers.fresh) AS fresh
FROM sources JOIN copiers ON copiers.unit = sources.unit
WHERE sources.site <> copiers.site
GROUP BY sources.site, copiers.site
"""
# By one side, with the other of most children.
_RANKED = """
WITH sides AS (
    SELECT {side} AS site, {other} AS other, children, fresh,
        row_number() OVER (
            PARTITION BY {side} ORDER BY children DESC NULLS LAST, {other} NULLS LAST
        ) AS number
    FROM site_pairs
)
SELECT site, count(*) AS others, sum(children) AS children, sum(fresh) AS fresh,
    max(CASE WHEN number = 1 THEN other END) AS most,
    max(CASE WHEN number = 1 THEN children END) AS most_children
FROM sides GROUP BY site
ORDER BY children DESC NULLS LAST, site NULLS LAST LIMIT {rows}
"""
ROWS = pa.schema(
    {
        "old": pa.string(),
        "new": pa.string(),
        "rank": pa.int64(),
        "site": pa.string(),
        "other sites": pa.int64(),
        "children": pa.int64(),
        "at new addresses": pa.int64(),
        "most with": pa.string(),
        "children with it": pa.int64(),
    }
)


def site_rows(
    database: Database, pair: Pair, names: list[str], rows: int
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], int]:
    """The sites that are copied most by others, those that copy most, and how many places of texts
    are left out. A child counts once for each site on which it has a parent."""
    database.keep("text_sites", pair.filled(_SITES_OF_TEXTS))
    query = _PAIRS.format(i=pair.old, p=pair.label, least=pair.least, sites=SITES)
    database.keep("site_pairs", query)

    def ranked(side: str, other: str) -> list[dict[str, Any]]:
        found = database.table(_RANKED.format(side=side, other=other, rows=rows))
        return [
            {
                "old": names[pair.old],
                "new": names[pair.new],
                "rank": rank,
                "site": row["site"],
                "other sites": int(row["others"]),
                "children": int(row["children"]),
                "at new addresses": int(row["fresh"]),
                "most with": row["most"],
                "children with it": int(row["most_children"]),
            }
            for rank, row in enumerate(found.to_pylist(), 1)
        ]

    left_out = database.row(f"SELECT count(*) AS n FROM text_sites WHERE number > {SITES}")
    return ranked("copied", "copier"), ranked("copier", "copied"), int(left_out["n"])
