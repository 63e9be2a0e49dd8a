"""Sums of *weights* in SQL: a pair of a sampled hot bucket stands for as many as its weight says.

Sums of floats depend on the order of the rows, and threads come in any order. So a weight is a
whole number of small units, and sums of those are the same in any order.
"""

# A power of two: whole weights, and so their sums and shares, are what they would be as floats.
UNIT = 1 << 32


def units(weight: str) -> str:
    """SQL for a weight in units."""
    return f"CAST(round({weight} * {UNIT}) AS DECIMAL(38, 0))"


def total(where: str | None = None, *, times: str | None = None) -> str:
    """SQL for the sum of `units`, in pairs: of the rows `where` something holds, each `times` a
    whole number."""
    summed = "units" if times is None else f"units * {times}"
    some = "" if where is None else f" FILTER (WHERE {where})"
    return f"(CAST(sum({summed}){some} AS DOUBLE) / {UNIT})"
