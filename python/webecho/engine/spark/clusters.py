"""Clusters on Spark: sets, and what searches join of them."""

from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa

from webecho.engine.local.comparing import only_supershingles
from webecho.engine.local.sets import representatives
from webecho.engine.spark.components import unite_all, unite_ties
from webecho.engine.spark.key_stars import KEY_ROWS, key_stars, keyed
from webecho.engine.spark.overlap_links import by_chunks, overlap_links
from webecho.engine.spark.pack_tasks import Unite
from webecho.engine.spark.packs import PackSizes, tables
from webecho.engine.spark.page_parts import part_frame
from webecho.engine.spark.search_keys import MOST_WAYS, agreeing_keys, ways
from webecho.engine.spark.searching import USUAL, Searching, problem_of
from webecho.engine.spark.sets import unite_sets
from webecho.group.clusters import Clusters
from webecho.group.rules.rule import Rule
from webecho.run import Run
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from webecho import _core


def clusters(
    session: "SparkSession",
    workspace: Workspace,
    rule: Rule,
    run: Run,
    sizes: PackSizes = USUAL,
) -> Clusters:
    """The clusters of a workspace under a rule."""
    forest = unite_sets(session, workspace, rule.sets, run)
    recipe = workspace.recipe
    estimated = None
    least_b = only_supershingles(rule, recipe)
    if least_b is not None and ways(recipe.supershingles, least_b) <= MOST_WAYS:
        unite_agreeing(session, workspace, forest, least_b, run)
    elif by_chunks(rule, recipe):
        overlap_links(session, workspace, rule, representatives(forest), run).unite(forest)
    elif rule.searches(recipe):
        wanted = representatives(forest)
        found = Searching(session, workspace, rule, wanted, run, rule.columns, sizes=sizes)
        estimated = problem_of(unite_found(forest, found))
    return Clusters(*forest.clusters(), estimated)


def unite_found(forest: "_core.Forest", found: Searching) -> "pa.Table":
    """Joins what searches hold together, and gives what else tasks have to tell."""
    task = Unite(found.searches, found.pages.recipe)
    frames = [found.packed(task), found.blocked(task)]
    answers = pa.concat_tables(frame.toArrow() for frame in frames if frame is not None)
    for ties in tables(answers, "ties"):
        unite_all(forest, ties)
    return answers


def unite_agreeing(
    session: "SparkSession", workspace: Workspace, forest: "_core.Forest", least: int, run: Run
) -> None:
    """Joins pages with at least `least` equal supershingles: what these are together is a key, by
    which pages are joined without being compared."""
    workspace.require("supershingles")
    run.begin("finding clusters")
    wanted = representatives(forest)
    made = partial(keyed, ("supershingles",), "wanted", partial(agreeing_keys, least))
    rows = part_frame(session, workspace, made, KEY_ROWS, {"wanted": wanted}, wanted)
    most = wanted.true_count * ways(workspace.recipe.supershingles, least)
    unite_ties(forest, key_stars(rows, most), most, workspace.path)
