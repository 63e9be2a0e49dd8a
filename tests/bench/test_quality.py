import numpy as np
import pytest
from bench.quality import common_shingles, components, truth


def sets(*written):
    """Each set is written as the letters in it."""
    return [np.unique(np.array([ord(letter) for letter in one], np.int64)) for one in written]


def scored(clusters, *written):
    ids = np.arange(10, 10 + len(written))
    known = truth(ids, sets(*written))
    return known.score(dict(zip(ids.tolist(), clusters, strict=True)))


# a ~ b (8 of 9) and b ~ c (8 of 10), but a and c share 7 of 10; d is alone.
CHAIN = ("abcdefgh", "abcdefghi", "bcdefghij", "xyz")


def test_a_perfect_tool_has_full_marks_but_for_the_chain():
    score = scored([1, 1, 1, 4], *CHAIN)
    assert score.true_pairs == 2
    assert score.recall == 1
    assert score.precision == pytest.approx(2 / 3)
    assert (score.cluster_precision, score.cluster_recall) == (1, 1)


def test_what_is_missed_lowers_recall():
    score = scored([1, 1, 3, 4], *CHAIN)
    assert (score.precision, score.recall) == (1, 1 / 2)
    assert score.cluster_precision == 1
    assert score.cluster_recall == pytest.approx(1 / 3)


def test_what_does_not_belong_lowers_precision():
    score = scored([1, 1, 1, 1], *CHAIN)
    assert (score.precision, score.recall) == (2 / 6, 1)
    assert (score.cluster_precision, score.cluster_recall) == (3 / 6, 1)


def test_nothing_found_is_never_wrong():
    score = scored([1, 2, 3, 4], *CHAIN)
    assert (score.precision, score.recall) == (1, 0)


def test_documents_without_shingles_count_neither_for_nor_against():
    score = scored([1, 1, 5, 5], "abc", "abc", "", "")
    assert (score.precision, score.recall, score.true_pairs) == (1, 1, 1)


def test_components_follow_long_chains():
    chain = np.array([(place, place + 1) for place in range(8, -1, -1)])
    assert components(11, chain).tolist() == [0] * 10 + [10]


def test_common_shingles_are_five_words_in_lower_case():
    assert common_shingles("One two, three-four FIVE six") == [
        "one two three four five",
        "two three four five six",
    ]
    assert common_shingles("Too short.") == ["too short"]
    assert common_shingles(" … ") == []
