"""How much pages change from one download to the next, by the size of their clusters in the earlier
one (Fetterly 2004, Figures 8 to 10).

Buckets are the features in common, 0 to m, and m + 1 for the same bytes. *Six classes* of change
join them: none in common; up to a third, two thirds and less than all of them; all; the same bytes.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from webecho.engine.protocol import Database
from webecho.study.shares import ratio
from webecho.study.size_classes import CLASS_NAMES, SIZES, size_class

COUNTED = f"""
SELECT class, common, count(*) AS downloads
FROM (SELECT common, {size_class("earlier_size")} AS class FROM changes) AS classed
GROUP BY class, common
"""
# The row of all classes of sizes.
ALL = "all"
CHANGES = (
    *("complete change", "large change", "medium change", "small change"),
    *("no text change", "no change"),
)
# A row for each class of sizes, a column for each bucket.
Counts = np.ndarray


def change_ends(m: int) -> list[tuple[int, int]]:
    """From and to how many features are in common, for each class of change."""
    third, two = m // 3, 2 * m // 3
    return [(0, 0), (1, third), (third + 1, two), (two + 1, m - 1), (m, m), (m + 1, m + 1)]


def change_counts(database: Database, m: int) -> Counts:
    """How many downloads there are of each class of sizes and in each bucket."""
    counts = np.zeros((len(CLASS_NAMES), m + 2), np.int64)
    for row in database.table(COUNTED).to_pylist():
        counts[row["class"], row["common"]] = row["downloads"]
    return counts


def bucket_table(counts: Counts) -> pa.Table:
    """A row for each bucket with its downloads, and of which shares of them clusters were of which
    size (Figure 8)."""
    shares, relative = bucket_shares(counts), relative_shares(counts)
    columns: dict[str, Sequence[float]] = {
        "features in common": [*range(counts.shape[1])],
        "downloads": counts.sum(axis=0).tolist(),
    }
    for number, name in enumerate(CLASS_NAMES):
        columns[f"downloads, {name}"] = counts[number].tolist()
    for number, name in enumerate(CLASS_NAMES):
        columns[f"share, {name}"] = shares[number].tolist()
    for number, name in enumerate(CLASS_NAMES):
        columns[f"relative, {name}"] = relative[number].tolist()
    return pa.table(columns)


def bucket_shares(counts: Counts) -> np.ndarray:
    """Figure 8: of each bucket the share of each class of sizes; 0 where it is empty."""
    totals = counts.sum(axis=0)
    found: Counts = np.divide(counts, totals, out=np.zeros(counts.shape), where=totals > 0)
    return found


def relative_shares(counts: Counts) -> np.ndarray:
    """Figure 9: y / Y, where Y is the mean of the bars of a class of sizes over all buckets, empty
    ones included; 0 for a class that has no downloads."""
    shares = bucket_shares(counts)
    means = shares.mean(axis=1, keepdims=True)
    found: Counts = np.divide(shares, means, out=np.zeros(shares.shape), where=means > 0)
    return found


def class_rows(counts: Counts) -> list[dict[str, object]]:
    """Figure 10: a row for each class of sizes, and one of all, with the classes of change."""
    ends = change_ends(counts.shape[1] - 2)
    rows: list[dict[str, object]] = []
    for name, own in (*zip(CLASS_NAMES, counts, strict=True), (ALL, counts.sum(axis=0))):
        row: dict[str, object] = {"cluster size": name, "downloads": int(own.sum())}
        by_class = [int(own[low : high + 1].sum()) for low, high in ends]
        row |= dict(zip(CHANGES, by_class, strict=True))
        row |= {
            f"share, {change}": ratio(count, int(own.sum()))
            for change, count in zip(CHANGES, by_class, strict=True)
        }
        rows.append(row)
    return rows


def class_shares(rows: Sequence[Mapping[str, object]]) -> dict[str, list[float]]:
    """For each class of change, from the same bytes on, its share in each class of sizes."""
    return {
        change: [float(str(row[f"share, {change}"])) for row in rows[: len(SIZES)]]
        for change in reversed(CHANGES)
    }
