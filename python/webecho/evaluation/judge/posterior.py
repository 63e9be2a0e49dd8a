"""*Posterior* of a number of hits: what labels on some pairs of strata tell of all their pairs.

The shares of hits in strata are thought to be drawn from one beta distribution, of which neither
the mean nor the *concentration* is known (high: all strata are alike; low: each is nearly pure).
How alike strata are is so told by all of them together: three labels that agree mean little where
strata are mixed, and much where nearly all are pure. Each mean and concentration of a grid is
weighed by how likely it makes the labels; for each of them the hits among the pairs without a
label are beta-binomial, stratum by stratum, and so their mean, variance and skewness are sums.

The 95 % interval is that of a gamma distribution of this variance and skewness (Wilson and
Hilferty 1931), with Student's t for the normal quantile: where a stratum of few labels gives most
of the variance, that is known badly itself. It lies half way between the estimate without bias and
the mean of the posterior, which is drawn to the middle. Chosen by trials beside others: see
docs/evaluate.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, inf, lgamma, sqrt

from webecho.study.shares import Z

MEANS = tuple((step + 0.5) / 20 for step in range(20))
CONCENTRATIONS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 20.0)
# Hits, and as many others, that are thought to be among those given, spread over strata
# by what they stand for: labels that all agree do not tell that no other could be.
ADDED = 0.5
# What is so much less likely than the likeliest adds nothing.
UNLIKELY = 12.0


@dataclass(frozen=True)
class Beta:
    """A beta distribution: hits and others that are thought to have been seen before."""

    hits: float
    others: float


GRID = tuple(Beta(mean * each, (1 - mean) * each) for each in CONCENTRATIONS for mean in MEANS)


@dataclass(frozen=True)
class Seen:
    """A stratum: so many labels, so many of them hits, and so many pairs without a label."""

    labels: float
    hits: float
    left: float


@dataclass(frozen=True)
class Moments:
    """Of the number of hits among the pairs without a label."""

    mean: float
    variance: float
    # The third central moment.
    third: float
    # The degrees of freedom with which the variance is known (Satterthwaite 1946).
    freedom: float


def hits_left(strata: Sequence[Seen]) -> Moments:
    """What the labels tell of the hits among the pairs without one."""
    likely = [0.0] * len(GRID)
    for each in strata:
        own = likelihoods(each.labels, each.hits)
        likely = [one + other for one, other in zip(likely, own, strict=True)]
    best = max(likely)
    weighed = [
        (exp(each - best), beta)
        for each, beta in zip(likely, GRID, strict=True)
        if each > best - UNLIKELY
    ]
    whole = sum(weight for weight, _ in weighed)
    pairs = sum(each.labels + each.left for each in strata)
    more = [ADDED * (each.labels + each.left) / pairs for each in strata]
    by_stratum = [0.0] * len(strata)
    found: list[tuple[float, float, float, float]] = []
    for weight, beta in weighed:
        share = weight / whole
        mean = variance = third = 0.0
        for at, (each, added) in enumerate(zip(strata, more, strict=True)):
            own_mean, own_variance, own_third = beta_binomial(beta, each, added)
            mean += own_mean
            variance += own_variance
            third += own_third
            by_stratum[at] += share * own_variance
        found.append((share, mean, variance, third))
    centre = sum(share * mean for share, mean, _, _ in found)
    spread = sum(share * (variance + (mean - centre) ** 2) for share, mean, variance, _ in found)
    skewed = sum(
        share * (third + 3 * variance * (mean - centre) + (mean - centre) ** 3)
        for share, mean, variance, third in found
    )
    known_by = sum(own**2 / each.labels for own, each in zip(by_stratum, strata, strict=True))
    return Moments(centre, spread, skewed, spread**2 / known_by if known_by else inf)


@lru_cache(4096)
def likelihoods(labels: float, hits: float) -> tuple[float, ...]:
    """The logarithm of how likely each beta of the grid makes so many hits among so many labels,
    but for what is the same for all of them."""
    return tuple(
        log_beta(beta.hits + hits, beta.others + labels - hits) - log_beta(beta.hits, beta.others)
        for beta in GRID
    )


def log_beta(one: float, other: float) -> float:
    return lgamma(one) + lgamma(other) - lgamma(one + other)


def beta_binomial(beta: Beta, seen: Seen, added: float) -> tuple[float, float, float]:
    """The mean, variance and third central moment of the hits that are left, if so many hits and as
    many others were seen more."""
    size = beta.hits + beta.others + seen.labels + 2 * added
    share, left = (beta.hits + seen.hits + added) / size, seen.left
    varying = left * share * (1 - share) * (size + left) / (size + 1)
    return left * share, varying, varying * (1 - 2 * share) * (size + 2 * left) / (size + 2)


def limits(centre: float, moments: Moments) -> tuple[float, float]:
    """The 95 % interval around a centre."""
    if moments.variance <= 0:
        return centre, centre
    deviation = sqrt(moments.variance)
    skewness = moments.third / deviation**3
    reach = student(moments.freedom)
    low, high = (quantile(skewness, end) for end in (-reach, reach))
    return centre + deviation * low, centre + deviation * high


def quantile(skewness: float, normal: float) -> float:
    """Of a gamma distribution with mean 0, variance 1 and this skewness, where a normal one has
    this quantile."""
    if abs(skewness) < 1e-6:
        return normal
    return 2 / skewness * ((1 + skewness * normal / 6 - skewness**2 / 36) ** 3 - 1)


def student(freedom: float) -> float:
    """The quantile of Student's t for a 95 % interval (Fisher's expansion; it is used from two
    degrees of freedom on, where it is 4 % short)."""
    if freedom == inf:
        return Z
    f = max(freedom, 2.0)
    first = (Z**3 + Z) / 4
    second = (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    third = (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384
    return Z + first / f + second / f**2 + third / f**3
