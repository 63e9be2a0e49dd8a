"""`similar`: a resemblance, counted from the shingle sets."""

from webecho.group.rules import parameters
from webecho.group.rules.banding import bands_for
from webecho.group.rules.checks import Resemblance
from webecho.group.rules.rule import RuleKind, Search
from webecho.settings import Recipe


def searches(recipe: Recipe, resemblance: float) -> tuple[Search, ...]:
    return (Search(bands_for(recipe.m, resemblance), Resemblance(resemblance)),)


RULE = RuleKind(
    name="similar",
    explanation="the resemblance of their shingle sets is at least a given one",
    paper="Broder 1997",
    searches=searches,
    parameters=(parameters.resemblance(),),
    columns=("features",),
    compares_shingles=True,
)
