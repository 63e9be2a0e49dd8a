"""Whether copies are copied more."""

from pathlib import Path

import numpy as np
import pytest

import webecho
from tests.study.kin_reference import written
from webecho.study.copies_of_copies import interval, rate_ratio

TEXTS = ["".join(chr(256 + 20 * each + at) for at in range(16)) for each in range(8)]
URL = "http://{}.example/1".format


def test_rates_by_hand(tmp_path: Path) -> None:
    """In the second snapshot p and q are copies, of which p is copied; of r, s and t one."""
    a, b, c, d, e, *_ = TEXTS
    shots = [
        [(URL("a"), a), (URL("b"), b)],
        [(URL("p"), a), (URL("q"), b), (URL("r"), c), (URL("s"), d), (URL("t"), e)],
        [(URL("x"), a), (URL("y"), c), (URL("t"), e)],
    ]
    study = webecho.study_genealogy(written(tmp_path, shots))
    rows = study.tables["copies_of_copies"].to_pylist()
    for row in rows:
        assert (row["snapshot"], row["before"], row["after"]) == ("shot1", "shot0", "shot2")
        assert (row["documents with a parent"], row["of these with a child"]) == (2, 1)
        assert (row["documents without a parent"], row["of those with a child"]) == (3, 1)
        assert row["ratio"] == pytest.approx(1.5)
        assert row["clusters"] == 5
    assert [row["children"] for row in rows] == ["all", "new addresses"]
    assert any("a ratio of 1.50" in sentence for sentence in study.sentences)


def test_the_ratio_of_nothing_is_not_known() -> None:
    assert rate_ratio([0, 0, 5, 1]) is None
    assert rate_ratio([5, 1, 5, 0]) is None
    assert rate_ratio([4, 2, 10, 1]) == 5.0


def test_the_interval_is_that_of_drawing_clusters() -> None:
    """Compared with drawing them one by one."""
    kinds = np.array([[1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 1], [0, 0, 1, 0], [3, 3, 0, 0]])
    clusters = np.array([60, 40, 30, 170, 5])
    low, high = interval(kinds, clusters, seed=1, repetitions=4000)
    every = np.repeat(np.arange(5), clusters)
    chance = np.random.default_rng(7)
    ratios = []
    for _ in range(4000):
        drawn = kinds[chance.choice(every, len(every))].sum(axis=0)
        ratios.append((drawn[1] / drawn[0]) / (drawn[3] / drawn[2]))
    assert low is not None and high is not None
    assert [low, high] == pytest.approx(np.percentile(ratios, [2.5, 97.5]), rel=0.05)
    assert interval(kinds, clusters, seed=1, repetitions=4000) == (low, high)


def test_too_few_to_tell_have_no_interval() -> None:
    kinds = np.array([[1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 1, 1]])
    assert interval(kinds, np.array([5, 20, 1]), seed=1) == (None, None)
    assert interval(kinds[:0], np.array([], np.int64), seed=1) == (None, None)
