"""Probabilities of visits: by hand, and calibrated on visits whose rates are known."""

import numpy as np
import pytest

from webecho.study.revisit_model import (
    TOGETHER,
    Bin,
    Histories,
    Strengths,
    calibration,
    curve,
    fitted_curve,
    learned,
    log_loss,
    odds,
    probabilities,
)


def histories(
    own: list[tuple[int, int]],
    cluster: list[tuple[float, float]],
    host: list[tuple[float, float]],
    same_now: list[int] | None = None,
    clusters: list[int] | None = None,
    outcome: list[int] | None = None,
    stood: list[tuple[float, float]] | None = None,
    standing: tuple[float, float] = (0, 0),
) -> Histories:
    def pair(values: list[tuple[float, float]]) -> tuple[np.ndarray, np.ndarray]:
        visits, same = np.array(values, float).T
        return visits, same

    count = len(own)
    return Histories(
        np.array(same_now or [1] * count),
        *(pair(own), pair(cluster), pair(host), pair(stood or [(0, 0)] * count)),
        *(((9, 0), (99, 89.5)), standing),
        np.array(clusters or range(count)),
        np.array(outcome or [1] * count),
    )


def test_each_is_shrunk_towards_what_stands_behind_it() -> None:
    known = histories([(0, 0), (3, 3), (3, 0)], [(0, 0), (2, 1), (2, 1)], [(0, 0), (0, 0), (4, 0)])
    strengths = Strengths(cluster=1, host=2, all=4)
    # Of all: (89.5 + 0.5) / (99 + 1).
    base = 0.9
    second = (3 + 1 * ((1 + 2 * base) / (2 + 2))) / (3 + 1)
    host = (0 + 4 * base) / (4 + 4)
    third = (0 + 1 * ((1 + 2 * host) / (2 + 2))) / (3 + 1)
    assert probabilities(known, strengths).tolist() == pytest.approx([base, second, third])


def test_states_are_told_apart() -> None:
    known = histories([(0, 0)] * 2, [(0, 0)] * 2, [(0, 0)] * 2, same_now=[0, 1])
    assert probabilities(known, Strengths()).tolist() == pytest.approx([0.05, 0.9])


def test_representatives_go_away_too() -> None:
    known = histories(
        *([(0, 0)] * 3, [(0, 0)] * 3, [(0, 0)] * 3),
        same_now=[1, 1, 0],
        stood=[(0, 0), (6, 0), (6, 0)],
        standing=(9, 7.5),
    )
    # Of all representatives (7.5 + 0.5) / (9 + 1) stayed; one that never did counts six times.
    found = probabilities(known, Strengths(standing=2))
    assert found.tolist() == pytest.approx([0.9 * 0.8, 0.9 * (2 * 0.8) / 8, 0.05])


def test_too_few_outcomes_teach_nothing() -> None:
    few = histories([(3, 3)] * 10, [(0, 0)] * 10, [(0, 0)] * 10)
    assert learned(few) == Strengths()
    # Nor do many without visits before them.
    assert learned(histories([(0, 0)] * 500, [(0, 0)] * 500, [(0, 0)] * 500)) == Strengths()


def test_a_curve_takes_off_what_is_too_sure() -> None:
    chance = np.random.default_rng(1)
    truth = chance.uniform(-2, 2, 20_000)
    outcome = (chance.random(20_000) < curve(truth, 1, 0)).astype(int)
    # What is foretold is too sure by a factor of 1.6, and too low.
    slope, shift = fitted_curve(1.6 * truth - 0.5, outcome, np.ones(20_000))
    assert slope == pytest.approx(1 / 1.6, abs=0.03)
    assert shift == pytest.approx(0.5 / 1.6, abs=0.05)
    # It never turns around.
    slope, _ = fitted_curve(-truth, outcome, np.ones(20_000))
    assert slope == 0.5


def test_odds_are_finite() -> None:
    assert odds(np.array([0.0, 0.5, 1.0])).tolist() == [-12, 0, 12]
    worst = log_loss(np.array([0.0, 1.0]), np.array([1, 0]), np.ones(2))
    assert worst == pytest.approx(-np.log(1e-12))


def test_one_cluster_counts_for_ten_at_the_most() -> None:
    weights = histories([(0, 0)] * 42, [(0, 0)] * 42, [(0, 0)] * 42, clusters=[7] * 40 + [8, 9])
    assert weights.weights().tolist() == pytest.approx([TOGETHER / 40] * 40 + [1, 1])


def visits(seed: int, count: int) -> Histories:
    """Addresses whose rates lie around those of their clusters, these around those of their hosts,
    with up to eight visits before and one to foretell."""
    chance = np.random.default_rng(seed)
    hosts = chance.beta(4, 2, count // 100)
    clusters = chance.beta(8 * hosts.repeat(20), 8 * (1 - hosts.repeat(20))).clip(0.01, 0.99)
    of_cluster = np.arange(count) % len(clusters)
    rates = chance.beta(6 * clusters[of_cluster], 6 * (1 - clusters[of_cluster]))
    seen = chance.integers(0, 9, count)
    same = chance.binomial(seen, rates)

    def others(of: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return (np.bincount(of, seen)[of] - seen, np.bincount(of, same)[of] - same)

    return Histories(
        np.ones(count, int),
        *((seen, same), others(of_cluster), others(of_cluster // 20)),
        (np.zeros(count), np.zeros(count)),
        *(((0, 0), (float(seen.sum()), float(same.sum()))), (0, 0)),
        of_cluster,
        (chance.random(count) < rates).astype(int),
    )


@pytest.mark.parametrize("seed", range(3))
def test_what_is_learned_from_one_step_holds_for_the_next(seed: int) -> None:
    strengths = learned(visits(seed, 20_000))
    assert strengths.outcomes == 20_000 and strengths != Strengths()
    later = visits(seed + 100, 20_000)
    foretold = probabilities(later, strengths)
    bins = calibration(foretold, later, np.arange(20_000))
    assert [each.addresses for each in bins] == [2_000] * 10
    assert all(abs(each.off) < 3.5 for each in bins)
    assert bins[0].predicted < 0.35 and bins[-1].predicted > 0.9
    # It is of use: better than one rate for all, and than each one's own history alone.
    ones = np.ones(20_000)
    loss = log_loss(foretold, later.outcome, ones)
    visited, same = later.own
    assert loss < log_loss(np.full(20_000, later.outcome.mean()), later.outcome, ones) - 0.05
    assert loss < log_loss((same + 1) / (visited + 2), later.outcome, ones) - 0.01


def test_bins_by_hand() -> None:
    outcome = [1, 0, 1, 1, -1, 1]
    known = histories(
        [(0, 0)] * 6, [(0, 0)] * 6, [(0, 0)] * 6, clusters=[5, 5, 6, 7, 8, 7], outcome=outcome
    )
    foretold = np.array([0.2, 0.4, 0.3, 0.9, 0.5, 0.9])
    low, high = calibration(foretold, known, np.arange(6), bins=2)
    # The outcome of the fifth is not known. Sorted: the first, the third, the second; then 0.9.
    assert (low.addresses, low.clusters, low.low, low.high) == (3, 2, 0.2, 0.4)
    assert (low.predicted, low.observed) == (pytest.approx(0.3), pytest.approx(2 / 3))
    assert low.error == pytest.approx((0.16 + 0.21 + 0.24) ** 0.5 / 3)
    # Cluster 5: 0.8 − 0.4; cluster 6: 0.7.
    assert low.cluster_error == pytest.approx((0.4**2 + 0.7**2) ** 0.5 / 3)
    assert low.effective == pytest.approx(9 / 5)
    # By the larger of both errors.
    assert low.off == pytest.approx((2 / 3 - 0.3) / low.cluster_error)
    assert (high.addresses, high.observed, high.effective) == (2, 1, 1)


def test_no_error_is_off_by_none() -> None:
    assert Bin(5, 5, 1, 1, 1.0, 1.0, 0.0, 0.0, 5).off == 0
