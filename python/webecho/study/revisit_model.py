"""The probability that an address still has the text of its cluster's representative when it is
next visited, and how well that is known.

A *visit* is an address in a cluster, not its representative, from one snapshot to the next, where
both were downloaded again. What is learned of an address is how often it came out with the
representative's text before, from the same *state* (its text is the representative's now, or not).
Of that there is little, so it is shrunk towards what the other addresses of its cluster did, that
towards what the others of its host did, and that towards the rate of all, as beta-binomial models
do (empirical Bayes). A representative may go away too, which is learned of it in the same way, from
the clusters that it stood for and from its own visits; an address has its text only if both stay.
How strongly is told by the step before: the strengths are those by which its
outcomes would have been foretold best, and a logistic curve through the same outcomes takes off
what is still too sure or too unsure.

If a representative changes alone, all addresses of its cluster come out otherwise at once. So
addresses of one cluster and step together count for ten at the most where something is learned from
them, and errors are also told of clusters that are independent, and not addresses.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

Numbers = np.ndarray
BINS = 10
# Strengths that are tried: for how many visits what stands behind counts.
TRIED = tuple(2.0**power for power in range(-1, 11))
ROUNDS = 3
# Below this number of outcomes nothing is learned from them.
LEAST = 200
# As likely as outcomes never are, in logarithms of odds.
SURE = 12.0
# How much the curve is held to be straight: as many outcomes speak for it; and how far it may be
# from that.
HELD = 5.0
LEAST_SLOPE, MOST_SLOPE = 0.5, 2.0
# Addresses of one cluster and step count for no more than so many.
TOGETHER = 10


@dataclass(frozen=True)
class Histories:
    """For each address: its state, how many visits from that state there were before of itself, of
    the others of its cluster and of its host, and how many of them came out the same; how often its
    representative was one before, or had another's text, and stayed; the cluster; and what came out
    of the next visit: 1, 0, or −1 where that is not known."""

    same_now: Numbers
    own: tuple[Numbers, Numbers]
    cluster: tuple[Numbers, Numbers]
    host: tuple[Numbers, Numbers]
    representative: tuple[Numbers, Numbers]
    # By the state: visits, and those that came out the same.
    all: tuple[tuple[float, float], tuple[float, float]]
    # Of all representatives.
    standing: tuple[float, float]
    clusters: Numbers
    outcome: Numbers

    def known(self) -> "Histories":
        """Only those whose outcome is known."""
        there = self.outcome >= 0

        def some(pair: tuple[Numbers, Numbers]) -> tuple[Numbers, Numbers]:
            return pair[0][there], pair[1][there]

        return Histories(
            self.same_now[there],
            *(some(self.own), some(self.cluster), some(self.host), some(self.representative)),
            *(self.all, self.standing),
            *(self.clusters[there], self.outcome[there]),
        )

    def weights(self) -> Numbers:
        """For how much each counts."""
        _, of, counts = np.unique(self.clusters, return_inverse=True, return_counts=True)
        found: Numbers = np.minimum(1.0, TOGETHER / counts)[of]
        return found


@dataclass(frozen=True)
class Strengths:
    """For how many visits count what the cluster did beside the address's own, what the host did
    beside the cluster's, what all did beside the host's, and what all representatives did beside
    one's own; and the curve: logarithms of odds are multiplied by `slope` and raised by `shift`."""

    cluster: float = 2.0
    host: float = 4.0
    all: float = 16.0
    standing: float = 4.0
    slope: float = 1.0
    shift: float = 0.0
    # Of how many outcomes they are learned; 0: they are a guess.
    outcomes: int = 0


def probabilities(histories: Histories, strengths: Strengths) -> Numbers:
    """For each address the probability that its next visit comes out the same."""
    rates = np.array([(same + 0.5) / (visits + 1) for visits, same in histories.all])
    mean = rates[histories.same_now.astype(np.int64)]
    for (visits, same), strength in (
        (histories.host, strengths.all),
        (histories.cluster, strengths.host),
        (histories.own, strengths.cluster),
    ):
        mean = (same + strength * mean) / (visits + strength)
    steps, all_stayed = histories.standing
    rate = (all_stayed + 0.5) / (steps + 1) if steps else 1.0
    visited, stayed = histories.representative
    stands = (stayed + strengths.standing * rate) / (visited + strengths.standing)
    # What had another text before comes to that of the representative wherever that goes.
    mean = np.where(histories.same_now == 1, mean * stands, mean)
    if (strengths.slope, strengths.shift) == (1.0, 0.0):
        return mean
    return curve(odds(mean), strengths.slope, strengths.shift)


def learned(histories: Histories) -> Strengths:
    """The strengths by which these outcomes would have been foretold best; a guess where there are
    too few, or no visits before them."""
    known = histories.known()
    outcomes = len(known.outcome)
    if outcomes < LEAST or not known.own[0].any():
        return Strengths()
    best = replace(Strengths(), outcomes=outcomes)
    weights = known.weights()
    loss = log_loss(probabilities(known, best), known.outcome, weights)
    changes: tuple[Callable[[Strengths, float], Strengths], ...] = (
        lambda each, value: replace(each, cluster=value),
        lambda each, value: replace(each, host=value),
        lambda each, value: replace(each, all=value),
        lambda each, value: replace(each, standing=value),
    )
    for _ in range(ROUNDS):
        before = best
        for change in changes:
            for value in TRIED:
                tried = change(best, value)
                its_loss = log_loss(probabilities(known, tried), known.outcome, weights)
                # By more than rounding: the same strengths on every machine.
                if its_loss < loss - 1e-9:
                    best, loss = tried, its_loss
        if best == before:
            break
    slope, shift = fitted_curve(odds(probabilities(known, best)), known.outcome, weights)
    return replace(best, slope=slope, shift=shift)


def log_loss(probability: Numbers, outcome: Numbers, weights: Numbers) -> float:
    """The mean surprise of the outcomes."""
    chance = np.clip(np.where(outcome == 1, probability, 1 - probability), 1e-12, 1.0)
    return float(-(weights * np.log(chance)).sum() / weights.sum())


def odds(probability: Numbers) -> Numbers:
    """Logarithms of odds."""
    inside = np.clip(probability, 1e-9, 1 - 1e-9)
    found: Numbers = np.clip(np.log(inside) - np.log1p(-inside), -SURE, SURE)
    return found


def curve(log_odds: Numbers, slope: float, shift: float) -> Numbers:
    """Probabilities of log odds on the curve."""
    found: Numbers = 1 / (1 + np.exp(-(slope * log_odds + shift)))
    return found


def fitted_curve(log_odds: Numbers, outcome: Numbers, weights: Numbers) -> tuple[float, float]:
    """The logistic curve through outcomes, by Newton's method, held to be straight a little, and
    never to turn what is more probable into what is less."""
    slope, shift = 1.0, 0.0
    for _ in range(50):
        chance = curve(log_odds, slope, shift)
        off, weight = weights * (outcome - chance), weights * chance * (1 - chance)
        by_slope = float((off * log_odds).sum()) - HELD * (slope - 1)
        by_shift = float(off.sum()) - HELD * shift
        first = float((weight * log_odds**2).sum()) + HELD
        both = float((weight * log_odds).sum())
        second = float(weight.sum()) + HELD
        determinant = first * second - both**2
        rise = (second * by_slope - both * by_shift) / determinant
        before = slope, shift
        slope = min(MOST_SLOPE, max(LEAST_SLOPE, slope + rise))
        # Where the slope may go no further, the shift goes on by itself.
        move = (first * by_shift - both * by_slope) / determinant
        shift += move if before[0] + rise == slope else by_shift / second
        if abs(slope - before[0]) + abs(shift - before[1]) < 1e-9:
            break
    return slope, shift


@dataclass(frozen=True)
class Bin:
    """Addresses of about one probability: how many, in how many clusters, the least and the most
    probable, what was foretold and what came out, and the standard error of that: of addresses that
    are independent, and of clusters that are, whose addresses share a representative."""

    addresses: int
    clusters: int
    low: float
    high: float
    predicted: float
    observed: float
    error: float
    cluster_error: float
    # As many clusters of one size would be as uneven: where few count, the error is hardly known.
    effective: float

    @property
    def off(self) -> float:
        """By how many standard errors, the larger ones, both differ."""
        error = max(self.error, self.cluster_error)
        return (self.observed - self.predicted) / error if error else 0.0


def calibration(
    probability: Numbers, histories: Histories, ties: Numbers, bins: int = BINS
) -> list[Bin]:
    """As many bins with as many addresses each, from the least probable on; of one probability the
    `ties` tell which come first."""
    there = histories.outcome >= 0
    chance, outcome = probability[there], histories.outcome[there]
    clusters = histories.clusters[there]
    order = np.lexsort((ties[there], chance))
    found = []
    for own in np.array_split(order, bins):
        if not len(own):
            continue
        p, y = chance[own], outcome[own]
        names, of = np.unique(clusters[own], return_inverse=True)
        off, members = np.bincount(of, weights=y - p), np.bincount(of)
        found.append(
            Bin(
                *(len(own), len(names), float(p[0]), float(p[-1])),
                *(float(p.mean()), float(y.mean())),
                float(np.sqrt((p * (1 - p)).sum())) / len(own),
                float(np.sqrt((off**2).sum())) / len(own),
                len(own) ** 2 / float((members**2).sum()),
            )
        )
    return found
