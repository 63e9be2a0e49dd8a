"""Which kernels a rule's searches are done by: keys → candidates → check."""

import pyarrow as pa

from webecho.engine.local.overlap_links import OverlapLinks
from webecho.engine.local.resemblances import Candidates, agreeing, edited, resembling
from webecho.engine.local.similarities import Similarities, Sketches
from webecho.group.overlaps import OverlapSearch
from webecho.group.rules.checks import Agreement, EqualWords, Resemblance, Shared
from webecho.group.rules.keys import Bands, Chunks, Supershingles
from webecho.group.rules.rule import Rule, Search
from webecho.run import Run
from webecho.settings import Recipe
from webecho.workspace.reread import Reread
from webecho.workspace.union import Pages


def only_supershingles(rule: Rule, recipe: Recipe) -> int | None:
    """How many supershingles must agree, if a rule looks at nothing else."""
    match rule.searches(recipe):
        case (Search(Supershingles(), Agreement(least_b, None, "any")),):
            return least_b
    return None


def compared(
    workspace: Pages,
    rule: Rule,
    wanted: pa.Array,
    run: Run,
    *,
    partition: pa.Array | None = None,
    reread: Reread | None = None,
    ranks: pa.Array | None = None,
) -> Candidates | Similarities | OverlapLinks:
    """The candidates of a rule among the wanted pages, with what decides on them; `ranks` say in
    which order that is, where it is asked for."""
    searches = rule.searches(workspace.recipe)
    match searches:
        case (Search(Bands() as keys, Resemblance(least)),):
            return resembling(
                workspace, keys, least, wanted, run, partition=partition, reread=reread
            )
        case (Search(Bands() as keys, EqualWords(least)),):
            return edited(workspace, keys, least, wanted, run, partition=partition, reread=reread)
        case (Search(Chunks(), Shared()),):
            search = OverlapSearch.of(rule, workspace.recipe)
            return OverlapLinks(workspace, search, run, wanted, partition, ranks)
    least_b = only_supershingles(rule, workspace.recipe)
    if least_b is not None:
        return agreeing(workspace, least_b, wanted, run, partition=partition)
    sketches = Sketches.of(workspace, wanted, rule.columns, rule.columns, partition)
    return Similarities(sketches, searches, run)
