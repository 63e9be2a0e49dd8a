"""The permutation test, held against all permutations."""

from itertools import combinations

import numpy as np
import pytest

from webecho.study.permutation import drawn_half, left_in, permutation_test
from webecho.study.reuse_matches import Matches, Together


def matches(found: dict[int, int]) -> Matches:
    """New pages, each by one query, from old pages of its own."""
    count = len(found)
    own = np.arange(count)
    together = Together(np.arange(count + 1), np.array([*found.values()], np.int64))
    ten = np.full(count, 10)
    new = np.array([*found])
    return Matches(new, 2 * own, 2 * own + 1, ten, ten, ten, own, own, own, count, together)


def flags(queries: set[int], count: int) -> np.ndarray:
    return np.array([query in queries for query in range(count)])


def test_p_is_near_that_of_all_permutations() -> None:
    # Queries 0 to 3 of the real log find a page each, as does one of the four of the other.
    found = matches({0: 0, 1: 1, 2: 2, 3: 3, 4: 4})
    real, other = flags({0, 1, 2, 3}, 8), flags({4, 5, 6, 7}, 8)
    as_far = sum(
        len({*some} & {0, 1, 2, 3, 4}) - len({0, 1, 2, 3, 4} - {*some}) >= 3
        for some in combinations(range(8), 4)
    )
    exact = as_far / 70
    test = permutation_test(found, real, other, 4000, 1)
    assert (test.real, test.other) == (4, 1)
    assert test.p == (test.as_far + 1) / 4001
    assert test.p == pytest.approx(exact, abs=0.02)


def test_queries_of_both_stay_in_both() -> None:
    found = matches({page: page for page in range(6)})
    real, other = flags({0, 1, 2, 3}, 6), flags({0, 1, 4, 5}, 6)
    test = permutation_test(found, real, other, 50, 0)
    # Whatever is handed out, each finds the two of both, and two more.
    assert (test.real, test.other, test.as_far, test.p) == (4, 4, 50, 1.0)
    drawn = drawn_half(real & other, np.array([2, 3, 4, 5]), 2, np.random.default_rng(0))
    assert drawn[:2].all() and drawn.sum() == 4


def test_the_same_seed_the_same_answer() -> None:
    found = matches({page: page for page in range(10)})
    real, other = flags({*range(7)}, 20), flags({*range(10, 20)}, 20)
    tests = [permutation_test(found, real, other, 100, seed) for seed in (1, 1, 2)]
    assert tests[0] == tests[1]
    assert left_in(found, real) == 7


def test_nothing_is_found_without_matches() -> None:
    none = matches({})
    test = permutation_test(none, flags({0}, 2), flags({1}, 2), 9, 0)
    assert (test.real, test.other, test.p) == (0, 0, 1.0)
