"""Clusters by the kernels: sets, and what searches join of them."""

from webecho.engine.local.agreement import unite_agreeing
from webecho.engine.local.comparing import compared, only_supershingles
from webecho.engine.local.sets import representatives, unite_sets
from webecho.group.clusters import Clusters
from webecho.group.rules.rule import Rule
from webecho.memory import grouping, sorting_in_forest
from webecho.run import Run
from webecho.workspace.reread import Reread
from webecho.workspace.workspace import Workspace


def clusters(workspace: Workspace, rule: Rule, run: Run, reread: Reread | None = None) -> Clusters:
    """The clusters of a workspace under a rule."""
    run.check_memory(grouping(workspace.pages), f"clustering {workspace.path}")
    forest = unite_sets(workspace, rule.sets, run)
    estimated = None
    least_b = only_supershingles(rule, workspace.recipe)
    if least_b is not None:
        room = None if run.memory is None else sorting_in_forest(run.memory, workspace.pages)
        unite_agreeing(workspace, forest, least_b, run, room=room)
    elif rule.searches(workspace.recipe):
        found = compared(workspace, rule, representatives(forest), run, reread=reread)
        found.unite(forest)
        estimated = found.estimated
    return Clusters(*forest.clusters(), estimated)
