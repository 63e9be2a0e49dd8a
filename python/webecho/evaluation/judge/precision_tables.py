"""Tables of an evaluation: shares of correct, incorrect and undecided pairs, with 95 % intervals.

| here | in Henzinger 2006 |
| --- | --- |
| a rule by same site or not, B-similarity and range of C-similarity | Tables 2, 5 and 12 |
| a rule's pairs whose term difference is above 200, also without image terms | Table 8 |
| the sites of most incorrect pairs | sections 3.2 and 3.3 |

Precision is correct / all, undecided pairs among all; it is given again with pairs that differ in
how a form is filled in as correct ones (section 3.4.2).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from webecho.evaluation.judge.derived import Member
from webecho.evaluation.judge.labelled import Labelled, LabelledPair, only
from webecho.evaluation.judge.precision import Counted, Share, share
from webecho.evaluation.sample.strata import range_names
from webecho.study.term_differences import LARGE

Test = Callable[[LabelledPair], bool]

# What is told of each kind of pairs, and which pairs count for it.
SHARES: dict[str, Test] = {
    "correct": lambda pair: pair.label == "correct",
    "incorrect": lambda pair: pair.label == "incorrect",
    "undecided": lambda pair: pair.label == "undecided",
    "forms": lambda pair: pair.form,
    "correct_with_forms": lambda pair: pair.label == "correct" or pair.form,
}
# Which pairs those are, for some are among others.
PARTS = {
    "correct": {"correct"},
    "incorrect": {"incorrect"},
    "undecided": {"form", "undecided"},
    "forms": {"form"},
    "correct_with_forms": {"correct", "form"},
}
EVALUATION = pa.schema(
    [
        ("rule", pa.string()),
        ("kind", pa.string()),
        # Labelled pairs, for how many pairs of the rule they stand, and whether that is estimated.
        ("labelled", pa.int64()),
        ("pairs", pa.float64()),
        ("estimated", pa.bool_()),
        *((f"{name}{end}", pa.float64()) for name in SHARES for end in ("", "_low", "_high")),
    ]
)
SITES = pa.schema(
    [
        ("rule", pa.string()),
        ("site", pa.string()),
        ("labelled", pa.int64()),
        ("incorrect", pa.int64()),
        # How many incorrect pairs of the rule these stand for, and which share of all such.
        ("incorrect_pairs", pa.float64()),
        ("share", pa.float64()),
    ]
)
MOST_SITES = 20


@dataclass(frozen=True)
class Kind:
    """A kind of pairs as the paper's tables have it. Of some pairs nobody may know whether they are
    of it; the others stand for them."""

    name: str
    test: Test
    is_known: Test = lambda _: True


def kinds(rows: Sequence[Member], bits: int) -> list[Kind]:
    """The kinds that occur among a rule's pairs."""
    every = [
        Kind("all", lambda _: True),
        Kind("same site", lambda pair: pair.same_site),
        Kind("different sites", lambda pair: not pair.same_site),
    ]
    agreeing = {b for row in rows if (b := row.pair.b_similarity) is not None}
    every += [Kind(f"B-similarity {b}", with_b(b)) for b in sorted(agreeing)]
    every += [Kind(f"C-similarity {name}", within(name)) for name in reversed(range_names(bits))]
    every += [
        Kind(
            f"term difference over {LARGE}",
            lambda pair: bool(pair.large),
            lambda pair: pair.large is not None,
        ),
        Kind(
            f"term difference over {LARGE} without image terms",
            lambda pair: bool(pair.large_without_images),
            lambda pair: pair.large_without_images is not None,
        ),
    ]
    return [kind for kind in every if any(kind.test(row.pair) for row in rows)]


def with_b(b: int) -> Test:
    return lambda pair: pair.b_similarity == b


def within(name: str) -> Test:
    return lambda pair: pair.c_range == name


def share_of(labelled: Labelled, rows: Iterable[Member], hit: Test) -> Share | None:
    """The share of some pairs that pass a test."""
    counted = (Counted(row.pair.stratum, row.weight, hit(row.pair)) for row in rows)
    return share(labelled.strata, counted)


def shares_of(labelled: Labelled, rows: Sequence[Member]) -> dict[str, Share]:
    """All shares that are told of some pairs; none of no pairs."""
    found = {measure: share_of(labelled, rows, test) for measure, test in SHARES.items()}
    return coherent({measure: each for measure, each in found.items() if each is not None})


def evaluate_rule(
    labelled: Labelled,
    name: str,
    rows: Sequence[Member],
    bits: int,
    counts: Mapping[str, int] | None = None,
) -> list[dict[str, object]]:
    """A row for each kind of a rule's pairs; of some kinds it may be known how many there are."""
    counted = counts or {}
    found = []
    for kind in kinds(rows, bits):
        own = [row for row in rows if kind.test(row.pair)]
        known = labelled_where(labelled, kind)
        values: dict[str, object] = {"rule": name, "kind": kind.name, "labelled": len(own)}
        for measure, each in shares_of(known, own).items():
            values |= {
                "pairs": counted.get(kind.name, each.all_pairs),
                "estimated": kind.name not in counted,
                measure: each.share,
                f"{measure}_low": each.low,
                f"{measure}_high": each.high,
            }
        found.append(values)
    return found


def labelled_where(labelled: Labelled, kind: Kind) -> Labelled:
    """The labelled pairs of which it is known whether they are of a kind."""
    known = [pair for pair in labelled.pairs if kind.is_known(pair)]
    return labelled if len(known) == len(labelled.pairs) else only(labelled, known)


def coherent(shares: Mapping[str, Share]) -> dict[str, Share]:
    """The shares of one kind with intervals that do not contradict each other: if 7 % may be
    incorrect, no more than 93 % are surely correct. Intervals only become wider by it."""
    highs = {
        name: max(other.high for part, other in shares.items() if PARTS[part] <= PARTS[name])
        for name in shares
    }
    # What is not of one share is of the others.
    lows = {
        name: min(
            *(other.low for whole, other in shares.items() if PARTS[name] <= PARTS[whole]),
            *(1 - highs[other] for other in shares if not PARTS[name] & PARTS[other]),
        )
        for name in shares
    }
    return {
        name: replace(each, low=max(0.0, lows[name]), high=highs[name])
        for name, each in shares.items()
    }


def evaluate_rules(
    labelled: Labelled,
    rules: Sequence[tuple[str, Sequence[Member]]],
    bits: int,
    counts: Mapping[str, Mapping[str, int]],
) -> pa.Table:
    """Tables 2, 5, 8 and 12 as one table; `counts` has of rules how many pairs there are."""
    rows = [
        row
        for name, members in rules
        for row in evaluate_rule(labelled, name, members, bits, counts.get(name))
    ]
    return pa.Table.from_pylist(rows, EVALUATION)


def incorrect_sites(
    labelled: Labelled, rules: Sequence[tuple[str, Sequence[Member]]], most: int = MOST_SITES
) -> pa.Table:
    """The sites that give most incorrect pairs; a pair counts for the site of either page."""
    found: list[dict[str, object]] = []
    for name, members in rules:
        whole = sum(stands_for(labelled, row) for row in members if row.pair.label == "incorrect")
        sums: dict[str, list[float]] = {}
        for row in members:
            for site in {*row.pair.sites} - {None}:
                own = sums.setdefault(str(site), [0, 0, 0.0])
                own[0] += 1
                if row.pair.label == "incorrect":
                    own[1] += 1
                    own[2] += stands_for(labelled, row)
        worst = sorted(
            ((site, own) for site, own in sums.items() if own[1]),
            key=lambda item: (-item[1][2], item[0]),
        )
        found += [
            {
                "rule": name,
                "site": site,
                "labelled": own[0],
                "incorrect": own[1],
                "incorrect_pairs": own[2],
                "share": own[2] / whole,
            }
            for site, own in worst[:most]
        ]
    return pa.Table.from_pylist(found, SITES)


def stands_for(labelled: Labelled, row: Member) -> float:
    """For how many pairs of its rule a labelled pair stands."""
    stratum = labelled.strata[row.pair.stratum]
    return row.weight * stratum.pairs / stratum.labelled
