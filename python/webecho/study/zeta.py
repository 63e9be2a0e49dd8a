"""*Zeta*: the sum of n to the −s over all whole numbers n from q on (Hurwitz), which makes shares
of a power law of whole numbers.

By the Euler–Maclaurin formula from 16 on, where seven of its terms have ten digits or more for
exponents up to 10; what is below is summed up. Logarithms, for far out the sums are too small for
a number.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

START = 16


def log_zeta(exponents: Any, firsts: Any) -> Floats:
    """The logarithm of Σ n⁻ˢ for n ≥ q, element by element, for s > 1 and q ≥ 1."""
    s, q = np.broadcast_arrays(np.asarray(exponents, np.float64), np.asarray(firsts, np.float64))
    found = np.atleast_1d(euler_maclaurin(s, q))
    low = q < START
    if low.any():
        found[np.atleast_1d(low)] = from_the_start(s[low], q[low])
    return found.reshape(s.shape)


def euler_maclaurin(s: Floats, q: Floats) -> Floats:
    """q⁻ˢ · (q / (s − 1) + 1 / 2 + s / 12 q − s (s + 1) (s + 2) / 720 q³ + …), as a logarithm."""
    inverse = 1 / q
    square = inverse * inverse
    fifth = (s + 7) * (s + 8) * square / 39.6
    fourth = (s + 5) * (s + 6) * square / 40 * (1 - fifth)
    third = (s + 3) * (s + 4) * square / 42 * (1 - fourth)
    second = (s + 1) * (s + 2) * square / 60 * (1 - third)
    rest = s * inverse / 12 * (1 - second)
    logarithm: Floats = np.log(q / (s - 1) + 0.5 + rest) - s * np.log(q)
    return logarithm


def from_the_start(s: Floats, q: Floats) -> Floats:
    """The same with the first terms summed up."""
    numbers = q[:, None] + np.arange(START)
    terms = np.exp(-s[:, None] * np.log(numbers / q[:, None])).sum(axis=1)
    rest = np.exp(euler_maclaurin(s, q + START) + s * np.log(q))
    logarithm: Floats = np.log(terms + rest) - s * np.log(q)
    return logarithm
