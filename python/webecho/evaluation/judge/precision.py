"""*Precision*: the share of a rule's pairs that are correct, undecided ones counted among all.

Any share of any kind of pairs is estimated from labels on a stratified sample (see sample.py). A
stratum with N pairs, n of them labelled, counts each label N / n times the pair's own weight, so a
share is a quotient of two estimated sums. Where labelling was broken off, n is what was labelled:
within a stratum pairs are labelled in the order of chance.

What is known of strata whose pairs all have a label is known exactly. Of the others the 95 %
interval comes from the posterior of the hits among the pairs without a label (see posterior.py),
and from how far the number of pairs is an estimate itself: strata may have other pairs too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from webecho.evaluation.judge.posterior import Seen, hits_left, limits


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
    def seen(self) -> Seen:
        """What labels told of it. Pairs that stand for different numbers of others tell as much as
        fewer that stand for the same (Kish 1965)."""
        labels = self.sums.weight**2 / self.sums.squares
        return Seen(labels, labels * self.share, self.stands_for * self.left)

    def variance_of_size(self) -> float:
        """Of the estimated number of pairs of the stratum that the share is of."""
        count = self.stratum.labelled
        spread = self.sums.squares / count - (self.sums.weight / count) ** 2
        return self.stratum.pairs**2 * self.left * max(0.0, spread) / max(count - 1, 1)


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
    parts = [StratumPart(strata[key], own) for key, own in sums.items()]
    whole = sum(part.stands_for for part in parts)
    found = sum(part.stands_for * part.share for part in parts)
    # Rounding must not lead out of what a share can be.
    mean = min(1.0, max(0.0, found / whole))
    low, high = interval(parts, mean, whole)
    pairs = sum(part.sums.pairs for part in parts)
    return Share(mean, low, high, pairs, hits, whole, mean * whole)


def interval(parts: Sequence[StratumPart], mean: float, whole: float) -> tuple[float, float]:
    """The 95 % interval of a share."""
    unsure = [part for part in parts if part.left]
    if not unsure:
        return mean, mean
    told = hits_left([part.seen for part in unsure])
    # Where strata have other pairs too, their number of pairs of the kind is an estimate.
    sizes = sum(part.variance_of_size() * (part.share - mean) ** 2 for part in unsure)
    told = replace(told, variance=told.variance + sizes)
    known = sum(part.stands_for * part.share * (1 - part.left) for part in parts)
    centre = (mean * whole + known + told.mean) / 2
    low, high = limits(centre, told)
    return max(0.0, min(mean, low / whole)), min(1.0, max(mean, high / whole))
