"""*Log-normal*: sizes whose logarithms are normally distributed, the usual other explanation of
what looks like a power law (Clauset, Shalizi and Newman 2009, section 5).

Of whole numbers n has the share between n − ½ and n + ½, of what is from the least size on. It is
told by the slope a and the bend b of its logarithm, −a · ln x − b · ln² x, which are 1 − μ / σ²
and 1 / 2σ²: where the bend goes to 0, the log-normal becomes a power law of the exponent a, and
the fit ends there instead of running away.
"""

import math
from collections.abc import Callable

import numpy as np

from webecho.study.weighted_sums import weighted_sum
from webecho.study.zeta import Floats

# The least bend, a σ of 23: over any sizes that is a straight line.
LEAST_BEND = 1e-3
STEPS = 400
# From here on the series of erfc has all digits.
FAR = 20.0


def log_normal(sizes: Floats, counts: Floats, least: float, slope: float) -> Floats:
    """The logarithms of the shares that the best log-normal gives the sizes, all at least `least`;
    `slope` is where the search for it begins."""

    def missing(point: Floats) -> float:
        return -weighted_sum(counts, log_shares(sizes, least, *point))

    # From a straight line and from a strong bend: the better of both.
    starts = [np.array([slope, math.log(0.02)]), np.array([0.0, math.log(0.2)])]
    found = [descend(missing, start) for start in starts]
    return log_shares(sizes, least, *min(found, key=missing))


def log_shares(sizes: Floats, least: float, slope: float, log_bend: float) -> Floats:
    """The logarithms of the shares of sizes; the bend is at least `LEAST_BEND`."""
    bend = max(LEAST_BEND, math.exp(min(log_bend, 50.0)))
    # (ln x − μ) / σ√2
    middle = (1 - slope) / (2 * bend)
    width = math.sqrt(bend)
    low, high = ((np.log(sizes + half) - middle) * width for half in (-0.5, 0.5))
    whole = log_erfc(np.array([(math.log(least - 0.5) - middle) * width]))
    shares: Floats = log_between(low, high) - whole
    return shares


def log_between(low: Floats, high: Floats) -> Floats:
    """log (erfc(low) − erfc(high)); below 0 by the other tail, where digits are left."""
    mirrored = high < 0
    near = np.where(mirrored, -high, low)
    far = np.where(mirrored, -low, high)
    first, second = log_erfc(near), log_erfc(far)
    with np.errstate(divide="ignore"):
        found: Floats = first + np.log(-np.expm1(np.minimum(second - first, 0)))
    # So narrow that nothing is left of the difference: the density, times the width.
    narrow = ~np.isfinite(found)
    if narrow.any():
        width = np.maximum(far - near, 1e-300)
        found[narrow] = (np.log(2 * width / math.sqrt(math.pi)) - near**2)[narrow]
    return found


def log_erfc(values: Floats) -> Floats:
    found = np.empty_like(values)
    far = values > FAR
    found[~far] = np.log(np.fromiter(map(math.erfc, values[~far].tolist()), np.float64))
    square = values[far] ** 2
    series = 1 - 1 / (2 * square) * (1 - 3 / (2 * square) * (1 - 5 / (2 * square)))
    found[far] = -square - np.log(values[far] * math.sqrt(math.pi)) + np.log(series)
    return found


def descend(value: Callable[[Floats], float], start: Floats) -> Floats:
    """Where a function of two numbers is least (Nelder and Mead 1965)."""
    corners = [start + np.array(step) for step in ((0, 0), (0.5, 0), (0, 1))]
    ranked = sorted((value(corner), tuple(corner)) for corner in corners)
    for _ in range(STEPS):
        (best, first), (second, middle), (worst, last) = ranked
        if abs(worst - best) <= 1e-10 * (abs(best) + 1e-10):
            break
        centre = (np.array(first) + np.array(middle)) / 2
        away = centre - np.array(last)

        def at(
            reach: float, centre: Floats = centre, away: Floats = away
        ) -> tuple[float, tuple[float, ...]]:
            point = centre + reach * away
            return value(point), tuple(point)

        tried = at(1.0)
        if tried[0] < best:
            tried = min(tried, at(2.0))
        elif tried[0] >= second:
            tried = min(at(0.5), at(-0.5))
        if tried[0] < worst:
            ranked = sorted([ranked[0], ranked[1], tried])
            continue
        shrunk = [(np.array(first) + np.array(each)) / 2 for each in (middle, last)]
        ranked = sorted([ranked[0], *((value(point), tuple(point)) for point in shrunk)])
    return np.array(ranked[0][1])
