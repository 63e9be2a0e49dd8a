"""Sums over counts by size that are the same on every machine and in every order: libraries for
vectors add in an order of their own, by threads and processors, which changes the last digits."""

import math

from webecho.study.zeta import Floats


def weighted_sum(counts: Floats, values: Floats) -> float:
    """The sum of each value times its count, rounded once."""
    return math.fsum((counts * values).tolist())
