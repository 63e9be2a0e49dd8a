"""Stars by the kernels: of each set one page stays or goes, and the others go with it."""

import pyarrow as pa
import pyarrow.compute as pc

from webecho.engine.local.comparing import compared
from webecho.engine.local.sets import unite_sets
from webecho.group.columns import hollow_pages, page_numbers
from webecho.group.rules.keys import DIGESTS
from webecho.group.rules.rule import Rule
from webecho.group.stars import Removal, Stars, removed_rows
from webecho.memory import grouping, pairing
from webecho.run import Run
from webecho.workspace.reread import Reread
from webecho.workspace.union import Pages


def stars(
    workspace: Pages,
    rule: Rule,
    link: str,
    ranks: pa.Array,
    run: Run,
    *,
    partition: pa.Array | None = None,
    fixed: int = 0,
    reread: Reread | None = None,
) -> Stars:
    """What stays and what goes, pages of the lowest ranks first. Pages below number `fixed` always
    stay."""
    needed = pairing if "projection" in rule.columns else grouping
    run.check_memory(needed(workspace.pages), f"comparing the pages of {workspace.path}")
    hollow = hollow_pages(workspace)
    forest = unite_sets(workspace, rule.sets, run, partition=partition, hollow=hollow)
    pages = page_numbers(workspace.pages)
    firsts = forest.firsts(ranks)
    goes_with, measured, estimated = firsts, None, None
    if rule.searches(workspace.recipe):
        wanted = pc.and_not(pc.equal(firsts, pages), hollow)
        found = compared(
            workspace, rule, wanted, run, partition=partition, reread=reread, ranks=ranks
        )
        if link == "kept":
            gone, stay = found.stars(ranks, fixed)
        else:
            found.unite(forest)
            together = forest.firsts(ranks)
            changed = pc.and_(wanted, pc.not_equal(together, pages))
            gone, stay = pages.filter(changed), together.filter(changed)
        by_page = pc.sort_indices(gone)
        gone, stay = gone.take(by_page), stay.take(by_page)
        measured = Removal(gone, found.measures(gone, stay))
        estimated = found.estimated
        # The tables that come now are to take the place of what was compared.
        del found, wanted, by_page
        goes_with = replaced(firsts, gone, stay)
    del forest
    pa.default_memory_pool().release_unused()
    # What was there before stays, also where it repeats itself.
    goes_with = pa.concat_arrays([pages[:fixed], goes_with[fixed:]])

    def same(page: pa.Array, kept: pa.Array) -> dict[str, pa.Array]:
        """Of pages and those they go with, whether they are the same by each digest."""
        found = {}
        for digest in DIGESTS:
            names = firsts
            if digest != rule.sets:
                sets = unite_sets(workspace, digest, run, partition=partition, hollow=hollow)
                names = sets.firsts(ranks)
            found[digest.name] = pc.equal(names.take(page), names.take(kept))
        return found

    removed = removed_rows(rule, workspace.recipe, firsts, goes_with, same, measured)
    return Stars(goes_with, removed, estimated)


def replaced(firsts: pa.Array, gone: pa.Array, stay: pa.Array) -> pa.Array:
    """Each page's representative, or where that goes, the page it goes with."""
    at = pc.index_in(firsts, value_set=gone)
    return pc.if_else(at.is_null(), firsts, stay.take(at))
