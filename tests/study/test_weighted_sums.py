"""Sums that no order changes."""

from fractions import Fraction

import numpy as np

from webecho.study.weighted_sums import weighted_sum


def test_the_order_does_not_matter() -> None:
    rng = np.random.default_rng(1)
    counts = rng.integers(1, 1000, 5001).astype(np.float64)
    values = rng.normal(size=5001) * 10.0 ** rng.integers(-8, 8, 5001)
    exact = float(sum(Fraction(each) for each in (counts * values).tolist()))
    for _ in range(5):
        order = rng.permutation(5001)
        assert weighted_sum(counts[order], values[order]) == exact


def test_of_nothing_it_is_nothing() -> None:
    assert weighted_sum(np.array([]), np.array([])) == 0.0
