"""*Log-log line*: the papers' way to an exponent, a straight line through counts by size on
logarithmic scales, whose slope it is.

The sizes are put into bins that double (1, 2–3, 4–7 …), because of large sizes there are too few
to count each. The line is the least squares fit through the logarithms of the densities of bins
with ten things or more: that a sparse bin is not empty is luck, and would lift the line. The
exponent's error is the standard error of the slope. The *spread* is how far the single sizes lie
from the line: the root mean square, in decades (Henzinger 2006, section 3.4.1, compares it by eye).
Beyond a factor of two the line *misses*. How likely it is, no such line tells: see power_law.py.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

LEAST_BINS, LEAST_COUNT = 4, 10
# A spread in decades, a factor of two.
MISSED = math.log10(2)


@dataclass(frozen=True)
class Line:
    """log₁₀ count = intercept + exponent · log₁₀ size."""

    exponent: float
    error: float
    intercept: float
    spread: float

    @property
    def misses(self) -> bool:
        return self.spread > MISSED

    def count(self, size: float) -> float:
        """What the line says of a size."""
        return float(10 ** (self.intercept + self.exponent * math.log10(size)))


def log_log_line(counts: Mapping[int, float]) -> Line | None:
    """The line through counts by size (from 1 up); None if fewer than four bins have enough."""
    bins: dict[int, float] = {}
    for size, count in counts.items():
        if size >= 1 and count > 0:
            number = size.bit_length() - 1
            bins[number] = bins.get(number, 0.0) + count
    bins = {number: total for number, total in bins.items() if total >= LEAST_COUNT}
    if len(bins) < LEAST_BINS:
        return None
    # The middle of a bin on a logarithmic scale, by the sizes that it really has.
    points = [(middle(number), math.log10(total / 2**number)) for number, total in bins.items()]
    mean_x, mean_y = (sum(values) / len(points) for values in zip(*points, strict=True))
    width = sum((x - mean_x) ** 2 for x, _ in points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / width
    intercept = mean_y - slope * mean_x
    left = sum((y - intercept - slope * x) ** 2 for x, y in points)
    error = math.sqrt(left / (len(points) - 2) / width)
    off = [
        math.log10(count) - intercept - slope * math.log10(size)
        for size, count in counts.items()
        if size >= 1 and count > 0
    ]
    spread = math.sqrt(sum(each**2 for each in off) / len(off))
    return Line(slope, error, intercept, spread)


def middle(number: int) -> float:
    """The mean logarithm of the sizes 2ⁿ … 2ⁿ⁺¹ − 1."""
    low, high = 1 << number, 2 << number
    if number < 10:
        return sum(math.log10(size) for size in range(low, high)) / (high - low)
    # The integral, from half a step before.
    low_edge, high_edge = low - 0.5, high - 0.5
    whole = high_edge * math.log(high_edge) - low_edge * math.log(low_edge)
    return (whole / (high - low) - 1) / math.log(10)
