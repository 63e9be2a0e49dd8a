"""A log-normal is found in sizes drawn from one."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from webecho.study.log_normal import descend, log_between, log_erfc, log_normal, log_shares

SIZES = np.arange(3.0, 4000.0)


def by_scipy(sizes: np.ndarray, least: float, mu: float, sigma: float) -> np.ndarray:
    ends = [(np.log(sizes + half) - mu) / sigma for half in (-0.5, 0.5)]
    whole = norm.sf((math.log(least - 0.5) - mu) / sigma)
    return np.log((norm.sf(ends[0]) - norm.sf(ends[1])) / whole)


def test_shares_are_those_of_a_rounded_log_normal() -> None:
    mu, sigma = 1.2, 1.4
    bend = 1 / (2 * sigma**2)
    found = log_shares(SIZES, 3, 1 - mu / sigma**2, math.log(bend))
    assert found == pytest.approx(by_scipy(SIZES, 3, mu, sigma), abs=1e-7)
    # All of it, but for what is larger than these sizes.
    assert np.exp(found).sum() == pytest.approx(1, abs=1e-4)


def test_the_best_one_is_found() -> None:
    chance = np.random.default_rng(1)
    drawn = np.round(np.exp(chance.normal(2, 0.8, 20_000)))
    sizes, counts = np.unique(drawn[drawn >= 3], return_counts=True)
    found = log_normal(sizes, counts.astype(float), 3, 2.5)
    true = by_scipy(sizes, 3, 2, 0.8)
    assert np.dot(counts, found) >= np.dot(counts, true)
    assert found == pytest.approx(true, abs=0.5)


def test_tails_have_digits() -> None:
    values = np.array([-3.0, 0.0, 5.0, 19.0, 21.0])
    expected = [math.log(2) + norm.logsf(value * math.sqrt(2)) for value in values]
    assert log_erfc(values) == pytest.approx(expected, rel=1e-9)
    low, high = np.array([-9.0, 25.0]), np.array([-8.9, 25.1])
    both = log_between(low, high)
    assert both[0] == pytest.approx(math.log(math.erfc(8.9) - math.erfc(9.0)))
    assert both[1] == pytest.approx(-(25.0**2) - math.log(25 * math.sqrt(math.pi)), abs=0.02)


def test_the_least_of_a_function() -> None:
    found = descend(lambda at: (at[0] - 3) ** 2 + 2 * (at[1] + 1) ** 2, np.array([0.0, 0.0]))
    assert found == pytest.approx([3, -1], abs=1e-3)
