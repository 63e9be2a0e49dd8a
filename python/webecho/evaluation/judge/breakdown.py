"""*Breakdown*: how many pairs of each label have which reason (Henzinger 2006, Tables 3, 4, 6, 7).

A pair with one reason counts for that, one with two or more as a combination; the rest are pairs
without a reason, or whose reason is none of the named ones.
"""

from collections.abc import Iterable, Mapping

import pyarrow as pa

from webecho.evaluation.label.matching import Pair
from webecho.evaluation.label.reasons import (
    BY_CODE,
    COMBINATION,
    LABELS,
    REASONS,
    REST,
    Judgement,
    category,
    known_label,
)

ORDER = [*(reason.code for reason in REASONS if reason.code != "other"), COMBINATION, "other", REST]

BREAKDOWN = pa.schema(
    [
        ("rule", pa.string()),
        ("label", pa.string()),
        ("reason", pa.string()),
        ("pairs", pa.int64()),
        ("share", pa.float64()),
        ("same_site_pairs", pa.int64()),
        ("same_site_share", pa.float64()),
        # How many pairs of the rule these stand for.
        ("estimated", pa.float64()),
    ]
)


def breakdown(sample: pa.Table, judged: Mapping[Pair, Judgement]) -> pa.Table:
    """One row for each rule, label and reason that occurs; shares are of the rule's pairs with
    that label, once of all of them and once of those on the same site."""
    counted: dict[tuple[str, str, str], list[float]] = {}
    for row in sample.to_pylist():
        found = judged.get((row["left"], row["right"]))
        if found is None:
            continue
        key = (row["rule"], found.label, category(found.reasons))
        counts = counted.setdefault(key, [0, 0, 0.0])
        counts[0] += 1
        counts[1] += bool(row["same_site"])
        counts[2] += row["weight"]
    rows = [
        {
            "rule": rule,
            "label": label,
            "reason": title(label, reason),
            "pairs": counts[0],
            "share": counts[0] / total(counted, rule, label, 0),
            "same_site_pairs": counts[1],
            "same_site_share": share(counts[1], total(counted, rule, label, 1)),
            "estimated": counts[2],
        }
        for (rule, label, reason), counts in sorted(counted.items(), key=place)
    ]
    return pa.Table.from_pylist(rows, BREAKDOWN)


def place(item: tuple[tuple[str, str, str], list[float]]) -> tuple[str, int, float, int]:
    """By rule and label, as the paper has it the most frequent first, the rest last."""
    (rule, label, reason), counts = item
    return (
        rule,
        LABELS.index(known_label(label)),
        -counts[0] if reason != REST else 1,
        ORDER.index(reason),
    )


def total(
    counted: Mapping[tuple[str, str, str], Iterable[float]], rule: str, label: str, column: int
) -> float:
    return sum(list(counts)[column] for key, counts in counted.items() if key[:2] == (rule, label))


def share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def title(label: str, reason: str) -> str:
    """A reason as the paper's tables have it."""
    if reason in (COMBINATION, REST):
        return reason
    return f"{BY_CODE[reason].name} only" if label == "correct" else BY_CODE[reason].name
