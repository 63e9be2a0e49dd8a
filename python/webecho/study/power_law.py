"""*Power law*: things of size s are as frequent as s to some power, its *exponent*, from a least
size on (Clauset, Shalizi and Newman 2009, of whole numbers).

The exponent is the most likely one, with its standard error; the least size is that from which on
sizes and law are nearest, by the Kolmogorov–Smirnov distance: the largest gap between the shares of
things of at least each size. How good that is, repetitions tell: as many sizes are drawn, from the
law where it holds and from what was found below, and fitted the same way. *p* is the share of them
that lie as far from their law. Below 0.1 the law *misses*: sizes do not follow it (section 4.1).

The *likelihood ratio* asks whether a log-normal is nearer to the same sizes: above 0 the power law
is, and its own p is the chance of a ratio as far from 0 where neither is nearer (Vuong 1989). Far
out in the tail, among a few per cent of the things, nearly everything looks like a power law: so
the same is asked of all sizes, with the power law that is most likely there.

Sizes come as counts by size, and all is done by size: a hundred million things cost no more than
their sizes. Of very many sizes some are tried as the least one, evenly on a logarithmic scale.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from webecho.errors import SettingsError, setting
from webecho.study.log_normal import log_normal
from webecho.study.weighted_sums import weighted_sum
from webecho.study.zeta import Floats, log_zeta

# With fewer things than these, exponents are unreliable (Clauset 2009, section 3.5).
LEAST_THINGS = 50
# p is then known to 0.02.
REPETITIONS = 500
# p below this: the law misses.
MISSED = 0.1
# Sizes that are tried as the least, and numbers that are held at once.
TRIED = 100
HELD = 1 << 21
# Repetitions that are fitted at once.
AT_ONCE = 50
# Exponents that are looked for, with steps that always are enough.
STEEPEST, FLATTEST, STEPS, NEAR = 20.0, 1.001, 12, 1e-7
# Sizes that are drawn by their shares; larger ones as if they were no whole numbers.
DRAWN = 4096
LARGEST = 1e15

Places = npt.NDArray[np.intp]


@dataclass(frozen=True)
class FitSettings:
    """How many repetitions tell how good a law is (0: none, and p is not known), and their seed."""

    repetitions: int = REPETITIONS
    seed: int = 0

    def __post_init__(self) -> None:
        if self.repetitions < 0:
            raise SettingsError(
                setting("repetitions").to(self.repetitions), " cannot be; give 0 or more"
            )


@dataclass(frozen=True)
class PowerLaw:
    """The law of `tail` of all `things`: those of size `least` and more. The exponent is negative,
    as the papers have it; p is None without repetitions."""

    exponent: float
    error: float
    least: int
    tail: int
    things: int
    distance: float
    p: float | None = None
    repetitions: int = 0
    # Against a log-normal, of these sizes and of all.
    ratio: float = 0.0
    ratio_p: float = 1.0
    whole_ratio: float = 0.0
    whole_ratio_p: float = 1.0

    @property
    def misses(self) -> bool:
        return self.p is not None and self.p < MISSED

    def count(self, size: float) -> float:
        """How many things of a size the law expects."""
        share = self.exponent * math.log(size) - float(log_zeta(-self.exponent, self.least))
        return self.tail * math.exp(share)

    def at_least(self, size: float) -> float:
        """How many things of at least a size it expects."""
        first, all_of_it = log_zeta(-self.exponent, [size, self.least])
        return self.tail * math.exp(first - all_of_it)


@dataclass(frozen=True)
class Histogram:
    """Sizes, ascending, and how many things have each."""

    sizes: Floats
    counts: Floats

    @property
    def things(self) -> int:
        return int(self.counts.sum())


def histogram(counts: Mapping[int, float]) -> Histogram:
    """Counts by size from 1 up; fractions of things are rounded."""
    kept = {size: round(count) for size, count in sorted(counts.items()) if size and size >= 1}
    kept = {size: count for size, count in kept.items() if count > 0}
    return Histogram(np.array([*kept], np.float64), np.array([*kept.values()], np.float64))


def power_law(
    counts: Mapping[int, float], settings: FitSettings, least_things: int = LEAST_THINGS
) -> PowerLaw | None:
    """The power law of counts by size; None where fewer than `least_things` are above any size, or
    all have the same."""
    data = histogram(counts)
    found = nearest(data, least_things)
    if found is None:
        return None
    if settings.repetitions:
        p = goodness(data, found, settings, least_things)
        found = replace(found, p=p, repetitions=settings.repetitions)
    ratio, ratio_p = whole, whole_p = against_log_normal(data, found)
    if found.tail < found.things:
        whole, whole_p = against_log_normal(data, over_all(data))
    return replace(found, ratio=ratio, ratio_p=ratio_p, whole_ratio=whole, whole_ratio_p=whole_p)


@dataclass(frozen=True)
class Tails:
    """The sizes that are tried as the least one, by their places, and what is from each size on:
    how many things, and from those tried on the mean logarithm of their sizes."""

    data: Histogram
    tried: Places
    things: Floats
    means: Floats

    @property
    def firsts(self) -> Floats:
        return self.data.sizes[self.tried]


def tails(data: Histogram, least_things: int) -> Tails:
    """What can be tried: from where on there are enough things, and not of one size alone."""
    things = np.cumsum(data.counts[::-1])[::-1]
    enough = np.flatnonzero(things >= least_things)
    tried = spread(enough[enough < len(things) - 1], data.sizes)
    logarithms = np.cumsum((data.counts * np.log(data.sizes))[::-1])[::-1]
    return Tails(data, tried, things, logarithms[tried] / things[tried])


def nearest(data: Histogram, least_things: int) -> PowerLaw | None:
    """The law from the least size from which on sizes are nearest to it."""
    every = tails(data, least_things)
    if not len(every.tried):
        return None
    exponents = most_likely(every.means, every.firsts)
    away = distances(every, exponents)
    best = int(np.argmin(away))
    least, exponent = every.firsts[best], float(exponents[best])
    tail = float(every.things[every.tried[best]])
    return PowerLaw(
        exponent=-exponent,
        error=standard_error(exponent, least, tail),
        least=int(least),
        tail=int(tail),
        things=data.things,
        distance=float(away[best]),
    )


def over_all(data: Histogram) -> PowerLaw:
    """The most likely law of all sizes, whether it holds or not."""
    first, logarithms = data.sizes[:1], weighted_sum(data.counts, np.log(data.sizes))
    [exponent] = most_likely(np.array([logarithms / data.things]), first)
    error = standard_error(float(exponent), first[0], data.things)
    return PowerLaw(-float(exponent), error, int(first[0]), data.things, data.things, 0.0)


def standard_error(exponent: float, least: float, things: float) -> float:
    """That of the most likely exponent of so many things, by the curvature of its likelihood."""
    _, curved = derivatives(np.array([exponent]), np.array([least]))
    return 1 / math.sqrt(things * float(curved[0]))


def spread(places: Places, sizes: Floats) -> Places:
    """At most `TRIED` of the places, evenly by the logarithms of their sizes."""
    if len(places) <= TRIED:
        return places
    wanted = np.geomspace(sizes[places[0]], sizes[places[-1]], TRIED)
    return np.unique(np.searchsorted(sizes[: places[-1]], wanted))


def most_likely(means: Floats, firsts: Floats) -> Floats:
    """The exponents of sizes from firsts on that have these mean logarithms: where the law has them
    too, by Newton's steps."""
    exponents = 1 + 1 / np.maximum(means - np.log(firsts - 0.5), 1e-3)
    for _ in range(STEPS):
        exponents = np.clip(exponents, FLATTEST, STEEPEST)
        first, second = derivatives(exponents, firsts)
        # Where the curve is flat a whole step leads too far.
        step = np.clip((first + means) / second, -exponents, (exponents - 1) / 2)
        exponents = exponents - step
        if np.abs(step).max() < NEAR:
            break
    return np.clip(exponents, FLATTEST, STEEPEST)


def derivatives(exponents: Floats, firsts: Floats) -> tuple[Floats, Floats]:
    """The first and the second of log ζ by the exponent."""
    h = 1e-4 * (exponents - 1)
    below, there, above = log_zeta(np.stack([exponents - h, exponents, exponents + h]), firsts)
    return (above - below) / (2 * h), np.maximum((above - 2 * there + below) / h**2, 1e-12)


def distances(every: Tails, exponents: Floats) -> Floats:
    """The Kolmogorov–Smirnov distance of the sizes from each of those tried on to its law. Between
    two sizes that occur it is largest at an end, so just before and just behind each is enough."""
    found = np.empty(len(exponents))
    starts = log_zeta(exponents, every.firsts)
    behind = np.append(every.things[1:], 0.0)
    at = 0
    while at < len(found):
        first = every.tried[at]
        rows = slice(at, at + max(1, HELD // (len(behind) - int(first))))
        sizes = every.data.sizes[None, first:]
        slopes, whole = exponents[rows, None], starts[rows, None]
        law = np.exp(log_zeta(slopes, sizes) - whole)
        law_behind = law - np.exp(-slopes * np.log(sizes) - whole)
        totals = every.things[every.tried[rows], None]
        gaps = np.maximum(
            np.abs(every.things[None, first:] / totals - law),
            np.abs(behind[None, first:] / totals - law_behind),
        )
        # What is below the least size is none of its law's.
        inside = np.arange(first, len(behind))[None, :] >= every.tried[rows, None]
        found[rows] = np.where(inside, gaps, 0.0).max(axis=1)
        at = rows.stop
    return found


def goodness(data: Histogram, law: PowerLaw, settings: FitSettings, least_things: int) -> float:
    """The share of drawn sizes that are at least as far from their law as these from theirs."""
    chance = np.random.default_rng(settings.seed)
    body = data.sizes < law.least
    below = Histogram(data.sizes[body], data.counts[body])
    numbers = law.least + np.arange(DRAWN, dtype=np.float64)
    start = log_zeta(-law.exponent, law.least)
    shares = np.exp(law.exponent * np.log(numbers) - start)
    shares = np.append(shares, max(0.0, 1 - shares.sum()))
    farther = 0
    for first in range(0, settings.repetitions, AT_ONCE):
        drawn = []
        for _ in range(min(AT_ONCE, settings.repetitions - first)):
            tail = int(chance.binomial(law.things, law.tail / law.things))
            drawn.append(drawn_sizes(chance, below, law, tail, numbers, shares))
        farther += sum(
            distance >= law.distance for distance in nearest_distances(drawn, least_things)
        )
    return farther / settings.repetitions


def nearest_distances(drawn: Sequence[Histogram], least_things: int) -> list[float]:
    """How far each is from the law that is nearest to it."""
    every = [tails(each, least_things) for each in drawn]
    exponents = most_likely(
        np.concatenate([each.means for each in every]),
        np.concatenate([each.firsts for each in every]),
    )
    ends = np.cumsum([len(each.tried) for each in every])
    own = np.split(exponents, ends[:-1])
    return [
        float(distances(each, slopes).min(initial=math.inf) if len(slopes) else 0.0)
        for each, slopes in zip(every, own, strict=True)
    ]


def drawn_sizes(
    chance: np.random.Generator,
    below: Histogram,
    law: PowerLaw,
    tail: int,
    numbers: Floats,
    shares: Floats,
) -> Histogram:
    """As many sizes as there were: `tail` of them from the law, the others from those below it."""
    sizes, counts = [below.sizes, numbers], []
    if len(below.sizes):
        counts.append(chance.multinomial(law.things - tail, below.counts / below.counts.sum()))
    else:
        sizes, tail = sizes[1:], law.things
    head = chance.multinomial(tail, shares)
    counts.append(head[:-1])
    if head[-1]:
        # So far out the sum is as good as its integral.
        power = 1 / (law.exponent + 1)
        far = (law.least + DRAWN - 0.5) * (1 - chance.random(head[-1])) ** power
        values, times = np.unique(np.floor(np.minimum(far, LARGEST) + 0.5), return_counts=True)
        sizes.append(values)
        counts.append(times)
    every, counted = np.concatenate(sizes), np.concatenate(counts).astype(np.float64)
    there = counted > 0
    return Histogram(every[there], counted[there])


def against_log_normal(data: Histogram, law: PowerLaw) -> tuple[float, float]:
    """The normalised logarithm of the likelihood ratio of the law and a log-normal, and its p."""
    own = data.sizes >= law.least
    sizes, counts = data.sizes[own], data.counts[own]
    by_law = law.exponent * np.log(sizes) - log_zeta(-law.exponent, law.least)
    by_other = log_normal(sizes, counts, law.least, -law.exponent)
    nearer = by_law - by_other
    total, number = weighted_sum(counts, nearer), float(counts.sum())
    variance = weighted_sum(counts, (nearer - total / number) ** 2)
    if variance <= 1e-18 * number:
        return 0.0, 1.0
    ratio = total / math.sqrt(variance)
    return ratio, math.erfc(abs(ratio) / math.sqrt(2))
