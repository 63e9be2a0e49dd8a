"""Candidate pairs for the rules that compare more than one value: pages that agree in a band."""

import pyarrow as pa

from webecho import _core
from webecho.group.columns import flat_lists, member_lists
from webecho.group.rules import Banding, Rule, banding, sifting
from webecho.memory import sorting
from webecho.run import Run
from webecho.workspace.union import Pages


def find_candidates(
    workspace: Pages, rule: Rule, wanted: pa.Array, run: Run, *, apart: pa.Array | None = None
) -> _core.Candidates:
    """The candidates among the wanted pages, by bands of features picked for the rule, and for
    `similar` only those whose features agree often enough.

    With `apart`, a number for each page of the workspace, only among pages of the same number.

    The rules on supershingles take each as a band of its own.
    """
    recipe = workspace.recipe
    if rule.name == "similar":
        column, m = "features", recipe.m
        chosen = banding(m, rule.resemblance or 0.0)
    else:
        column, m = "supershingles", recipe.supershingles
        chosen = Banding(m, 1)
    bands = _core.Bands(m, chosen.width, run.threads)
    for count in rounds(chosen.bands, workspace.pages, run.memory):
        bands.begin(count)
        for pages, values in flat_lists(workspace, column, wanted):
            bands.add(pages, values, None if apart is None else apart.take(pages))
    candidates = bands.close()
    if rule.name == "similar":
        features = member_lists(workspace, candidates.members(), column)
        candidates.sift(features, m, sifting(m, rule.resemblance or 0.0))
    return candidates


def rounds(bands: int, pages: int, memory: int | None) -> list[int]:
    """How many bands are taken each time the sketches are gone through."""
    if memory is None:
        return [bands]
    # A band of a page is a key and the number of its row.
    at_once = max(1, sorting(memory, pages) // (16 * max(pages, 1)))
    return [min(at_once, bands - done) for done in range(0, bands, at_once)]
