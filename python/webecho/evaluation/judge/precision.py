"""*Precision*: the share of a rule's pairs that are correct, undecided ones counted among all.

Any share of any kind of pairs is estimated from labels on a stratified sample (see sample.py). A
stratum with N pairs, n of them labelled, counts each label N / n times the pair's own weight, so a
share is a quotient of two estimated sums. Where labelling was broken off, n is what was labelled:
within a stratum pairs are labelled in the order of chance.

What is known of strata whose pairs all have a label is known exactly. Of the others the 95 %
interval is Wilson's, for as many independent pairs as would have the same variance: the *effective
size*. That variance is that of the linearised quotient, with N finite.

It is an estimate itself. A stratum whose few labels agree seems to be pure: so half a hit and half
another (Jeffreys) are thought to be among the labels, spread over the strata by what these stand
for, and the variance within each stratum is drawn a little toward that within all. And where one
stratum with few labels gives most of the variance, it is known by these alone: so the quantile is
Student's, for the degrees of freedom that the strata have together (Satterthwaite 1946).

No interval reaches what the labels exclude already: of two pairs, one of which is no hit, at most
half are.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf, sqrt

from webecho.study.shares import student, wilson

# Hits, and others, that are thought to be among the labels; and the degrees of freedom by which the
# variance of a stratum is drawn toward that of all. Chosen by trials: see docs/evaluate.md.
ADDED = 0.5
DRAWN = 1.0


@dataclass(frozen=True)
class LabelledStratum:
    """How many pairs there are of a kind, and how many of them were labelled."""

    pairs: int
    labelled: int


@dataclass(frozen=True)
class Counted:
    """A labelled pair of the kind that a share is of: for how many it stands where a rule sampled
    a hot bucket, and whether it is one of those that are counted."""

    stratum: object
    weight: float
    hit: bool


@dataclass(frozen=True)
class Share:
    """An estimated share with its 95 % interval."""

    share: float
    low: float
    high: float
    # Labelled pairs, and those counted.
    pairs: int
    hits: int
    # How many pairs, and how many counted ones, these stand for.
    all_pairs: float
    all_hits: float
    effective: float


@dataclass
class StratumSums:
    """What is summed up of a stratum."""

    pairs: int = 0
    weight: float = 0.0
    squares: float = 0.0
    hits: float = 0.0


@dataclass(frozen=True)
class StratumPart:
    """A stratum's part in a share."""

    stratum: LabelledStratum
    sums: StratumSums

    @property
    def stands_for(self) -> float:
        return self.stratum.pairs / self.stratum.labelled * self.sums.weight

    @property
    def share(self) -> float:
        return self.sums.hits / self.sums.weight

    @property
    def left(self) -> float:
        """The share of the stratum that has no label. What stands for others was drawn itself, so
        labelling all of it does not tell all."""
        known = self.stratum.labelled * self.sums.pairs
        return max(0.0, 1 - known / (self.stratum.pairs * self.sums.weight))

    @property
    def others(self) -> int:
        """Labelled pairs that the share is not of."""
        return self.stratum.labelled - self.sums.pairs

    def variance(self, within: float, off: float) -> float:
        """Of the estimated sum of weight · (hit − mean) over the stratum, if hits vary so much
        within it and their share is so far off the mean."""
        count = self.stratum.labelled
        squares, weight = self.sums.squares / count, self.sums.weight / count
        spread = squares * (within + off**2) - (weight * off) ** 2
        return self.stratum.pairs**2 * self.left * max(0.0, spread) / count

    def variance_of_size(self) -> float:
        """Of the estimated number of pairs of the stratum that the share is of."""
        count = self.stratum.labelled
        spread = self.sums.squares / count - (self.sums.weight / count) ** 2
        return self.stratum.pairs**2 * self.left * max(0.0, spread) / max(count - 1, 1)


@dataclass(frozen=True)
class Spread:
    """How many pairs, drawn evenly from endlessly many, would tell a share as surely; and by how
    many degrees of freedom that is known."""

    effective: float
    freedom: float


@dataclass(frozen=True)
class Strata:
    """Several strata together."""

    parts: list[StratumPart]

    @property
    def whole(self) -> float:
        return sum(part.stands_for for part in self.parts)

    @property
    def mean(self) -> float:
        if not self.parts:
            return 0.0
        found = sum(part.stands_for * part.share for part in self.parts)
        # Rounding must not lead out of what a share can be.
        return min(1.0, max(0.0, found / self.whole))


def share(strata: Mapping[object, LabelledStratum], rows: Iterable[Counted]) -> Share | None:
    """The share of hits among the pairs that the rows are a sample of; None if there are none."""
    sums: dict[object, StratumSums] = {}
    hits = 0
    for row in rows:
        own = sums.setdefault(row.stratum, StratumSums())
        own.pairs += 1
        own.weight += row.weight
        own.squares += row.weight**2
        own.hits += row.weight * row.hit
        hits += row.hit
    if not sums:
        return None
    every = Strata([StratumPart(strata[key], own) for key, own in sums.items()])
    known = Strata([part for part in every.parts if not part.left])
    estimated = Strata([part for part in every.parts if part.left])
    mean, told = every.mean, spread(estimated)
    low, high = interval(known, estimated, mean, told)
    least, most = possible(strata, every)
    low, high = max(low, least), min(high, most)
    pairs = sum(part.sums.pairs for part in every.parts)
    return Share(mean, low, high, pairs, hits, every.whole, mean * every.whole, told.effective)


def possible(strata: Mapping[object, LabelledStratum], every: Strata) -> tuple[float, float]:
    """Between which shares the labels that are there leave it, if all pairs without one are of the
    kind. What stands for others in a hot bucket leaves more open."""
    sums = [part.sums for part in every.parts]
    if any(each.squares != each.pairs for each in sums):
        return 0.0, 1.0
    open_ = sum(stratum.pairs - stratum.labelled for stratum in strata.values())
    pairs, hits = sum(each.pairs for each in sums), sum(each.hits for each in sums)
    return hits / (pairs + open_), (hits + open_) / (pairs + open_)


def interval(known: Strata, estimated: Strata, mean: float, told: Spread) -> tuple[float, float]:
    """What is known of some strata with what is estimated of the others, and of their number."""
    if not estimated.parts:
        return mean, mean
    whole = known.whole + estimated.whole
    weight, own = estimated.whole / whole, estimated.mean
    quantile = student(told.freedom)
    low, high = wilson(own, told.effective, quantile)
    # How many pairs are known to be of the kind is an estimate too.
    sizes = sum(part.variance_of_size() for part in estimated.parts)
    moved = quantile * (own - known.mean) * (1 - weight) * sqrt(sizes) / whole
    down, up = (sqrt((weight * reach) ** 2 + moved**2) for reach in (own - low, high - own))
    return max(0.0, mean - down), min(1.0, mean + up)


def spread(strata: Strata) -> Spread:
    """How surely labels tell the share."""
    if not strata.parts:
        return Spread(inf, inf)
    whole, mean, parts = strata.whole, strata.mean, strata.parts
    pairs = sum(part.sums.pairs for part in parts)
    centre = (pairs * mean + ADDED) / (pairs + 2 * ADDED)
    varying = centre * (1 - centre)
    # What the pairs add that are thought to be among those labelled.
    added = (pairs + 2 * ADDED) * varying - pairs * mean * (1 - mean)
    shares = [part.stands_for / whole for part in parts]
    squares = [
        part.sums.pairs * part.share * (1 - part.share) + added * share
        for part, share in zip(parts, shares, strict=True)
    ]
    free = [
        part.sums.pairs - 1 + 2 * ADDED * share for part, share in zip(parts, shares, strict=True)
    ]
    pooled = sum(squares) / sum(free)
    variance = known_by = 0.0
    for part, own, freedom in zip(parts, squares, free, strict=True):
        within = (own + DRAWN * pooled) / (freedom + DRAWN)
        # Labels on pairs of other kinds tell how many there are of this one.
        known = freedom + DRAWN + part.others
        if part.share in (0, 1) and within > varying:
            # Whose labels all agree does not vary more than all together, and all tell how much.
            within, known = varying, pairs
        added_here = part.variance(within, part.share - mean)
        variance += added_here
        known_by += added_here**2 / known
    if variance <= 0:
        return Spread(inf, inf)
    return Spread(varying * whole**2 / variance, variance**2 / known_by)
