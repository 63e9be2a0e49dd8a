"""How often pages of a known resemblance agree: in features, in supershingles, in bits.

Pairs are made from random words, go through the real kernels, and their true resemblance p is
counted from the words themselves, window by window. What is expected is summed over the p that
came out; what is allowed is four standard deviations of such a sum, so that a right family of
functions fails a check once in some 16,000 draws, and the draws are always the same.
"""

import math
import random
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest

from tests.kernel import kernels
from webecho.settings import FETTERLY_2004, HENZINGER_2006, WEBECHO, Recipe

SIGMAS = 4
VOCABULARY = 50_000


@dataclass(frozen=True)
class Pairs:
    """Pairs of pages: the true resemblances, and where their sketches are equal."""

    p: np.ndarray
    equal_features: np.ndarray
    equal_supershingles: np.ndarray

    @property
    def shares(self) -> np.ndarray:
        return self.equal_features.mean(axis=1)


def edited(words: list[str], p: float, k: int, tail: bool, rng: random.Random) -> list[str]:
    """The words with so many new ones that the resemblance is near p."""
    new = list(words)
    lost = len(words) * (1 - p) / (1 + p)
    if tail:
        places = range(len(words) - max(1, round(lost)), len(words))
    else:
        # A word far from others is in k shingles.
        places = rng.sample(range(len(words)), max(1, round(lost / k)))
    for place in places:
        new[place] = f"new{rng.randrange(VOCABULARY)}"
    return new


def windows(words: list[str], recipe: Recipe) -> set[tuple[str, ...]]:
    around = words + words[: recipe.k - 1] if recipe.wrap else words
    return set(zip(*(around[i:] for i in range(recipe.k)), strict=False))


def make(recipe: Recipe, count: int, length: int, p: float, *, tail: bool = False) -> Pairs:
    rng = random.Random(f"{recipe.name} {count} {length} {p}")
    texts, truth = [], []
    for _ in range(count):
        left = [f"w{n}" for n in rng.choices(range(VOCABULARY), k=length)]
        right = edited(left, p, recipe.k, tail, rng)
        texts += [" ".join(left), " ".join(right)]
        one, other = windows(left, recipe), windows(right, recipe)
        truth.append(len(one & other) / len(one | other))
    rows = kernels.sketches(texts, recipe, columns=["features", "supershingles"])
    equal = {}
    for name in ("features", "supershingles"):
        values = rows[name].flatten().to_numpy().reshape(count, 2, -1)
        equal[name] = values[:, 0] == values[:, 1]
    return Pairs(np.array(truth), equal["features"], equal["supershingles"])


def curve(p: np.ndarray) -> np.ndarray:
    """The chance that at least 2 of 6 supershingles agree (Fetterly 2004)."""
    q = p**14
    return 1 - (1 - q) ** 6 - 6 * q * (1 - q) ** 5


def check_mean_and_variance(pairs: Pairs) -> None:
    """The mean share of equal features is p, with no more variance than of independent ones."""
    p, n, m = pairs.p, len(pairs.p), pairs.equal_features.shape[1]
    off = pairs.shares - p
    binomial = (p * (1 - p) / m).mean()
    assert abs(off.mean()) < SIGMAS * math.sqrt(binomial / n)
    # A variance from n draws is off by √(2/n) of itself, or a little more where p is near 1.
    assert (off**2).mean() < binomial * (1 + SIGMAS * math.sqrt(2.5 / n))


CASES = [
    *((WEBECHO, 1_000, 1_000, p) for p in (0.5, 0.8, 0.9, 0.95, 0.99)),
    *((FETTERLY_2004, 1_000, 500, p) for p in (0.8, 0.9, 0.95, 0.99)),
    *((HENZINGER_2006, 600, 500, p) for p in (0.9, 0.95)),
]


@pytest.mark.parametrize(
    ("recipe", "count", "length", "p"), CASES, ids=lambda value: str(getattr(value, "name", value))
)
def test_the_agreement_curve(recipe: Recipe, count: int, length: int, p: float) -> None:
    pairs = make(recipe, count, length, p)
    assert abs(pairs.p.mean() - p) < 0.1
    expected = curve(pairs.p)
    found = (pairs.equal_supershingles.sum(axis=1) >= 2).mean()
    sigma = math.sqrt((expected * (1 - expected)).sum()) / count
    # Half a pair more, for where hardly any or nearly all agree.
    assert abs(found - expected.mean()) < SIGMAS * sigma + 0.5 / count
    check_mean_and_variance(pairs)


def test_the_curve_has_the_values_of_the_paper() -> None:
    assert curve(np.array([0.95, 0.8])) == pytest.approx([0.88, 0.026], abs=0.002)


@pytest.mark.parametrize("length", [9, 12, 20, 34, 64])
@pytest.mark.parametrize("recipe", [WEBECHO, FETTERLY_2004], ids=lambda recipe: recipe.name)
def test_short_pages(recipe: Recipe, length: int) -> None:
    """Pages of 5 to 64 shingles, fewer than there are features."""
    for p in (0.5, 0.8):
        check_mean_and_variance(make(recipe, 2_000, length, p, tail=True))


def test_rounds_estimate_better_than_independent_functions() -> None:
    """A page's features are different shingles as far as they go, as if drawn without replacement.

    So the estimate varies less, by a half on short pages, and the curve is a little steeper than
    that of independent functions.
    """
    pairs = make(WEBECHO, 4_000, 64, 0.9, tail=True)
    binomial = (pairs.p * (1 - pairs.p) / 84).mean()
    assert ((pairs.shares - pairs.p) ** 2).mean() < 0.65 * binomial
    found = (pairs.equal_supershingles.sum(axis=1) >= 2).mean()
    assert abs(found - curve(pairs.p).mean()) < 0.06


def test_each_position_agrees_as_often_as_any_other() -> None:
    """No function is worse than the rest; the worst of 84 is within five deviations."""
    for recipe, count, length in ((WEBECHO, 2_000, 300), (FETTERLY_2004, 1_000, 100)):
        pairs = make(recipe, count, length, 0.8, tail=True)
        sigma = math.sqrt((pairs.p * (1 - pairs.p)).sum()) / count
        assert np.abs(pairs.equal_features.mean(axis=0) - pairs.p.mean()).max() < 5 * sigma


def angle(left: list[str], right: list[str]) -> float:
    """θ between the vectors of word frequencies."""
    one, other = Counter(left), Counter(right)
    dot = sum(one[word] * other[word] for word in one)
    norms = math.sqrt(sum(n * n for n in one.values()) * sum(n * n for n in other.values()))
    return math.acos(min(1.0, dot / norms))


@pytest.mark.parametrize("recipe", [WEBECHO, FETTERLY_2004], ids=lambda recipe: recipe.name)
@pytest.mark.parametrize("share", [0.02, 0.1, 0.3, 0.6, 1.0])
def test_bits_agree_as_the_angle_says(recipe: Recipe, share: float) -> None:
    rng = random.Random(f"{recipe.name} {share}")
    # Some words are frequent, as in any language, but none rules alone.
    weights = [1 / (n + 10) for n in range(1_000)]
    count, length = 250, 801
    texts, expected = [], []
    for pair in range(count):
        # Words of their own, for the signs of a word are the same in all pairs.
        words = [f"w{pair}x{n}" for n in range(1_000)]
        left = rng.choices(words, weights, k=length)
        fresh = rng.choices(words, weights, k=length)
        right = [b if rng.random() < share else a for a, b in zip(left, fresh, strict=True)]
        texts += [" ".join(left), " ".join(right)]
        expected.append(1 - angle(left, right) / math.pi)
    rows = kernels.sketches(texts, recipe, columns=["projection"])
    bits = np.unpackbits(rows["projection"].flatten().to_numpy().view(np.uint8))
    bits = bits.reshape(count, 2, 384)
    off = (bits[:, 0] == bits[:, 1]).mean(axis=1) - expected
    chance = np.array(expected)
    binomial = (chance * (1 - chance) / 384).mean()
    assert abs(off.mean()) < SIGMAS * math.sqrt(binomial / count)
    assert (off**2).mean() < binomial * (1 + SIGMAS * math.sqrt(2.5 / count))
    # Half of all bits are set: no dimension leans.
    assert abs(bits.mean() - 0.5) < 0.02
