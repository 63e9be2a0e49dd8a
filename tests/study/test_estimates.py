"""Estimates from a sample: without bias by counting all samples, and intervals that hold."""

import math
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from random import Random
from statistics import mean, pvariance

import pytest

from webecho.study.estimates import (
    Estimate,
    Missed,
    clusters_by_sample,
    duplicates_by_sample,
    of_all,
    variance,
)
from webecho.synthetic.documents import plan_documents
from webecho.synthetic.web import Web

# What is estimated, and what each cluster adds to it.
WAYS: list[tuple[Callable[..., Estimate], Callable[[int], int]]] = [
    (duplicates_by_sample, lambda size: size - 1),
    (clusters_by_sample, lambda _: 1),
]


def sampled_sizes(sizes: list[int], sample: set[int]) -> dict[int, int]:
    """How many clusters of each size have a document in the sample; theirs come first."""
    found: Counter[int] = Counter()
    start = 0
    for size in sizes:
        found[size] += not sample.isdisjoint(range(start, start + size))
        start += size
    return {size: count for size, count in found.items() if count}


def every_sample(sizes: list[int], documents: int, sampled: int) -> Iterator[dict[int, int]]:
    for sample in combinations(range(documents), sampled):
        yield sampled_sizes(sizes, set(sample))


@pytest.mark.parametrize(("sizes", "sampled"), [([2, 3, 4], 4), ([2, 2, 2, 5], 3), ([6], 2)])
def test_over_all_samples_the_mean_is_the_truth_and_the_variance_too(
    sizes: list[int], sampled: int
) -> None:
    seen = list(every_sample(sizes, 13, sampled))
    for estimate, worth in WAYS:
        values = [estimate(found, 13, sampled).value for found in seen]
        assert mean(values) == pytest.approx(sum(map(worth, sizes)))
        estimated = [variance(found, Missed(13, sampled), worth) for found in seen]
        assert mean(estimated) == pytest.approx(pvariance(values))


def test_a_sample_by_hand() -> None:
    # 2 of 4 documents: of a cluster of two, 1 of the 6 samples has none; 6/5 if it was found.
    found = duplicates_by_sample({2: 1}, 4, 2)
    assert found.value == pytest.approx(1.2)
    # Its variance is estimated as 1/6 / (5/6)² = 0.24, a fifth of the value: solve
    # (1.2 − D)² = 1.96² · 0.2 · D. Not below the one that was found.
    high = 1.2 + 1.96**2 * 0.1 + 1.96 * math.sqrt(0.2 * 1.2 + (1.96 * 0.1) ** 2)
    assert (found.low, found.high) == (1, pytest.approx(high))
    # Of a cluster of three each sample has a document: nothing is left to guess.
    assert duplicates_by_sample({3: 1}, 4, 2) == Estimate(2, 2, 2)


def test_samples_of_nothing_and_of_all() -> None:
    assert duplicates_by_sample({2: 3, 5: 1}, 100, 100) == Estimate(7, 7, 7)
    assert clusters_by_sample({2: 3, 5: 1}, 100, 100) == Estimate(4, 4, 4)
    assert clusters_by_sample({}, 100, 0) == Estimate(0, 0, 100)
    # None was found; clusters of two would each have been with 0.36, so there may be some.
    nothing = clusters_by_sample({}, 10_000, 2_000)
    assert (nothing.value, nothing.low) == (0, 0)
    assert nothing.high == pytest.approx(1.96**2 / 0.36, rel=0.001)


def test_large_clusters_are_sure() -> None:
    found = duplicates_by_sample({5_000: 2, 900_000: 1}, 2_000_000, 400_000)
    assert found == Estimate(909_997, 909_997, 909_997)


def test_found_as_a_share_of_all() -> None:
    assert of_all(30, 0.75) == 40
    assert of_all(30, 0) is None


def test_intervals_hold_on_made_up_webs() -> None:
    """A hundred webs, each with one sample of a fifth of its documents."""
    held: Counter[str] = Counter()
    for seed in range(100):
        rows = plan_documents(Web(pages=800, seed=seed, graph=True))
        clusters = [
            (row["original"], row["variant"])
            for row in rows.to_pylist()
            if len(row["paragraphs"]) > 1
        ]
        members = Counter(clusters)
        sample = Random(seed).sample(clusters, len(clusters) // 5)
        found = Counter(members[name] for name in set(sample))
        sizes = {size: count for size, count in found.items() if size > 1}
        for estimate, worth in WAYS:
            interval = estimate(sizes, len(clusters), len(sample))
            true = sum(worth(size) for size in members.values() if size > 1)
            held[estimate.__name__] += interval.low <= true <= interval.high
    # An interval that held always would be too wide.
    assert all(90 <= times <= 99 for times in held.values()), held
