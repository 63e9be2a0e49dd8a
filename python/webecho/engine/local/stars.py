"""Stars by the kernels: of each set one page stays or goes, and the others go with it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.engine.local.comparing import compared
from webecho.engine.local.sets import unite_sets
from webecho.group.columns import hollow_pages, page_numbers
from webecho.group.rules.keys import DIGESTS, Sets
from webecho.group.rules.rule import Rule
from webecho.group.stars import Removal, Stars, removed_rows
from webecho.memory import grouping, pairing
from webecho.run import Run
from webecho.workspace.reread import Reread
from webecho.workspace.union import Pages


class Grouping(Protocol):
    """How an engine finds what stars are made of."""

    def sets(self, sets: Sets, partition: pa.Array | None, hollow: pa.Array) -> _core.Forest:
        """A forest in which the sets are joined."""

    def removals(
        self,
        wanted: pa.Array,
        partition: pa.Array | None,
        ranks: pa.Array,
        fixed: int,
        forest: _core.Forest,
    ) -> "Removals":
        """Which of the wanted pages go by the searches, and with which; `forest` has the sets."""


@dataclass(frozen=True)
class Removals:
    """Pages that go, those they go with, and what is measured of the two."""

    gone: pa.Array
    stay: pa.Array
    measures: Mapping[str, pa.Array]
    # Why resemblances had to be estimated, if they had to.
    estimated: str | None = None


@dataclass(frozen=True)
class LocalGrouping:
    """By the kernels in this process."""

    workspace: Pages
    rule: Rule
    link: str
    run: Run
    reread: Reread | None = None

    def sets(self, sets: Sets, partition: pa.Array | None, hollow: pa.Array) -> _core.Forest:
        return unite_sets(self.workspace, sets, self.run, partition=partition, hollow=hollow)

    def removals(
        self,
        wanted: pa.Array,
        partition: pa.Array | None,
        ranks: pa.Array,
        fixed: int,
        forest: _core.Forest,
    ) -> Removals:
        found = compared(
            self.workspace,
            self.rule,
            wanted,
            self.run,
            partition=partition,
            reread=self.reread,
            ranks=ranks,
        )
        if self.link == "kept":
            gone, stay = found.stars(ranks, fixed)
        else:
            found.unite(forest)
            pages = page_numbers(self.workspace.pages)
            together = forest.firsts(ranks)
            changed = pc.and_(wanted, pc.not_equal(together, pages))
            gone, stay = pages.filter(changed), together.filter(changed)
        by_page = pc.sort_indices(gone)
        gone, stay = gone.take(by_page), stay.take(by_page)
        return Removals(gone, stay, found.measures(gone, stay), found.estimated)


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
    by_kernels = LocalGrouping(workspace, rule, link, run, reread)
    return stars_by(by_kernels, workspace, rule, ranks, hollow_pages(workspace), partition, fixed)


def stars_by(
    grouping: Grouping,
    workspace: Pages,
    rule: Rule,
    ranks: pa.Array,
    hollow: pa.Array,
    partition: pa.Array | None,
    fixed: int,
) -> Stars:
    """The same of what an engine finds."""
    forest = grouping.sets(rule.sets, partition, hollow)
    pages = page_numbers(workspace.pages)
    firsts = forest.firsts(ranks)
    goes_with, measured, estimated = firsts, None, None
    if rule.searches(workspace.recipe):
        wanted = pc.and_not(pc.equal(firsts, pages), hollow)
        found = grouping.removals(wanted, partition, ranks, fixed, forest)
        measured = Removal(found.gone, dict(found.measures))
        estimated = found.estimated
        goes_with = replaced(firsts, found.gone, found.stay)
        # The tables that come now are to take the place of what was compared.
        del found, wanted
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
                names = grouping.sets(digest, partition, hollow).firsts(ranks)
            found[digest.name] = pc.equal(names.take(page), names.take(kept))
        return found

    removed = removed_rows(rule, workspace.recipe, firsts, goes_with, same, measured)
    return Stars(goes_with, removed, estimated)


def replaced(firsts: pa.Array, gone: pa.Array, stay: pa.Array) -> pa.Array:
    """Each page's representative, or where that goes, the page it goes with."""
    at = pc.index_in(firsts, value_set=gone)
    return pc.if_else(at.is_null(), firsts, stay.take(at))
