"""`by-site`: C-similarity on different sites, on the same one B-similarity and a lower
C-similarity."""

from webecho.group.rules import parameters
from webecho.group.rules.checks import Agreement
from webecho.group.rules.keys import Supershingles
from webecho.group.rules.pieces import pieces_for
from webecho.group.rules.rule import RuleKind, Search
from webecho.settings import Recipe


def searches(
    recipe: Recipe, least_b: int, least_c: int, least_c_across: int, pieces: int | None = None
) -> tuple[Search, ...]:
    across = pieces_for(recipe.bits, least_c_across, pieces)
    return (
        Search(across, Agreement(least_c=least_c_across, sites="different")),
        Search(Supershingles(), Agreement(least_b, least_c, sites="same")),
    )


RULE = RuleKind(
    name="by-site",
    explanation="`c` on different sites, `combined` on the same",
    paper="Henzinger 2006, section 3.5",
    searches=searches,
    parameters=(
        parameters.least_b(),
        parameters.least_c(parameters.LEAST_C_COMBINED),
        parameters.least_c_across(),
        parameters.pieces(),
    ),
    columns=("supershingles", "projection"),
    pairs_of_sets=True,
)
