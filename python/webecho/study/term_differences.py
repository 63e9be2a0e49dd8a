"""*Term differences* of pairs: how many have which (Henzinger 2006, section 3.2, Figures 2 and 4).

Where some pairs were not measured, those that were stand for all of them: they were drawn by
chance. What is counted of them is scaled to all pairs and called an estimate. Its 95 % interval is
Wilson's, for as many independent pairs as tell as much: those drawn, fewer where pairs of hot
buckets stand for several, and more where most pairs were drawn.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from webecho.engine.exact_sums import total, units
from webecho.study.estimates import Estimate
from webecho.study.shares import Z, ratio, wilson

if TYPE_CHECKING:
    from webecho.engine.protocol import Database

# A term difference above this is large (section 3.2 and Table 8).
LARGE = 200
# Tables, the columns that they are of, and how facts name them.
TABLES = {
    "differences": ("term_difference", ""),
    "differences_without_images": ("text_difference", ", without image terms"),
}
DIFFERENCES = pa.schema(
    [
        # Null above the limit that is looked for.
        ("difference", pa.int64()),
        ("pairs", pa.int64()),
        ("pairs_low", pa.int64()),
        ("pairs_high", pa.int64()),
        # Whether they were counted of some pairs and scaled.
        ("estimated", pa.bool_()),
    ]
)
MEASURED = "SELECT * FROM pairs WHERE term_difference IS NOT NULL OR more_than IS NOT NULL"
# Rows and weights of all pairs, or of those measured.
COUNTED = f"SELECT count(*) AS number, coalesce({total()}, 0) AS pairs"
SQUARES = f"""
SELECT coalesce({total()}, 0) AS squares
FROM (SELECT {units("weight * weight")} AS units FROM measured) AS squared
"""

# A difference, and the weight of the measured pairs that have it.
Counts = Sequence[tuple[int | None, float]]


@dataclass(frozen=True)
class Measured:
    """How many rows a table of pairs has and for how many pairs they stand, and the same of those
    measured; the sum of squares of the weights of these."""

    rows: int
    pairs: float
    measured_rows: int
    measured: float
    squares: float

    @property
    def estimated(self) -> bool:
        return self.measured_rows < self.rows

    @property
    def size(self) -> float:
        """How many pairs, drawn evenly from endlessly many, would tell as much."""
        if not self.estimated:
            return inf
        return self.measured**2 / self.squares / (1 - self.measured_rows / self.rows)

    def count(self, weight: float) -> Estimate:
        """How many pairs are of a kind of which so many were measured."""
        if not self.estimated:
            return Estimate(weight, weight, weight)
        low, high = wilson(ratio(weight, self.measured), self.size)
        # What was measured is known.
        return Estimate(
            weight / self.measured * self.pairs,
            max(weight, low * self.pairs),
            min(self.pairs - (self.measured - weight), high * self.pairs),
        )


def term_differences(database: "Database") -> tuple[dict[str, pa.Table], dict[str, Any]]:
    """Tables of differences by name, and the facts about them, of the table `pairs`; none if
    nothing was measured."""
    if "term_difference" not in database.columns("pairs"):
        return {}, {}
    database.view("measured", MEASURED)
    every, some = (database.row(f"{COUNTED} FROM {name}") for name in ("pairs", "measured"))
    measured = Measured(
        *(every["number"], every["pairs"], some["number"], some["pairs"]),
        database.row(SQUARES)["squares"],
    )
    tables, facts = {}, {}
    if some["number"] and measured.estimated:
        facts["pairs measured"] = some["number"]
    for name, (column, images) in TABLES.items():
        counts = [
            (row["difference"], row["pairs"])
            for row in database.table(differences(column)).to_pylist()
        ]
        tables[name] = difference_table(counts, measured)
        facts |= difference_facts(counts, measured, images)
    return tables, facts


def differences(column: str) -> str:
    """SQL for how many pairs have which difference. Nulls here are above the limit: they are large,
    and beyond any quantile that is not."""
    return f"""
    SELECT {column} AS difference, {total()} AS pairs FROM measured
    GROUP BY {column} ORDER BY {column} NULLS LAST
    """


def difference_table(counts: Counts, measured: Measured) -> pa.Table:
    rows = []
    for difference, weight in counts:
        pairs = measured.count(weight)
        rows.append(
            {
                "difference": difference,
                "pairs": round(pairs.value),
                "pairs_low": round(pairs.low),
                "pairs_high": round(pairs.high),
                "estimated": measured.estimated,
            }
        )
    return pa.Table.from_pylist(rows, DIFFERENCES)


def difference_facts(counts: Counts, measured: Measured, images: str) -> dict[str, Any]:
    """What section 3.2 says of term differences; those above the limit count as large ones, and the
    average is of the others. Estimates have their interval beside them."""
    whole = sum(weight for _, weight in counts)
    if not whole:
        return {}
    counted = [(difference, weight) for difference, weight in counts if difference is not None]
    above = whole - sum(weight for _, weight in counted)
    large = whole - sum(weight for difference, weight in counted if difference <= LARGE)
    found = {
        f"average term difference{images}": average(counted, measured.size),
        f"median term difference{images}": quantile_estimate(counted, measured, 0.5),
        f"share of term difference 2{images}": share(dict(counted).get(2, 0.0), measured),
        f"90th percentile of term differences{images}": quantile_estimate(counted, measured, 0.9),
        f"pairs with term difference over {LARGE}{images}": rounded(measured.count(large)),
    }
    if above:
        name = f"pairs above the limit of term differences{images}"
        found[name] = rounded(measured.count(above))
    facts: dict[str, Any] = {}
    for name, (value, low, high) in found.items():
        facts[name] = value
        if measured.estimated:
            facts |= {f"{name}, low": low, f"{name}, high": high}
    return {name: value for name, value in facts.items() if value is not None}


# A number, and the ends of its interval; None where it is above the limit, or there is none.
WithInterval = tuple[float | None, float | None, float | None]


def rounded(count: Estimate) -> WithInterval:
    return round(count.value), round(count.low), round(count.high)


def share(weight: float, measured: Measured) -> WithInterval:
    return ratio(weight, measured.measured), *wilson(
        ratio(weight, measured.measured), measured.size
    )


def average(counted: Iterable[tuple[int, float]], size: float) -> WithInterval:
    """The average difference, and an interval of 1.96 standard errors."""
    rows = [*counted]
    whole = sum(weight for _, weight in rows)
    mean = ratio(sum(difference * weight for difference, weight in rows), whole)
    variance = ratio(sum(weight * (difference - mean) ** 2 for difference, weight in rows), whole)
    reach = Z * sqrt(variance / size)
    return mean, max(0.0, mean - reach), mean + reach


def quantile_estimate(
    counted: Sequence[tuple[int, float]], measured: Measured, at: float
) -> WithInterval:
    """A quantile, and those that it may be where the share below it is not known exactly."""
    low, high = wilson(at, measured.size)
    value, lower, upper = (quantile(counted, measured.measured, each) for each in (at, low, high))
    return value, lower, upper


def quantile(counted: Iterable[tuple[int, float]], whole: float, share: float) -> int | None:
    """The least difference that at least this share of the pairs does not exceed; None if that is
    above the limit."""
    reached = 0.0
    for difference, pairs in sorted(counted):
        reached += pairs
        if reached >= share * whole - 1e-9:
            return difference
    return None
