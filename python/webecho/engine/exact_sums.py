"""Sums of floats in SQL that are the same in whatever order the rows come.

Threads come in any order, and sums of floats depend on it. So a float, such as the *weight* of a
pair (for how many pairs it stands), is a whole number of small units, and those are summed.
"""

# A power of two: whole numbers, and so their sums and shares, are what they would be as floats.
UNIT = 1 << 48


def units(value: str) -> str:
    """SQL for a number in units."""
    return f"CAST(round({value} * {UNIT}) AS DECIMAL(38, 0))"


def total(where: str | None = None, *, times: str | None = None, of: str = "units") -> str:
    """SQL for the sum of a column of units, as a number again: of the rows `where` something holds,
    each `times` a whole number."""
    summed = of if times is None else f"{of} * {times}"
    some = "" if where is None else f" FILTER (WHERE {where})"
    return f"(CAST(sum({summed}){some} AS DOUBLE) / {UNIT})"
