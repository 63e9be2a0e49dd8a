"""`combined`: B-similarity and a lower C-similarity."""

from webecho.group.rules import parameters
from webecho.group.rules.checks import Agreement
from webecho.group.rules.keys import Supershingles
from webecho.group.rules.rule import RuleKind, Search
from webecho.settings import Recipe


def searches(_: Recipe, least_b: int, least_c: int) -> tuple[Search, ...]:
    return (Search(Supershingles(), Agreement(least_b, least_c)),)


RULE = RuleKind(
    name="combined",
    explanation="both: B at least 2, C at least 355",
    paper="Henzinger 2006, section 3.5",
    searches=searches,
    parameters=(parameters.least_b(), parameters.least_c(parameters.LEAST_C_COMBINED)),
    columns=("supershingles", "projection"),
    pairs_of_sets=True,
)
