"""`very-similar`: a megashingle in common."""

from webecho.group.rules.checks import Agreement
from webecho.group.rules.keys import Supershingles
from webecho.group.rules.rule import RuleKind, Search
from webecho.settings import Recipe

# Fetterly 2004: as many as make a megashingle.
LEAST = 2


def searches(recipe: Recipe) -> tuple[Search, ...]:
    return (Search(Supershingles(), Agreement(min(LEAST, recipe.supershingles))),)


RULE = RuleKind(
    name="very-similar",
    explanation="at least 2 supershingles agree",
    paper="Fetterly 2004",
    searches=searches,
    columns=("supershingles",),
)
