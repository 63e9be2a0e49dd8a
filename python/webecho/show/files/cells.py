"""*Cells*: the values of a table as they stand in print: shares as percentages, thousands in
groups, intervals beside what they are of, and the paper's number beside ours.

What a column is, its name tells: `…_low` and `…, low` are an end of the interval of `…`, `…, paper`
is what a paper has for it, and in tables of facts the name of the fact tells of its value.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

ENDS = (("_low", "_high"), (", low", ", high"))
PAPER = "paper"
FACT = "fact"
UNIT = " %"
# Names of columns that print has otherwise.
PRINTED = {
    "b_similarity": "B-similarity",
    "c_similarity": "C-similarity",
    "c_range": "C-similarity",
    "r": "R",
}


@dataclass(frozen=True)
class Column:
    """A column in print."""

    header: str
    numeric: bool
    cells: Sequence[str]


def columns(table: pa.Table) -> list[Column]:
    """The columns of a table in print."""
    names = table.column_names
    facts = table[FACT].to_pylist() if FACT in names else None
    found = []
    for name in names:
        ends = interval_of(name, names)
        values = table[name].to_pylist()
        if ends is not None and ends[0] in names and is_numeric(table, ends[0]):
            # It stands beside what it is of.
            continue
        if ends is not None and name == ends[1]:
            # A range of numbers that has no middle: the paper's over its collections.
            high = table[ends[2]].to_pylist()
            cells = [
                between(*both, as_named(ends[0], facts, row), "")
                for row, both in enumerate(zip(values, high, strict=True))
            ]
            found.append(Column(header(ends[0]), True, cells))
            continue
        if ends is not None:
            continue
        low, high = (ends_of(table, name, number) for number in (0, 1))
        cells = []
        for row, value in enumerate(values):
            shown = as_named(name, facts, row)
            own = shown(value)
            if low is not None and high is not None and low[row] is not None and own:
                own += f" {between(low[row], high[row], shown, '()')}"
            cells.append(own)
        found.append(Column(header(name), is_numeric(table, name), cells))
    return found


def interval_of(name: str, names: Sequence[str]) -> tuple[str, str, str] | None:
    """What a column has an end of the interval of, and both ends; None if it is none."""
    for low, high in ENDS:
        for end in (low, high):
            base = name.removesuffix(end)
            if base != name and {f"{base}{low}", f"{base}{high}"} <= {*names}:
                return base, f"{base}{low}", f"{base}{high}"
    return None


def ends_of(table: pa.Table, name: str, end: int) -> list[Any] | None:
    for both in ENDS:
        if all(f"{name}{each}" in table.column_names for each in both):
            values: list[Any] = table[f"{name}{both[end]}"].to_pylist()
            return values
    return None


def is_numeric(table: pa.Table, name: str) -> bool:
    kind = table.schema.field(name).type
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def header(name: str) -> str:
    """A column's name in print; of the paper's numbers it is only that."""
    if name == PAPER or name.endswith(f", {PAPER}"):
        return PAPER
    spelt = PRINTED.get(name, name.replace("_", " "))
    return spelt.replace("share", "%", 1) if is_share(name) else spelt


def is_share(name: str) -> bool:
    return "share" in name


def between(low: Any, high: Any, shown: Callable[[Any], str], brackets: str) -> str:
    if low is None or high is None:
        return ""
    ends = shown(low), shown(high)
    if low == high and not brackets:
        return ends[0]
    # A unit stands once.
    first = ends[0].removesuffix(UNIT) if ends[1].endswith(UNIT) else ends[0]
    return f"{brackets[:1]}{first}–{ends[1]}{brackets[1:]}"


def as_named(name: str, facts: Sequence[str] | None, row: int) -> Callable[[Any], str]:
    """How a value of a column, or of a fact, is written."""
    if facts is not None:
        return lambda value: fact(facts[row], value)
    if is_share(name):
        return lambda value: percent(value) if isinstance(value, float) else text(value)
    if name.removesuffix(f", {PAPER}").endswith("pairs"):
        return lambda value: text(round(value) if isinstance(value, float) else value)
    return text


def fact(name: str, value: Any) -> str:
    if isinstance(value, float) and is_share(name):
        return f"{percent(value)}{UNIT}"
    return text(int(value) if isinstance(value, float) and value.is_integer() else value)


def percent(value: float) -> str:
    return f"{100 * value:.1f}"


def text(value: Any) -> str:
    """A value alone: whole numbers in groups, others to two digits that count. What is near 0 or 1,
    as probabilities are, is told from it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}".replace("-", "−")
    if not isinstance(value, float):
        return str(value)
    size = abs(value)
    if 0 < size < 0.0005:
        return "<0.001" if value > 0 else "−0.000"
    if 0.9995 <= size < 1:
        return ">0.999" if value > 0 else "<−0.999"
    near = 0 < size < 0.005 or 0.995 <= size < 1
    digits = 3 if near else 2 if size < 100 else 1 if size < 1000 else 0
    return f"{value:,.{digits}f}".replace("-", "−")
