"""*R*: of the correct pairs of one rule, the share that another, stricter one returns.

The combined rule leaves of the pairs of `b` those whose C-similarity reaches a threshold. Henzinger
2006, section 3.5, chooses it on half of the labels (Figures 6 and 7, Table 11) and checks it on the
other half (Table 12): what looks best on the labels by which it was chosen looks better than it is.
Here as there the choice is the best precision, to two digits, that still has an R of 0.8; of
several the highest threshold. The other half also tells what higher B-similarities alone would do.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from webecho.evaluation.judge.derived import Member, at_least
from webecho.evaluation.judge.labelled import Labelled, LabelledPair, only
from webecho.evaluation.judge.precision import Share
from webecho.evaluation.judge.precision_tables import SHARES, share_of, stands_for

LEAST_R = 0.8
DIGITS = 2


def intervals(*names: str) -> list[tuple[str, pa.DataType]]:
    return [(f"{name}{end}", pa.float64()) for name in names for end in ("", "_low", "_high")]


CURVE = pa.schema(
    [("threshold", pa.int64()), ("labelled", pa.int64()), *intervals("precision", "r")]
)
CHECKED = pa.schema(
    [
        *(("rule", pa.string()), ("kind", pa.string()), ("labelled", pa.int64())),
        # How many pairs are left, by what is labelled of this half.
        ("pairs", pa.float64()),
        *intervals("precision", "incorrect", "undecided", "r"),
    ]
)
EQUAL = pa.schema(
    [
        ("threshold", pa.int64()),
        ("labelled", pa.int64()),
        # How many pairs are returned, how many of them correct, and that over the other rule's.
        ("returned_pairs", pa.float64()),
        ("correct_pairs", pa.float64()),
        ("ratio", pa.float64()),
    ]
)


@dataclass(frozen=True)
class Chosen:
    """A threshold, how precise it is and what R it has on the labels by which it was chosen."""

    threshold: int
    precision: float
    r: float

    def why(self, least_r: float) -> str:
        return (
            f"of the thresholds with an R (the share of correct pairs that is left) of at least "
            f"{least_r:g} it has the best precision, {self.precision:.2f}, at an R of "
            f"{self.r:.2f}, on the half of the labels it was chosen by"
        )

    def checked(self, on: Mapping[str, float | None], alone: float | None, least_r: float) -> str:
        """What the other half says of it: `on` is its row in `check`, `alone` the precision of `b`
        there."""
        precision, r = on["precision"], on["r"]
        if precision is None or r is None:
            return "not checked: the other half has no correct pair that it could leave"
        measured = f"precision {precision:.2f} and R {r:.2f} on the other half of the labels"
        if r < least_r:
            return f"it FAILS: {measured}, where R was to be {least_r:g}; label more pairs"
        if alone is not None and precision <= alone:
            return f"it GAINS NOTHING: {measured}, and b alone has {alone:.2f}; label more pairs"
        return f"it holds: {measured}"


def halves(labelled: Labelled, seed: int) -> tuple[Labelled, Labelled]:
    """The labelled pairs in two, each stratum as evenly as can be, by chance."""
    chance = random.Random(seed)
    by_stratum: dict[object, list[LabelledPair]] = {}
    for pair in sorted(labelled.pairs, key=lambda pair: (pair.stratum, pair.pair)):
        by_stratum.setdefault(pair.stratum, []).append(pair)
    parts: tuple[list[LabelledPair], list[LabelledPair]] = ([], [])
    for pairs in by_stratum.values():
        chance.shuffle(pairs)
        # Which half has one more where their number is odd is by chance too.
        first = chance.randrange(2)
        parts[first].extend(pairs[::2])
        parts[1 - first].extend(pairs[1::2])
    one, other = (only(labelled, part) for part in parts)
    return one, other


def with_threshold(threshold: int) -> Callable[[LabelledPair], bool]:
    return lambda pair: at_least(pair.c_similarity, threshold)


def with_b_from(least: int) -> Callable[[LabelledPair], bool]:
    return lambda pair: at_least(pair.b_similarity, least)


def correct_of(rows: Sequence[Member]) -> list[Member]:
    return [row for row in rows if SHARES["correct"](row.pair)]


def curve(labelled: Labelled, rows: Sequence[Member], bits: int) -> pa.Table:
    """Precision and R of what each C threshold leaves of a rule's pairs (Figures 6 and 7), from the
    lowest that leaves all to the highest that leaves some."""
    seen = [c for row in rows if (c := row.pair.c_similarity) is not None]
    found = []
    for threshold in range(min(seen, default=bits), max(seen, default=-1) + 1):
        left = returned(labelled, rows, with_threshold(threshold))
        found.append({"threshold": threshold} | left)
    return pa.Table.from_pylist(found, CURVE)


def returned(
    labelled: Labelled, rows: Sequence[Member], left: Callable[[LabelledPair], bool]
) -> dict[str, float | int | None]:
    """What is told of the pairs that a test leaves of a rule's."""
    own = [row for row in rows if left(row.pair)]
    shares = {
        "precision": share_of(labelled, own, SHARES["correct"]),
        "r": share_of(labelled, correct_of(rows), left),
    }
    return {"labelled": len(own)} | interval_columns(shares)


def not_correct(
    labelled: Labelled, rows: Sequence[Member], left: Callable[[LabelledPair], bool]
) -> dict[str, float | int | None]:
    """How many pairs a test leaves of a rule's, and what the others of them are."""
    own = [row for row in rows if left(row.pair)]
    shares = {name: share_of(labelled, own, SHARES[name]) for name in ("incorrect", "undecided")}
    return {"pairs": sum(stands_for(labelled, row) for row in own)} | interval_columns(shares)


def interval_columns(shares: Mapping[str, Share | None]) -> dict[str, float | int | None]:
    values: dict[str, float | int | None] = {}
    for name, share in shares.items():
        values[name] = None if share is None else share.share
        values[f"{name}_low"] = None if share is None else share.low
        values[f"{name}_high"] = None if share is None else share.high
    return values


def choose(table: pa.Table, least_r: float = LEAST_R) -> Chosen | None:
    """The threshold of a curve that is chosen; None where nothing is correct."""
    rows = [
        Chosen(row["threshold"], row["precision"], row["r"])
        for row in table.to_pylist()
        if row["precision"] is not None and row["r"] is not None and row["r"] >= least_r
    ]
    return max(rows, key=lambda row: (round(row.precision, DIGITS), row.threshold), default=None)


def check(labelled: Labelled, rows: Sequence[Member], base: int, threshold: int) -> pa.Table:
    """Table 12, and beside it what B-similarity alone does: of a rule's pairs what the threshold
    leaves, by same site or not, and what each B-similarity from `base` on does."""
    found: list[dict[str, object]] = []

    def add(rule: str, left: Callable[[LabelledPair], bool]) -> None:
        for kind, same in (("all", None), ("same site", True), ("different sites", False)):
            own = [row for row in rows if same in (None, row.pair.same_site)]
            if own:
                told = returned(labelled, own, left) | not_correct(labelled, own, left)
                found.append({"rule": rule, "kind": kind, **told})

    add(f"combined-{base}-{threshold}", with_threshold(threshold))
    highest = max((row.pair.b_similarity or 0 for row in rows), default=0)
    for b in range(base, highest + 1):
        add(f"b-{b}", with_b_from(b))
    return pa.Table.from_pylist(found, CHECKED)


def equal_recall(
    labelled: Labelled, rows: Sequence[Member], other: Sequence[Member]
) -> tuple[int | None, pa.Table]:
    """The C threshold at which a rule returns about as many correct pairs as another, that is, has
    about its recall (section 3.3), and how many it returns at each; None if nothing is correct."""
    wanted = sum(stands_for(labelled, row) for row in correct_of(other))
    seen = [c for row in rows if (c := row.pair.c_similarity) is not None]
    found = []
    for threshold in range(min(seen, default=0), max(seen, default=-1) + 1):
        own = [row for row in rows if at_least(row.pair.c_similarity, threshold)]
        correct = sum(stands_for(labelled, row) for row in correct_of(own))
        found.append(
            {
                "threshold": threshold,
                "labelled": len(own),
                "returned_pairs": sum(stands_for(labelled, row) for row in own),
                "correct_pairs": correct,
                "ratio": correct / wanted if wanted else None,
            }
        )
    table = pa.Table.from_pylist(found, EQUAL)
    ratios = zip(table["threshold"].to_pylist(), table["ratio"].to_pylist(), strict=True)
    # Twice as many are as far off as half as many.
    off = {threshold: max(ratio, 1 / ratio) for threshold, ratio in ratios if ratio}
    return min(off, key=off.__getitem__, default=None), table
