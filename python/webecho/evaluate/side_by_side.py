"""Two rules side by side: how precise each is, how many correct pairs each finds, what they share.

The difference of two precisions has an interval of its own: rules that were judged by the same
labels err together, so it is shorter than the intervals of each would make one think.
"""

from collections.abc import Mapping, Sequence
from math import sqrt

import pyarrow as pa

from webecho.evaluate.derived import Member
from webecho.evaluate.labelled import Labelled
from webecho.evaluate.precision import Z
from webecho.evaluate.tables import SHARES, share_of, stands_for

SIDE_BY_SIDE = pa.schema(
    [
        ("kind", pa.string()),
        # One of the two, `both`, or the `difference` of the first and the second.
        ("rule", pa.string()),
        ("labelled", pa.int64()),
        ("pairs", pa.float64()),
        ("correct_pairs", pa.float64()),
        ("precision", pa.float64()),
        ("precision_low", pa.float64()),
        ("precision_high", pa.float64()),
    ]
)
Named = tuple[str, Sequence[Member]]


def side_by_side(labelled: Labelled, one: Named, other: Named) -> pa.Table:
    """Both rules, their difference, and the pairs of both, by same site or not."""
    found: list[dict[str, object]] = []
    for kind, same in (("all", None), ("same site", True), ("different sites", False)):
        sides = [
            [row for row in rows if same in (None, row.pair.same_site)] for _, rows in (one, other)
        ]
        found += [
            {"kind": kind, "rule": name} | told(labelled, rows)
            for name, rows in zip((one[0], other[0]), sides, strict=True)
        ]
        if all(sides):
            found.append({"kind": kind, "rule": "difference"} | difference(labelled, *sides))
        # Rules judged by other samples have no labelled pairs in common but by chance.
        samples = [{row.pair.stratum[0] for row in rows} for rows in sides]
        if all(sides) and samples[0] == samples[1]:
            shared = {row.pair.pair for row in sides[1]}
            both = [row for row in sides[0] if row.pair.pair in shared]
            found.append({"kind": kind, "rule": "both"} | told(labelled, both))
    return pa.Table.from_pylist(found, SIDE_BY_SIDE)


def told(labelled: Labelled, rows: Sequence[Member]) -> dict[str, object]:
    share = share_of(labelled, rows, SHARES["correct"])
    if share is None:
        return {"labelled": 0, "pairs": 0.0, "correct_pairs": 0.0}
    return {
        "labelled": len(rows),
        "pairs": share.all_pairs,
        "correct_pairs": share.all_hits,
        "precision": share.share,
        "precision_low": share.low,
        "precision_high": share.high,
    }


def difference(
    labelled: Labelled, one: Sequence[Member], other: Sequence[Member]
) -> dict[str, object]:
    """How much more precise the first is, with the interval of the linearised difference."""
    parts: dict[tuple[object, tuple[int, int]], float] = {}
    means, correct, whole = [], [], []
    for sign, rows in ((1, one), (-1, other)):
        share = share_of(labelled, rows, SHARES["correct"])
        mean, pairs = (share.share, share.all_pairs) if share is not None else (0.0, 1.0)
        for row in rows:
            key = (row.pair.stratum, row.pair.pair)
            off = row.weight * ((row.pair.label == "correct") - mean) / pairs
            parts[key] = parts.get(key, 0.0) + sign * off
        means.append(mean)
        correct.append(
            sum(stands_for(labelled, row) for row in rows if SHARES["correct"](row.pair))
        )
        whole.append(pairs)
    found = means[0] - means[1]
    half = Z * sqrt(variance(labelled, parts, average_weight([*one, *other])))
    return {
        "pairs": whole[0] - whole[1],
        "correct_pairs": correct[0] - correct[1],
        "precision": found,
        "precision_low": max(-1.0, found - half),
        "precision_high": min(1.0, found + half),
    }


def variance(
    labelled: Labelled, parts: Mapping[tuple[object, tuple[int, int]], float], weight: float
) -> float:
    """Of the estimated sum of what each labelled pair adds; those not named add nothing."""
    sums: dict[object, list[float]] = {}
    for (stratum, _), value in parts.items():
        own = sums.setdefault(stratum, [0.0, 0.0])
        own[0] += value
        own[1] += value**2
    total = 0.0
    for key, (added, squares) in sums.items():
        stratum = labelled.strata[key]
        count = stratum.labelled
        left = max(0.0, 1 - count / (stratum.pairs * weight))
        spread = max(0.0, squares - added**2 / count) / max(count - 1, 1)
        total += stratum.pairs**2 * left * spread / count
    return total


def average_weight(rows: Sequence[Member]) -> float:
    return sum(row.weight for row in rows) / len(rows)
