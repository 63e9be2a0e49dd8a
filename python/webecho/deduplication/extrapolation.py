"""From a sample to the whole: how many pages there are, and which share of them is removed.

A cluster of which one page alone is in the sample passes for a page of a kind, so that the share
removed in a sample is too small. How much too small depends on whether copies stand together. The
pages are taken in *blocks*, stretches of pages that were drawn together: of a cluster that is in
`b` blocks of the sample with `i` pages, `i - b` are removed for a page beside them, and their share
is that of the whole; `b - 1` for one in another block.

- At least: these are as many as in the sample. Of a cluster of k pages E[(b - 1)+] ≤ q (k - 1) if
  the share q of the blocks is drawn, with equality where all or none of it is.
- At most: these are 1/q times as many, which is true of pairs, E[(b - 1)+] = q², and more than the
  truth for larger clusters.
- About: the clusters of which no page was drawn, by the smoothed estimator of Good and Toulmin
  (Orlitsky, Suresh and Wu, PNAS 2016: binomial smoothing, with 2 / (2 + t) for a sample that is to
  grow by t times), within these bounds; not told if t is more than the logarithm of the sample,
  beyond which there is no such estimator.

How far each may be off by the draw is told by the jackknife over groups of blocks.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, comb, inf, log, log2, sqrt
from typing import Any

import numpy as np

# Groups of blocks that are left out in turn, and the 97.5 % quantile of Student's t for one less.
GROUPS = 20
QUANTILE = 2.093

Numbers = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Blocks:
    """The blocks of a sample: for each of how much of which of the two kinds of extent (records, or
    bytes) it is, and how many pages it has; `totals` are the extents of the whole."""

    kind: Numbers
    extent: Numbers
    pages: Numbers
    totals: tuple[float, ...]

    def whole(self, chosen: Numbers) -> float:
        """About how many pages the whole has, by these blocks."""
        found = 0.0
        for kind, total in enumerate(self.totals):
            own = chosen & (self.kind == kind)
            extent = float(self.extent[own].sum())
            found += total * float(self.pages[own].sum()) / extent if extent else 0.0
        return found

    @property
    def is_whole(self) -> bool:
        """Whether the sample is the whole."""
        sums = [self.extent[self.kind == kind].sum() for kind in range(len(self.totals))]
        return all(
            found >= total * (1 - 1e-9) for found, total in zip(sums, self.totals, strict=True)
        )


@dataclass(frozen=True)
class Estimate:
    """About how much, if that can be told, and between which bounds."""

    about: float | None
    least: float
    most: float


@dataclass(frozen=True)
class Clustered:
    """The pages of a sample: the block of each, its cluster (-1 where it goes for a page that was
    known before), and whether it is dropped."""

    block: Numbers
    cluster: Numbers
    dropped: Numbers


def pages_in_all(blocks: Blocks) -> Estimate:
    """How many pages the whole has."""
    about = blocks.whole(np.ones(len(blocks.pages), bool))
    if blocks.is_whole:
        return Estimate(about, about, about)
    margin = _margin(blocks, blocks.whole)
    seen = float(blocks.pages.sum())
    return Estimate(about, max(seen, about - margin), about + margin)


def share_removed(blocks: Blocks, pages: Clustered) -> Estimate:
    """Which share of the pages of the whole is removed."""
    bounds = _Bounds(blocks, pages)
    everything = np.ones(len(blocks.pages), bool)
    about: float | None
    least, about, most = bounds.of(everything)
    if blocks.is_whole:
        return Estimate(least, least, least)
    few_least, few_most = bounds.by_counts()
    low = min(least - _margin(blocks, lambda chosen: bounds.of(chosen)[0]), few_least)
    pages_there = float(blocks.pages.sum())
    if grows(min(1.0, pages_there / max(blocks.whole(everything), 1.0))) > log(max(2, pages_there)):
        about = None
    high = most + _margin(blocks, lambda chosen: bounds.of(chosen)[2])
    return Estimate(about, max(0.0, low), min(1.0, max(high, few_most)))


def _margin(blocks: Blocks, value: Callable[[Numbers], float]) -> float:
    """Half of a 95 % interval, by leaving groups of blocks out in turn."""
    count = min(GROUPS, len(blocks.pages))
    if count < 2:
        return 0.0
    groups = np.arange(len(blocks.pages)) % count
    values = np.array([value(groups != group) for group in range(count)])
    drawn = min(1.0, float(blocks.pages.sum()) / max(blocks.whole(groups >= 0), 1.0))
    spread = (count - 1) / count * ((values - values.mean()) ** 2).sum()
    return QUANTILE * sqrt(spread * (1 - drawn))


class _Bounds:
    """Shares removed by some of the blocks: at least, about, at most."""

    def __init__(self, blocks: Blocks, pages: Clustered) -> None:
        self._blocks = blocks
        known = (pages.cluster < 0) & ~pages.dropped
        count = len(blocks.pages)
        self._known = np.bincount(pages.block[known], minlength=count)
        own = ~known & ~pages.dropped
        self._own = np.bincount(pages.block[own], minlength=count)
        # A row for each block that a cluster is in.
        pairs = np.stack([pages.cluster[own], pages.block[own]], 1)
        self._pairs = np.unique(pairs, axis=0)

    def by_counts(self) -> tuple[float, float]:
        """At least and at most, by how many are removed in the sample alone: where that is few or
        none, leaving blocks out tells nothing."""
        pages = float(self._blocks.pages.sum())
        whole = self._blocks.whole(np.ones(len(self._blocks.pages), bool))
        if not pages or not whole:
            return 0.0, 1.0
        near = float(self._own.sum() - len(self._pairs) + self._known.sum())
        far = float(len(self._pairs) - len(np.unique(self._pairs[:, 0])))
        drawn = min(1.0, pages / whole)
        most = (of_count(near, 1) + of_count(far, 1) / drawn) / pages
        return of_count(near + far, -1) / pages, most

    def of(self, chosen: Numbers) -> tuple[float, float, float]:
        pages = float(self._blocks.pages[chosen].sum())
        whole = self._blocks.whole(chosen)
        if not pages or not whole:
            return 0.0, 0.0, 0.0
        drawn = min(1.0, pages / whole)
        pairs = self._pairs[chosen[self._pairs[:, 1]]]
        _, times = np.unique(pairs[:, 0], return_counts=True)
        # Pages that go for one beside them, or for one that was known before.
        near = float(self._own[chosen].sum() - len(pairs) + self._known[chosen].sum())
        far = float(len(pairs) - len(times))
        least, most = (near + far) / pages, min(1.0, (near + far / drawn) / pages)
        left = float(self._own[chosen].sum())
        clusters = len(times) + unseen(np.bincount(times) if len(times) else times, drawn)
        about = (float(self._known[chosen].sum()) + left - clusters * drawn) / pages
        return least, min(max(about, least), most), most


def of_count(count: float, sign: int) -> float:
    """The bound of a 95 % interval for the mean of a count, by Byar's approximation."""
    more = count + (sign > 0)
    return more * (1 - 1 / (9 * more) + sign * 1.96 / (3 * sqrt(more))) ** 3 if more else 0.0


def grows(drawn: float) -> float:
    """How many times as much as a sample of this share there is beside it."""
    return (1 - drawn) / drawn if drawn else inf


def unseen(counts: Numbers, drawn: float) -> float:
    """About how many clusters are in none of the blocks that were drawn, if `counts[b]` are in `b`
    of them."""
    if drawn >= 1:
        return 0.0
    times_more = grows(drawn)
    most = len(counts) - 1
    if times_more <= 1:
        weights = [1.0] * most
    else:
        seen = float((counts * np.arange(len(counts))).sum())
        # Orlitsky and others, Theorem 1.
        trials = max(1, ceil(0.5 * log2(max(2.0, seen * times_more**2 / (times_more - 1)))))
        chance = 2 / (2 + times_more)
        tails = [_tail(trials, chance, times) for times in range(1, min(most, trials) + 1)]
        weights = tails + [0.0] * (most - len(tails))
    return -sum(
        (-times_more) ** times * weight * float(counts[times])
        for times, weight in enumerate(weights, 1)
        if weight
    )


def _tail(trials: int, chance: float, least: int) -> float:
    """How likely so many of the trials succeed at the least."""
    return sum(
        comb(trials, many) * chance**many * (1 - chance) ** (trials - many)
        for many in range(least, trials + 1)
    )
