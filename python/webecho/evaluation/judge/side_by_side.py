"""Two rules side by side: how precise each is, how many correct pairs each finds, what they share.

The difference of two precisions has an interval of its own: rules that were judged by the same
labels err together, so it is shorter than the intervals of each would make one think.
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

import pyarrow as pa

from webecho.evaluation.judge.derived import Member
from webecho.evaluation.judge.labelled import Labelled
from webecho.evaluation.judge.pair_counts import Counts
from webecho.evaluation.judge.precision import Share
from webecho.evaluation.judge.precision_tables import SHARES, share_of

SIDE_BY_SIDE = pa.schema(
    [
        ("kind", pa.string()),
        # One of the two, `both`, or the `difference` of the first and the second.
        ("rule", pa.string()),
        ("labelled", pa.int64()),
        # How many pairs there are, whether that is estimated, and how many correct ones these have.
        ("pairs", pa.float64()),
        ("estimated", pa.bool_()),
        ("correct_pairs", pa.float64()),
        ("precision", pa.float64()),
        ("precision_low", pa.float64()),
        ("precision_high", pa.float64()),
    ]
)
Named = tuple[str, Sequence[Member]]
# A stratum and a pair of it.
Key = tuple[object, tuple[int, int]]


def side_by_side(
    labelled: Labelled, one: Named, other: Named, counts: Mapping[str, Counts] | None = None
) -> pa.Table:
    """Both rules, their difference, and the pairs of both, by same site or not; `counts` has of
    rules how many pairs there are."""
    found: list[dict[str, Any]] = []
    for kind, same in (("all", None), ("same site", True), ("different sites", False)):
        sides = [
            [row for row in rows if same in (None, row.pair.same_site)] for _, rows in (one, other)
        ]
        counted = [(counts or {}).get(name, {}).get(kind) for name, _ in (one, other)]
        rules = [
            {"kind": kind, "rule": name} | precision_columns(labelled, rows, count)
            for (name, _), rows, count in zip((one, other), sides, counted, strict=True)
        ]
        found += rules
        if all(sides):
            found.append(
                {"kind": kind, "rule": "difference"}
                | difference(labelled, *sides)
                | {name: rules[0][name] - rules[1][name] for name in ("pairs", "correct_pairs")}
                | {"estimated": any(row["estimated"] for row in rules)}
            )
        # Rules judged by other samples have no labelled pairs in common but by chance.
        samples = [{row.pair.stratum[0] for row in rows} for rows in sides]
        if all(sides) and samples[0] == samples[1]:
            shared = {row.pair.pair for row in sides[1]}
            both = [row for row in sides[0] if row.pair.pair in shared]
            found.append({"kind": kind, "rule": "both"} | precision_columns(labelled, both))
    return pa.Table.from_pylist(found, SIDE_BY_SIDE)


def precision_columns(
    labelled: Labelled, rows: Sequence[Member], count: int | None = None
) -> dict[str, Any]:
    """How precise some pairs of a rule are, and how many of them are correct; it may be known how
    many there are."""
    share = share_of(labelled, rows, SHARES["correct"])
    if share is None:
        return {"labelled": 0, "pairs": 0.0, "estimated": False, "correct_pairs": 0.0}
    pairs = share.all_pairs if count is None else count
    return {
        "labelled": len(rows),
        "pairs": pairs,
        "estimated": count is None,
        "correct_pairs": share.share * pairs,
        "precision": share.share,
        "precision_low": share.low,
        "precision_high": share.high,
    }


def difference(
    labelled: Labelled, one: Sequence[Member], other: Sequence[Member]
) -> dict[str, object]:
    """How much more precise the first is. The interval is made of those of the two, as far as they
    do not err together (Zou and Donner 2008)."""
    shares = [share_of(labelled, rows, SHARES["correct"]) for rows in (one, other)]
    first, second = (share for share in shares if share is not None)
    parts = [offs(rows, share) for rows, share in ((one, first), (other, second))]
    weight = average_weight([*one, *other])
    own = [variance(labelled, part, weight) for part in parts]
    apart = {
        key: parts[0].get(key, 0.0) - parts[1].get(key, 0.0)
        for key in dict.fromkeys([*parts[0], *parts[1]])
    }
    of_both = variance(labelled, apart, weight)
    together = sqrt(own[0] * own[1])
    # Where a rule's pairs all agree, nobody knows how far two rules err together.
    shared = (sum(own) - of_both) / (2 * together) if together else 0.0
    found = first.share - second.share

    def reach(below: float, above: float) -> float:
        if together and not of_both:
            # They have the same pairs.
            return 0.0
        return sqrt(max(0.0, below**2 + above**2 - 2 * shared * below * above))

    low = found - reach(first.share - first.low, second.high - second.share)
    high = found + reach(first.high - first.share, second.share - second.low)
    return {
        "precision": found,
        "precision_low": max(-1.0, low),
        "precision_high": min(1.0, high),
    }


def offs(rows: Sequence[Member], share: Share) -> dict[Key, float]:
    """What each pair adds to the linearised precision of a rule."""
    return {
        (row.pair.stratum, row.pair.pair): row.weight
        * (SHARES["correct"](row.pair) - share.share)
        / share.all_pairs
        for row in rows
    }


def variance(labelled: Labelled, parts: Mapping[Key, float], weight: float) -> float:
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
