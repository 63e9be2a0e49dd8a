"""Whether pages that are copies are copied more, as Baeza-Yates 2007 concludes: of the documents of
a snapshot that have a parent in the one before, and of those that have none, how many have a child
in the one after.

The interval is of a bootstrap over clusters of duplicates: these have the same parents and children
and are no witnesses of their own. Clusters are drawn, with all their documents, as often as there
are any.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from webecho.engine.protocol import Database
from webecho.study.relations import Pair
from webecho.study.shares import ratio

REPETITIONS = 1000
LOW, HIGH = 2.5, 97.5

# Documents that were looked up in the older snapshot, and among which newer ones were: what they
# are there and what became of them here; as many clusters as are alike in this are one row.
_CLUSTERS = """
WITH documents AS (
    SELECT old.cluster,
        CASE WHEN {is_copy} THEN 1 ELSE 0 END AS copy,
        CASE WHEN {is_copied} THEN 1 ELSE 0 END AS copied
    FROM parents_{after} AS parents
    JOIN old_{number} AS old ON old.page = parents.page
    JOIN children_{before} AS children ON children.page = parents.page
), clusters AS (
    SELECT cluster,
        count(*) FILTER (WHERE copy = 1) AS copies,
        count(*) FILTER (WHERE copy = 1 AND copied = 1) AS copied_copies,
        count(*) FILTER (WHERE copy = 0) AS others,
        count(*) FILTER (WHERE copy = 0 AND copied = 1) AS copied_others
    FROM documents GROUP BY cluster
)
SELECT copies, copied_copies, others, copied_others, count(*) AS clusters
FROM clusters GROUP BY copies, copied_copies, others, copied_others
ORDER BY copies NULLS LAST, copied_copies NULLS LAST, others NULLS LAST, copied_others NULLS LAST
"""
# What counts: all kin, or only where it is sure who was there first.
KINDS = {
    "all": ("children.parents > 0", "parents.children > 0"),
    "new addresses": ("children.parents > 0 AND children.fresh = 1", "parents.fresh > 0"),
}
ROWS = pa.schema(
    {
        "snapshot": pa.string(),
        "before": pa.string(),
        "after": pa.string(),
        "children": pa.string(),
        "documents with a parent": pa.int64(),
        "of these with a child": pa.int64(),
        "rate with a parent": pa.float64(),
        "documents without a parent": pa.int64(),
        "of those with a child": pa.int64(),
        "rate without a parent": pa.float64(),
        "ratio": pa.float64(),
        "ratio, low": pa.float64(),
        "ratio, high": pa.float64(),
        "clusters": pa.int64(),
    }
)


def copy_rows(
    database: Database, before: Pair, after: Pair, names: Sequence[str], seed: int
) -> list[dict[str, Any]]:
    """The rates of the snapshot between two others, for each kind of children."""
    rows = []
    for kind, (is_copy, is_copied) in KINDS.items():
        found = database.table(
            _CLUSTERS.format(
                number=before.new,
                before=before.label,
                after=after.label,
                is_copy=is_copy,
                is_copied=is_copied,
            )
        )
        columns = ("copies", "copied_copies", "others", "copied_others")
        kinds = np.array([found[name].to_pylist() for name in columns], np.int64).T.reshape(-1, 4)
        clusters = np.array(found["clusters"].to_pylist(), np.int64)
        totals = [int(each) for each in clusters @ kinds] if len(kinds) else [0, 0, 0, 0]
        low, high = interval(kinds, clusters, seed)
        rows.append(
            {
                "snapshot": names[before.new],
                "before": names[before.old],
                "after": names[after.new],
                "children": kind,
                "documents with a parent": totals[0],
                "of these with a child": totals[1],
                "rate with a parent": ratio(totals[1], totals[0]),
                "documents without a parent": totals[2],
                "of those with a child": totals[3],
                "rate without a parent": ratio(totals[3], totals[2]),
                "ratio": rate_ratio(totals),
                "ratio, low": low,
                "ratio, high": high,
                "clusters": int(clusters.sum()),
            }
        )
    return rows


def rate_ratio(totals: Sequence[float]) -> float | None:
    """By which factor copies are copied more than others; None if that cannot be told."""
    copies, copied_copies, others, copied_others = totals
    if not copies or not copied_others:
        return None
    return (copied_copies / copies) / (copied_others / others)


def interval(
    kinds: "np.ndarray[Any, np.dtype[np.int64]]",
    clusters: "np.ndarray[Any, np.dtype[np.int64]]",
    seed: int,
    repetitions: int = REPETITIONS,
) -> tuple[float | None, float | None]:
    """The 95 % interval of the ratio; None where a drawing may have no ratio."""
    if not len(clusters):
        return None, None
    total = int(clusters.sum())
    chance = np.random.default_rng(seed)
    # So many clusters of each kind are drawn.
    drawn = chance.multinomial(total, clusters / total, size=repetitions)
    ratios = [rate_ratio([float(each) for each in row]) for row in drawn @ kinds]
    known = [each for each in ratios if each is not None]
    # Those without a ratio are at an end, which one is not known.
    if len(known) < repetitions * (1 - (100 - HIGH) / 100):
        return None, None
    low, high = np.percentile(known, [LOW, HIGH])
    return float(low), float(high)
