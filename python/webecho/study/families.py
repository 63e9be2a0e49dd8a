"""*Family*, of a whole collection: all documents that chains of parents, children and equivalents
that share as much hold together, over all pairs of snapshots; what is of one address counts as one
page. Its *root* is the
page of its oldest snapshot that has most children."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.engine.protocol import Database
from webecho.group.snapshots import Snapshot
from webecho.run import Run
from webecho.study.relations import Pair

_LINKS = """
SELECT links.text AS old, units.text AS new
FROM links_{p} AS links JOIN units_{p} AS units ON units.unit = links.unit
WHERE shared >= {least}
ORDER BY old NULLS LAST, new NULLS LAST
"""
_FAMILIES = """
WITH sizes AS (
    SELECT family, count(DISTINCT name) AS pages, count(DISTINCT site) AS sites,
        count(DISTINCT snapshot) AS snapshots
    FROM related GROUP BY family HAVING count(DISTINCT name) > 1
), roots AS (
    SELECT related.family, related.url, related.page, related.snapshot,
        row_number() OVER (
            PARTITION BY related.family
            ORDER BY related.snapshot NULLS LAST, coalesce(children, 0) DESC NULLS LAST,
                related.page NULLS LAST
        ) AS number
    FROM related LEFT JOIN (
        SELECT snapshot, page, sum(children) AS children FROM every_parent GROUP BY snapshot, page
    ) AS counted ON counted.snapshot = related.snapshot AND counted.page = related.page
)
SELECT pages, sites, snapshots, roots.snapshot AS oldest, roots.page AS root_page, url AS root
FROM sizes JOIN roots ON roots.family = sizes.family AND number = 1
ORDER BY pages DESC NULLS LAST, oldest NULLS LAST, root_page NULLS LAST LIMIT {rows}
"""
ROWS = pa.schema(
    {
        "rank": pa.int64(),
        "pages": pa.int64(),
        "sites": pa.int64(),
        "snapshots": pa.int64(),
        "oldest": pa.string(),
        "root": pa.string(),
        "root page": pa.int64(),
    }
)


def family_rows(
    database: Database,
    pairs: Sequence[Pair],
    snapshots: Sequence[Snapshot],
    rows: int,
    run: Run,
) -> list[dict[str, Any]]:
    """The largest families, those of most pages first."""
    firsts = [0]
    for each in snapshots:
        firsts.append(firsts[-1] + each.workspace.pages)
    forest = _core.Forest(firsts[-1], run.threads)

    def numbered(pages: pa.Array, snapshot: int) -> pa.Array:
        """Pages by numbers of their own in all snapshots."""
        shifted = pc.add(pages, firsts[snapshot])
        return shifted.combine_chunks() if isinstance(shifted, pa.ChunkedArray) else shifted

    for pair in pairs:
        links = database.table(pair.filled(_LINKS))
        forest.unite(numbered(links["old"], pair.old), numbered(links["new"], pair.new))
    clusters, _ = forest.clusters()
    documents = []
    for number in range(len(snapshots)):
        found = database.table(f"SELECT page, url, site, text FROM docs_{number}")
        at = numbered(found["text"], number)
        named = pc.coalesce(found["url"], pc.cast(numbered(found["page"], number), pa.string()))
        documents.append(
            pa.table(
                {
                    "snapshot": pa.repeat(pa.scalar(number, pa.int64()), len(found)),
                    "page": found["page"],
                    "url": found["url"],
                    "site": found["site"],
                    "name": named,
                    "family": clusters.take(at).cast(pa.int64()),
                }
            )
        )
    database.add("related", pa.concat_tables(documents))
    every = " UNION ALL ".join(
        f"SELECT {pair.old} AS snapshot, page, children FROM parents_{pair.label}" for pair in pairs
    )
    database.view("every_parent", every)
    found = database.table(_FAMILIES.format(rows=rows)).to_pylist()
    return [
        {
            "rank": rank,
            "pages": int(row["pages"]),
            "sites": int(row["sites"]),
            "snapshots": int(row["snapshots"]),
            "oldest": snapshots[row["oldest"]].name,
            "root": row["root"],
            "root page": row["root_page"],
        }
        for rank, row in enumerate(found, 1)
    ]
