"""From a sample to the whole, on clusters of known sizes."""

from itertools import product

import numpy as np
import pytest

from webecho.deduplication.extrapolation import (
    Blocks,
    Clustered,
    of_count,
    pages_in_all,
    share_removed,
    unseen,
)


def drawn(clusters: np.ndarray, share: float, seed: int) -> tuple[Blocks, Clustered]:
    """Pages drawn one by one, in blocks of one."""
    chosen = np.random.default_rng(seed).random(len(clusters)) < share
    own = clusters[chosen]
    count = len(own)
    blocks = Blocks(
        np.zeros(count, int), np.ones(count), np.ones(count, int), (float(len(clusters)), 0.0)
    )
    return blocks, Clustered(np.arange(count), own, np.zeros(count, bool))


# Clusters of 1, 2, 5 and 40 pages; pages that are removed are those beyond the first of each.
SIZES = {1: 3000, 2: 600, 5: 100, 40: 10}
CLUSTERS = np.repeat(np.arange(sum(SIZES.values())), np.repeat([*SIZES], [*SIZES.values()]))
TRUTH = 1 - sum(SIZES.values()) / len(CLUSTERS)


@pytest.mark.parametrize(("share", "seed"), [*product([0.15, 0.3, 0.6], range(3))])
def test_the_truth_is_between_the_bounds_and_near_the_estimate(share: float, seed: int) -> None:
    blocks, pages = drawn(CLUSTERS, share, seed)
    found = share_removed(blocks, pages)
    assert found.least <= TRUTH <= found.most
    assert found.about == pytest.approx(TRUTH, abs=0.12)
    assert pages_in_all(blocks).about == len(CLUSTERS)


def test_of_the_whole_nothing_is_estimated() -> None:
    found = share_removed(*drawn(CLUSTERS, 2.0, 0))
    assert (found.about, found.least, found.most) == pytest.approx((TRUTH, TRUTH, TRUTH))


def test_copies_that_stand_together_are_as_many_as_in_the_sample() -> None:
    """A fifth of blocks of ten pages, each of which is twice in its block."""
    block = np.repeat(np.arange(40), 10)
    blocks = Blocks(np.zeros(40, int), np.full(40, 10.0), np.full(40, 10), (2000.0, 0.0))
    found = share_removed(blocks, Clustered(block, np.arange(400) // 2, np.zeros(400, bool)))
    assert found.about == 0.5
    # By the count of 200, for what is far there is none.
    assert 0.42 < found.least < 0.5 < found.most < 0.65


def test_that_nothing_was_seen_does_not_tell_that_nothing_is_there() -> None:
    blocks = Blocks(np.zeros(40, int), np.ones(40), np.ones(40, int), (400.0, 0.0))
    found = share_removed(blocks, Clustered(np.arange(40), np.arange(40), np.zeros(40, bool)))
    assert (found.least, found.most) == (0.0, 1.0)
    assert of_count(0, 1) == pytest.approx(3.7, abs=0.1)
    assert (of_count(100, -1), of_count(100, 1)) == pytest.approx((81.4, 121.6), abs=0.1)


def test_a_page_that_was_known_before_is_removed_wherever_it_is() -> None:
    blocks = Blocks(np.zeros(40, int), np.ones(40), np.ones(40, int), (400.0, 0.0))
    known = np.where(np.arange(40) % 4 == 0, -1, np.arange(40))
    found = share_removed(blocks, Clustered(np.arange(40), known, np.zeros(40, bool)))
    assert found.least <= 0.25 <= found.most


def test_so_small_a_sample_has_no_estimate() -> None:
    assert share_removed(*drawn(CLUSTERS, 0.02, 1)).about is None


def test_bytes_and_records_are_reckoned_apart() -> None:
    blocks = Blocks(
        np.array([0, 0, 1, 1]), np.array([10, 10, 500, 1500]), np.array([10, 8, 1, 3]), (40, 8000)
    )
    # 0.9 pages to a record, 4 to 2,000 bytes.
    assert pages_in_all(blocks).about == pytest.approx(40 * 0.9 + 16)


def test_the_estimator_of_good_and_toulmin() -> None:
    # Of half a sample: f1 - f2 + f3.
    assert unseen(np.array([0, 10, 4, 1]), 0.5) == 7
    assert unseen(np.array([0, 10]), 1.0) == 0
    # All seen twice, and nothing but once: none is unseen, or about as many as that tells.
    assert unseen(np.array([0, 0, 6]), 0.9) == pytest.approx(-6 / 81)
