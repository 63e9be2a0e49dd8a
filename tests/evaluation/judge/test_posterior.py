"""What labels tell of the pairs without one: by exact sums and by simulation, and intervals that
hold what they promise on made-up webs."""

import random
from math import comb, inf
from pathlib import Path
from statistics import fmean

import pytest

from tests.evaluation.webs import Web, coverage, made
from webecho.evaluation.judge.posterior import (
    ADDED,
    GRID,
    Beta,
    Moments,
    Seen,
    beta_binomial,
    hits_left,
    likelihoods,
    limits,
    quantile,
    student,
)


def test_moments_of_a_beta_binomial_summed_up() -> None:
    """Each number of hits with its probability, by the definition."""
    beta, seen, added = Beta(0.3, 0.7), Seen(labels=4, hits=3, left=9), 0.25
    a, b = 0.3 + 3 + 0.25, 0.7 + 1 + 0.25

    def rising(value: float, times: int) -> float:
        found = 1.0
        for step in range(times):
            found *= value + step
        return found

    chances = [comb(9, k) * rising(a, k) * rising(b, 9 - k) / rising(a + b, 9) for k in range(10)]
    assert sum(chances) == pytest.approx(1)
    mean = sum(k * chance for k, chance in enumerate(chances))
    central = [sum((k - mean) ** n * chance for k, chance in enumerate(chances)) for n in (2, 3)]
    assert beta_binomial(beta, seen, added) == pytest.approx((mean, *central))


def test_likelihoods_by_the_definition() -> None:
    # Two hits and one other, one after the other: a (a + 1) b / ((a + b) (a + b + 1) (a + b + 2)).
    found = likelihoods(3, 2)
    a, b = GRID[50].hits, GRID[50].others
    size = a + b
    by_hand = a * (a + 1) * b / (size * (size + 1) * (size + 2))
    assert 2.718281828459045 ** found[50] == pytest.approx(by_hand)


def test_pure_strata_make_labels_that_agree_tell_more() -> None:
    """Three labels that agree, beside strata that are pure, and beside strata that are mixed."""
    here = Seen(3, 3, 100)
    pure = [Seen(20, hits, 100) for hits in (0, 20, 20, 0, 20, 0, 20, 20)]
    mixed = [Seen(20, hits, 100) for hits in (9, 11, 12, 8, 10, 10, 13, 7)]

    def alone(others: list[Seen]) -> float:
        with_it, without = hits_left([here, *others]), hits_left(others)
        return with_it.variance - without.variance

    assert alone(pure) < alone(mixed) / 3


def test_the_posterior_by_simulation() -> None:
    """Betas drawn from the prior, labels and what is left drawn from them: of those that gave just
    these labels, the hits that were left."""
    strata = [Seen(2, 2, 6), Seen(3, 1, 5)]
    chance = random.Random(4)
    found = []
    pairs = sum(each.labels + each.left for each in strata)
    for _ in range(400_000):
        beta = chance.choice(GRID)
        shares = [chance.betavariate(beta.hits, beta.others) for _ in strata]
        hits = [
            sum(chance.random() < share for _ in range(int(each.labels)))
            for share, each in zip(shares, strata, strict=True)
        ]
        if hits == [each.hits for each in strata]:
            found.append(
                sum(
                    chance.random() < share
                    for share, each in zip(shares, strata, strict=True)
                    for _ in range(int(each.left))
                )
            )
    told = hits_left(strata)
    mean = fmean(found)
    # What is thought to have been seen besides draws it somewhat to the middle.
    drawn = ADDED * sum((each.labels + each.left) / pairs * each.left / 3 for each in strata)
    assert len(found) > 10_000
    assert abs(told.mean - mean) < drawn
    assert told.variance == pytest.approx(fmean((each - mean) ** 2 for each in found), rel=0.15)


def test_quantiles_as_they_are_in_books() -> None:
    for freedom, known in ((3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (inf, 1.960)):
        assert student(freedom) == pytest.approx(known, rel=0.01)
    # A gamma distribution with shape 4 has the skewness 1: its 2.5 % and 97.5 % quantiles are half
    # of those of chi square with eight degrees of freedom, 2.180 and 17.535.
    for normal, chi_square in ((-1.959964, 2.180), (1.959964, 17.535)):
        assert 4 + 2 * quantile(1, normal) == pytest.approx(chi_square / 2, abs=0.02)
    assert quantile(0, 1.96) == 1.96
    assert limits(7, Moments(7, 0, 0, 5)) == (7, 7)


# Webs of different sizes, and how many pairs are labelled.
WEBS = {1500: 300, 3000: 300, 6000: 500}
# A share from here on, or less than as far from 0, is near 1: its intervals may hold more often.
NEAR = 0.95


@pytest.fixture(scope="module", params=WEBS, ids=str)
def web(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Web:
    return made(tmp_path_factory.mktemp("web"), request.param, 1)


def check(web: Web, size: int, repetitions: int, least: float, most: float) -> None:
    """Holds the coverage of every rule, over all pairs and by site, against bounds."""
    found = coverage(web, size, repetitions)
    assert len(found) == 12
    for told, covered in found.items():
        truth = web.shares[told]
        above = 1.0 if max(truth, 1 - truth) >= NEAR else most
        assert least <= covered <= above, (told, truth, covered)


def test_intervals_of_samples_of_made_up_webs_cover_the_truth(web: Web) -> None:
    """What covers 93 % does so in 177 of 200 or more but for once in a hundred; all of 200 are not
    too many for what covers 97 %."""
    check(web, WEBS[web.workspace.pages], 200, 177 / 200, 1.0)


@pytest.mark.soak
@pytest.mark.parametrize("pages", [4000, 12_000, 40_000])
def test_intervals_of_1000_samples_of_made_up_webs_cover_the_truth(
    tmp_path: Path, pages: int
) -> None:
    check(made(tmp_path, pages, 1), 500, 1000, 0.93, 0.97)
