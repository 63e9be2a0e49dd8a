from fractions import Fraction
from itertools import combinations

import numpy as np
from bench.jaccard import needed, pairs_at
from hypothesis import given
from hypothesis import strategies as st

FOUR_FIFTHS = Fraction(4, 5)


def arrays(sets):
    return [np.array(sorted(one), np.int64) for one in sets]


def found(sets, least=FOUR_FIFTHS):
    return [tuple(row) for row in pairs_at(arrays(sets), least).tolist()]


def by_comparing_all(sets, least):
    return [
        (left, right)
        for left, right in combinations(range(len(sets)), 2)
        if sets[left]
        and sets[right]
        and Fraction(len(sets[left] & sets[right]), len(sets[left] | sets[right])) >= least
    ]


def test_a_pair_just_at_the_bound_is_in_and_one_just_below_is_not():
    # 4 shared of 5: exactly 0.8. 7 shared of 9: 0.78.
    assert found([{1, 2, 3, 4, 5}, {1, 2, 3, 4}]) == [(0, 1)]
    assert found([set(range(8)), set(range(1, 9))]) == []


def test_copies_are_pairs_and_empty_sets_are_none():
    assert found([{1, 2}, set(), {1, 2}, set(), {1, 2}]) == [(0, 2), (0, 4), (2, 4)]


def test_copies_of_both_sides_are_paired_with_each_other():
    near = {1, 2, 3, 4, 5}
    assert found([near, near - {5}, near, near - {5}]) == list(combinations(range(4), 2))


def test_no_sets_have_no_pairs():
    assert found([]) == []
    assert found([set()]) == []


def test_needed_is_rounded_up_without_rounding_errors():
    assert [needed(size, FOUR_FIFTHS) for size in (0, 1, 4, 5, 6, 15)] == [0, 1, 4, 4, 5, 12]


# Few elements and many sets, so that near pairs, copies and chains are frequent.
@given(
    st.lists(st.sets(st.integers(-9, 9)), max_size=25),
    st.sampled_from([Fraction(1, 2), FOUR_FIFTHS, Fraction(9, 10), Fraction(1)]),
)
def test_the_join_finds_what_comparing_all_pairs_finds(sets, least):
    assert found(sets, least) == by_comparing_all(sets, least)


def test_the_join_finds_all_near_pairs_of_larger_sets():
    generator = np.random.default_rng(5)
    sets = []
    for _ in range(40):
        base = set(generator.integers(0, 1 << 40, 60).tolist()) | set(range(10))
        for _ in range(3):
            drop = set(generator.permutation(sorted(base))[: generator.integers(0, 20)].tolist())
            sets.append(base - drop)
    expected = by_comparing_all(sets, FOUR_FIFTHS)
    assert len(expected) > 20
    assert found(sets) == expected
