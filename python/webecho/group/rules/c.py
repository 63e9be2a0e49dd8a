"""`c`: C-similarity."""

from webecho.group.rules import parameters
from webecho.group.rules.checks import Agreement
from webecho.group.rules.pieces import pieces_for
from webecho.group.rules.rule import RuleKind, Search
from webecho.settings import Recipe


def searches(recipe: Recipe, least_c: int, pieces: int | None = None) -> tuple[Search, ...]:
    return (Search(pieces_for(recipe.bits, least_c, pieces), Agreement(least_c=least_c)),)


RULE = RuleKind(
    name="c",
    explanation="their C-similarity is at least 372 of 384",
    paper="Henzinger 2006, Algorithm C",
    searches=searches,
    parameters=(parameters.least_c(parameters.LEAST_C), parameters.pieces()),
    columns=("projection",),
    pairs_of_sets=True,
)
