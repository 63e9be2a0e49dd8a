"""`edited`: a share of equal words, counted by a minimal diff.

Pages become candidates by the keys of `similar`. How alike the shingles of two pages must be that
have a share of equal words depends on where the others stand: a changed word that stands alone is
in k shingles. So the keys look for the resemblance that is left where all changes stand alone and
each takes a word for another (then s = 1 − k (1 − share) of the shingles are left, and the
resemblance is s / (2 − s)), but never for less than `LEAST_RESEMBLANCE`: pages of a lower one share
so few features that candidates would be mostly chance.
"""

from webecho.group.rules import parameters
from webecho.group.rules.banding import bands_for
from webecho.group.rules.checks import EqualWords
from webecho.group.rules.rule import RuleKind, Search
from webecho.settings import Recipe

# The lowest resemblance that bands of two of 84 features find with a chance of 0.995.
LEAST_RESEMBLANCE = 0.35


def searches(recipe: Recipe, equal_words: float) -> tuple[Search, ...]:
    keys = bands_for(recipe.m, resemblance_for(equal_words, recipe.k))
    return (Search(keys, EqualWords(equal_words)),)


def resemblance_for(equal_words: float, k: int) -> float:
    """The resemblance that candidates are looked for by."""
    left = max(0.0, 1 - k * (1 - equal_words))
    return max(LEAST_RESEMBLANCE, left / (2 - left))


RULE = RuleKind(
    name="edited",
    explanation="a minimal diff leaves at least a given share of their words equal",
    paper="Myers 1986",
    searches=searches,
    parameters=(parameters.equal_words(),),
    columns=("features",),
)
