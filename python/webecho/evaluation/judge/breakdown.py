"""*Breakdown*: which reasons the pairs of each label have (Henzinger 2006, Tables 3, 4, 6 and 7).

As in the paper each pair counts once: for its only reason, or as a combination if it has two or
more. Where the paper sums up, rows here are finer: its *Rest* are the rows that it does not name,
its *Other* are `other` and the combinations of undecided pairs.

Shares are of the rule's pairs with that label, and not of those that happen to be in the sample,
half of which is shared out evenly over the strata; their intervals are those of precisions (see
precision.py).
"""

from collections.abc import Callable, Sequence

import pyarrow as pa

from webecho.evaluation.judge.derived import Member
from webecho.evaluation.judge.labelled import Labelled, LabelledPair
from webecho.evaluation.judge.precision import Share
from webecho.evaluation.judge.precision_tables import share_of
from webecho.evaluation.label.reasons import (
    BY_CODE,
    COMBINATION,
    LABELS,
    NO_REASON,
    REASONS,
    LabelName,
    category,
)
from webecho.evaluation.sample.strata import range_names

Rules = Sequence[tuple[str, Sequence[Member]]]

ORDER = [*(reason.code for reason in REASONS), COMBINATION, NO_REASON]
# The paper has all pairs beside those on the same site.
KINDS: dict[str, Callable[[LabelledPair], bool]] = {
    "all": lambda _: True,
    "same site": lambda pair: pair.same_site,
    "different sites": lambda pair: not pair.same_site,
}


def share_fields(name: str) -> list[tuple[str, pa.DataType]]:
    return [(f"{name}{end}", pa.float64()) for end in ("", "_low", "_high")]


# Labelled pairs, and for how many pairs of the rule they stand.
COUNTS = [("labelled", pa.int64()), ("pairs", pa.float64())]
BREAKDOWN = pa.schema(
    [
        *((name, pa.string()) for name in ("rule", "label", "kind", "reason")),
        *COUNTS,
        # Of the pairs of the kind with this label those that have the reason.
        *share_fields("share"),
    ]
)
BY_C_RANGE = pa.schema(
    [
        *((name, pa.string()) for name in ("rule", "label", "reason", "c_range")),
        *COUNTS,
        # Of the pairs with this label and reason those in the range, and the reverse.
        *share_fields("share_of_reason"),
        *share_fields("share_of_range"),
    ]
)


def breakdown(labelled: Labelled, rules: Rules) -> pa.Table:
    """One row for each rule, label, kind and reason; shares are of the rule's pairs of that kind
    with that label."""
    found: list[dict[str, object]] = []
    for rule, rows in rules:
        for label in LABELS:
            own = [row for row in rows if row.pair.label == label]
            reasons = occurring(labelled, own)
            for kind, test in KINDS.items():
                there = [row for row in own if test(row.pair)]
                found += [
                    {"rule": rule, "label": label, "kind": kind, "reason": title(label, reason)}
                    | counted(share)
                    | columns("share", share)
                    for reason in reasons
                    if (share := share_of(labelled, there, has(reason))) is not None
                ]
    return pa.Table.from_pylist(found, BREAKDOWN)


def by_c_range(labelled: Labelled, rules: Rules, bits: int) -> pa.Table:
    """In which range of C-similarity the pairs of each label and reason lie (section 3.3), the
    lowest first; without those whose C-similarity is not known."""
    found: list[dict[str, object]] = []
    for rule, rows in rules:
        known = [row for row in rows if row.pair.c_range is not None]
        for label in LABELS:
            own = [row for row in known if row.pair.label == label]
            for reason in occurring(labelled, own):
                of_reason = [row for row in own if has(reason)(row.pair)]
                for name in range_names(bits):
                    in_range = [row for row in own if row.pair.c_range == name]
                    of_range = share_of(labelled, in_range, has(reason))
                    lying = share_of(labelled, of_reason, lies_in(name))
                    if of_range is None or lying is None or not lying.hits:
                        continue
                    found.append(
                        {"rule": rule, "label": label, "reason": title(label, reason)}
                        | {"c_range": name}
                        | counted(lying)
                        | columns("share_of_reason", lying)
                        | columns("share_of_range", of_range)
                    )
    return pa.Table.from_pylist(found, BY_C_RANGE)


def occurring(labelled: Labelled, rows: Sequence[Member]) -> list[str]:
    """The reasons of some pairs, as the paper has it those of most pairs first; last those that
    tell nothing."""
    sums: dict[str, float] = {}
    for reason in ORDER:
        share = share_of(labelled, rows, has(reason))
        if share is not None and share.hits:
            sums[reason] = share.all_hits
    return sorted(sums, key=lambda reason: (reason == NO_REASON, -sums[reason]))


def has(reason: str) -> Callable[[LabelledPair], bool]:
    return lambda pair: category(pair.reasons) == reason


def lies_in(c_range: str) -> Callable[[LabelledPair], bool]:
    return lambda pair: pair.c_range == c_range


def counted(share: Share) -> dict[str, object]:
    """How many pairs are among the share: of those labelled, and of all."""
    return {"labelled": share.hits, "pairs": share.all_hits}


def columns(name: str, share: Share) -> dict[str, object]:
    return {name: share.share, f"{name}_low": share.low, f"{name}_high": share.high}


def title(label: LabelName, reason: str) -> str:
    """A reason as the paper's tables have it."""
    if reason not in BY_CODE:
        return reason
    name = BY_CODE[reason].name
    return f"{name} only" if label == "correct" and reason != "other" else name
