"""`virtually-identical`: all supershingles in common."""

from webecho.group.rules.checks import Agreement
from webecho.group.rules.keys import Supershingles
from webecho.group.rules.rule import RuleKind, Search
from webecho.settings import Recipe


def searches(recipe: Recipe) -> tuple[Search, ...]:
    return (Search(Supershingles(), Agreement(recipe.supershingles)),)


RULE = RuleKind(
    name="virtually-identical",
    explanation="all supershingles agree",
    paper="Fetterly 2004",
    searches=searches,
    columns=("supershingles",),
)
