"""`b`: B-similarity."""

from webecho.group.rules import parameters
from webecho.group.rules.checks import Agreement
from webecho.group.rules.keys import Supershingles
from webecho.group.rules.rule import RuleKind, Search
from webecho.settings import Recipe


def searches(_: Recipe, least_b: int) -> tuple[Search, ...]:
    return (Search(Supershingles(), Agreement(least_b)),)


RULE = RuleKind(
    name="b",
    explanation="their B-similarity is at least 2",
    paper="Henzinger 2006, Algorithm B",
    searches=searches,
    parameters=(parameters.least_b(),),
    columns=("supershingles",),
    pairs_of_sets=True,
)
