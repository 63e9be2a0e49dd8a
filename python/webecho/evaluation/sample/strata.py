"""*Stratum*: the pairs that the same rules found, with the same B-similarity, range of
C-similarity, twentieth of the resemblance or share of equal words if a rule goes by it, same site
or not, and a weight of the same power of two; and that reach the same C
thresholds of the rules that labels tell of (355 of `combined` and `by-site`, 372 of `c`). A
stratum that such a rule has only a part of would leave open how many pairs the rule has, and mix
what it was made to tell apart.

Where a sample is too small for so many strata, they are joined until each gets enough pairs.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from webecho.engine.protocol import Database
from webecho.group.rules.checks import Agreement
from webecho.group.rules.registry import rule, rules_of_sets
from webecho.settings import Recipe
from webecho.study.pair_report import ranges

# What parts strata, in the order in which it is given up where a sample is too small for them.
PARTING = (
    *("resemblance_range", "equal_words_range", "c_range", "b_similarity", "c_reached"),
    *("same_site", "weight_class", "rules"),
)
# A share lies in one of so many ranges of the same width; the whole is one more.
RANGES = 20
# So many pairs of each stratum tell how much pairs differ within it.
LEAST = 2
# Sums of weights must not depend on the order of rows, so they are sums of whole numbers.
UNIT = 1 << 20


@dataclass(frozen=True)
class StratumSize:
    """How many pairs there are of a kind, and how much of the rules' pairs they stand for."""

    pairs: int
    share: float


def range_names(bits: int) -> list[str]:
    """The names of the ranges of C-similarity, the lowest first."""
    return [range_name(each["low"], each["high"]) for each in ranges(bits).to_pylist()]


def range_name(low: int, high: int) -> str:
    return f"{low}-{high}" if low else f"below {high + 1}"


def c_range(bits: int) -> str:
    """SQL for the name of the range that a C-similarity lies in."""
    cases = [
        f"WHEN c_similarity BETWEEN {low} AND {high} THEN '{range_name(low, high)}'"
        for low, high in zip(*ranges(bits).to_pydict().values(), strict=True)
    ]
    return f"CASE {' '.join(cases)} END"


def share_range(value: str) -> str:
    """SQL for the number of the range that a share lies in."""
    return f"CAST(floor({value} * {RANGES} + 1e-9) AS BIGINT)"


def c_reached(recipe: Recipe) -> str:
    """SQL for how many C thresholds of rules a C-similarity reaches."""
    reached = [f"CAST(c_similarity >= {least} AS BIGINT)" for least in c_thresholds(recipe)]
    return " + ".join(reached)


def c_thresholds(recipe: Recipe) -> list[int]:
    """The C thresholds of the paper's rules, the lowest first."""
    checks = [
        search.check
        for name in rules_of_sets()
        for search in rule(name, recipe=recipe).searches(recipe)
    ]
    asked = {check.least_c for check in checks if isinstance(check, Agreement)}
    return sorted(least for least in asked if least is not None)


def stratify(
    database: Database, rules: int, size: int
) -> tuple[list[StratumSize], tuple[str, ...]]:
    """Makes the table `strata` of the table `pairs`, which so many rules have found; gives them in
    its order, and what parts them: as much as leaves `LEAST` pairs of a sample for each."""
    totals = [f"total_{number}" for number in range(rules)]
    sums = ", ".join(
        f"coalesce(sum(CAST(round(weight_{n} * {UNIT}) AS DECIMAL(38, 0))), 0) AS total_{n}"
        for n in range(rules)
    )
    # All pairs are gone through once; what joins strata works on those.
    parting = ", ".join(PARTING)
    database.keep(
        "finest",
        f"SELECT {parting}, count(*) AS stratum_pairs, {sums} FROM pairs GROUP BY {parting}",
    )
    for given_up in range(len(PARTING) + 1):
        keys = PARTING[given_up:]
        database.keep("strata", united(keys, totals))
        columns = database.table(
            f"SELECT stratum_pairs, {', '.join(totals)} FROM strata ORDER BY stratum NULLS LAST"
        ).to_pydict()
        found = [tuple(map(int, row)) for row in zip(*columns.values(), strict=True)]
        if sum(min(LEAST, row[0]) for row in found) <= size:
            break
    sizes = [StratumSize(row[0], share) for row, share in zip(found, shares(found), strict=True)]
    return sizes, keys


def united(keys: Sequence[str], totals: Sequence[str]) -> str:
    """SQL for the strata that only these part."""
    order = ", ".join(f"{key} NULLS FIRST" for key in keys) or "1 NULLS FIRST"
    sums = ", ".join(f"sum({name}) AS {name}" for name in ("stratum_pairs", *totals))
    kinds = f"SELECT {', '.join([*keys, sums])} FROM finest"
    if keys:
        kinds += f" GROUP BY {', '.join(keys)}"
    counts = ["CAST(stratum_pairs AS BIGINT) AS stratum_pairs", *totals]
    return (
        f"SELECT CAST(row_number() OVER (ORDER BY {order}) - 1 AS BIGINT) AS stratum, "
        f"{', '.join([*keys, *counts])} FROM ({kinds}) WHERE stratum_pairs > 0"
    )


def shares(found: Sequence[tuple[int, ...]]) -> list[float]:
    """How much of the rules' pairs each stratum has, every rule counting the same."""
    columns = list(zip(*(row[1:] for row in found), strict=True))
    # A rule that found nothing has no share in anything.
    wholes = [sum(column) or 1 for column in columns]
    return [
        sum(part / whole for part, whole in zip(row[1:], wholes, strict=True)) / len(wholes)
        for row in found
    ]


def allocate(strata: Sequence[StratumSize], size: int) -> list[int]:
    """How many pairs to draw from each stratum: `LEAST` first, then one after the other to where
    most is missing. A larger size gives no stratum less."""
    taken = [min(LEAST, each.pairs) for each in strata]
    if sum(taken) > size:
        taken = [min(1, each.pairs) for each in strata]
    wanted = [each.share / 2 + 1 / (2 * len(strata)) for each in strata]
    # Webster's method: whole numbers as near to the wanted shares as can be.
    queue = [(-wanted[n] / (2 * taken[n] + 1), n) for n in range(len(strata))]
    heapq.heapify(queue)
    left = size - sum(taken)
    while left > 0 and queue:
        _, n = heapq.heappop(queue)
        if taken[n] < strata[n].pairs:
            taken[n] += 1
            left -= 1
            heapq.heappush(queue, (-wanted[n] / (2 * taken[n] + 1), n))
    return taken
