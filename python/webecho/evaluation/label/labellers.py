"""*Agreement* of labellers: how often two say the same of a pair, and how much more than by chance.

Cohen's κ is of two labellers, Krippendorff's α (nominal) of any number of them who labelled any of
the pairs; both are 1 where all agree and 0 where they agree as often as chance would.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True)
class TwoLabellers:
    """Two labellers on the pairs that both labelled; κ is None where chance alone agrees."""

    one: str
    other: str
    pairs: int
    agreed: int
    kappa: float | None

    @property
    def share(self) -> float:
        return self.agreed / self.pairs


@dataclass(frozen=True)
class Disputed:
    """A pair of which labellers do not say the same, and what each of them says."""

    pair: tuple[int, int]
    said: Mapping[str, str]  # by labeller


@dataclass(frozen=True)
class LabellerAgreement:
    """Every two labellers with pairs in common, α of all of them, and where they disagree."""

    two: tuple[TwoLabellers, ...]
    pairs: int  # with two labels or more
    alpha: float | None
    disputed: tuple[Disputed, ...] = ()


def agreement(said: Iterable[tuple[tuple[int, int], str, str]]) -> LabellerAgreement:
    """From (pair, labeller, label); a labeller has one label a pair."""
    by_pair: dict[tuple[int, int], dict[str, str]] = {}
    for pair, labeller, label in said:
        by_pair.setdefault(pair, {})[labeller] = label
    shared = [given for given in by_pair.values() if len(given) > 1]
    labellers = sorted({labeller for given in shared for labeller in given})
    two = []
    for one, other in combinations(labellers, 2):
        both = [(given[one], given[other]) for given in shared if {one, other} <= given.keys()]
        if both:
            agreed = sum(ours == theirs for ours, theirs in both)
            two.append(TwoLabellers(one, other, len(both), agreed, cohen(both)))
    disputed = [
        Disputed(pair, dict(sorted(given.items())))
        for pair, given in sorted(by_pair.items())
        if len({*given.values()}) > 1
    ]
    return LabellerAgreement(tuple(two), len(shared), krippendorff(shared), tuple(disputed))


def cohen(both: list[tuple[str, str]]) -> float | None:
    """κ = (observed − by chance) / (1 − by chance), chance by how often each says what."""
    count = len(both)
    observed = sum(ours == theirs for ours, theirs in both) / count
    ours, theirs = Counter(one for one, _ in both), Counter(other for _, other in both)
    chance = sum(ours[label] * theirs[label] for label in ours) / count**2
    return None if chance == 1 else (observed - chance) / (1 - chance)


def krippendorff(units: Iterable[Mapping[str, str]]) -> float | None:
    """α = 1 − observed / expected disagreement, over all labels of units that have two or more."""
    totals: Counter[str] = Counter()
    disagreement = 0.0
    for given in units:
        counts = Counter(given.values())
        totals += counts
        size = len(given)
        differing = size * size - sum(count * count for count in counts.values())
        disagreement += differing / (size - 1)
    labels = totals.total()
    expected = labels * labels - sum(count * count for count in totals.values())
    return 1 - (labels - 1) * disagreement / expected if expected else None
