"""Shares: how large a part is of the whole, and how sure that is if it was sampled."""

from math import inf, sqrt

# The normal quantile of a 95 % interval.
Z = 1.959963984540054


def ratio(part: float, whole: float) -> float:
    """The share of a part; nothing of nothing is 0."""
    return part / whole if whole else 0.0


def wilson(share: float, size: float) -> tuple[float, float]:
    """The shares that a sample of this size with this share does not contradict."""
    if size == inf:
        return share, share
    scale = 1 + Z**2 / size
    centre = (share + Z**2 / (2 * size)) / scale
    half = Z / scale * sqrt(share * (1 - share) / size + Z**2 / (4 * size**2))
    return max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half))
