"""Shares: how large a part is of the whole, and how sure that is if it was sampled."""

from math import inf, sqrt

# The normal quantile of a 95 % interval.
Z = 1.959963984540054


def ratio(part: float, whole: float) -> float:
    """The share of a part; nothing of nothing is 0."""
    return part / whole if whole else 0.0


def wilson(share: float, size: float, quantile: float = Z) -> tuple[float, float]:
    """The shares that a sample of this size with this share does not contradict."""
    if size == inf:
        return share, share
    scale = 1 + quantile**2 / size
    centre = (share + quantile**2 / (2 * size)) / scale
    half = quantile / scale * sqrt(share * (1 - share) / size + quantile**2 / (4 * size**2))
    return max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half))


def student(freedom: float) -> float:
    """The quantile of Student's t of a 95 % interval, by Fisher's expansion: from three degrees of
    freedom on it is right to 1 %, at two it is 4 % short; fewer count as two."""
    f = max(freedom, 2.0)
    first = (Z**3 + Z) / 4
    second = (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    third = (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384
    return Z + first / f + second / f**2 + third / f**3
