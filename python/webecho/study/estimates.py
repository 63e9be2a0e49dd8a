"""How many clusters and duplicates there are, from a part of the steps (Pereira 2006, section 4.2).

By *another collection*: it is taken that the same share of clusters, and of duplicates, is found in
the same share of the steps.

By *this collection alone*: the documents of the first parts are a sample without replacement, in
which each cluster of size s has a document with the chance πₛ = 1 − C(N−s, n) / C(N, n), for n of N
documents; if it has, all of the cluster was found. So the sum of 1 / π over the clusters found
estimates the number of clusters without bias, and that of (s − 1) / π the duplicates (Horvitz and
Thompson 1952). Its variance is estimated the same way, with the chances that two clusters are both
found. As it grows with what is estimated, the interval asks which totals are within 1.96 standard
errors of the estimate by the variance that they would have (Wilson 1927); it stays wide where
few clusters or none were found, and never ends below what was found.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Z = 1.96
# Below this logarithm of the chance to be missed (1 in 10¹²) clusters add nothing to a variance. It
# keeps the pairs of sizes few, which grow large in the first of many steps.
SURE = -28.0


@dataclass(frozen=True)
class Estimate:
    """A number that was estimated, and its 95 % interval."""

    value: float
    low: float
    high: float


def of_all(found: float, share: float) -> float:
    """What there is in all, if what was found is this share of it."""
    return found / share if share else math.nan


def clusters_by_sample(sizes: Mapping[int, int], documents: int, sampled: int) -> Estimate:
    """The number of clusters, from how many were found of each size by sampling documents."""
    return by_sample(sizes, documents, sampled, lambda _: 1)


def duplicates_by_sample(sizes: Mapping[int, int], documents: int, sampled: int) -> Estimate:
    """The number of duplicates likewise."""
    return by_sample(sizes, documents, sampled, lambda size: size - 1)


def by_sample(
    sizes: Mapping[int, int], documents: int, sampled: int, worth: Callable[[int], int]
) -> Estimate:
    """The sum of what clusters are worth over all clusters, seen and unseen."""
    found = sum(count * worth(size) for size, count in sizes.items())
    if sampled >= documents:
        return Estimate(found, found, found)
    if sampled == 0:
        return Estimate(0, 0, documents)
    missed = Missed(documents, sampled)
    value = sum(count * worth(size) / missed.seen(size) for size, count in sizes.items())
    # With no cluster found, a unit of variance is that of the smallest ones.
    factor = variance(sizes, missed, worth) / value if value else 1 / missed.seen(2)
    middle = value + Z**2 * factor / 2
    half = Z * math.sqrt(factor * value + (Z * factor / 2) ** 2)
    # Each document that is left unseen could be a duplicate, and no more.
    most = found + documents - sampled
    return Estimate(value, max(found, middle - half), min(most, middle + half))


def variance(sizes: Mapping[int, int], missed: "Missed", worth: Callable[[int], int]) -> float:
    """The estimated variance of an estimate."""
    unsure = [
        (size, count, worth(size) / missed.seen(size))
        for size, count in sizes.items()
        if missed.logarithm(size) > SURE
    ]
    alone = together = 0.0
    for place, (size, count, weight) in enumerate(unsure):
        alone += count * missed.chance(size) * weight**2
        if count > 1:
            together += count * (count - 1) * weight**2 * missed.covariance(size, size)
        for other, others, their_weight in unsure[:place]:
            both = missed.covariance(size, other)
            together += 2 * count * others * weight * their_weight * both
    # The chances of two clusters hinder each other, which may cost a small sample all.
    return alone + together if alone + together > 0 else alone


class Missed:
    """The chances that a sample without replacement has no document of a cluster."""

    def __init__(self, documents: int, sampled: int) -> None:
        self.documents, self.sampled = documents, sampled
        self.logarithms = [0.0]

    def logarithm(self, size: int) -> float:
        """log C(N−s, n) / C(N, n), the sum of log(1 − n / (N − i)) for i below s."""
        while len(self.logarithms) <= size and self.logarithms[-1] > 2 * SURE:
            left = self.documents - len(self.logarithms) + 1
            step = math.log1p(-self.sampled / left) if left > self.sampled else -math.inf
            self.logarithms.append(self.logarithms[-1] + step)
        return self.logarithms[min(size, len(self.logarithms) - 1)]

    def chance(self, size: int) -> float:
        return math.exp(self.logarithm(size))

    def seen(self, size: int) -> float:
        return -math.expm1(self.logarithm(size))

    def covariance(self, one: int, other: int) -> float:
        """That of finding two clusters, divided by the chance to find both."""
        both = self.logarithm(one + other)
        apart = self.logarithm(one) + self.logarithm(other)
        joint = 1 - self.chance(one) - self.chance(other) + math.exp(both)
        return math.exp(apart) * math.expm1(both - apart) / joint
