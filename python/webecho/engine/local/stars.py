"""Stars by the kernels: of each set one page stays or goes, and the others go with it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.engine.local.comparing import compared
from webecho.engine.local.overlap_links import OverlapLinks
from webecho.engine.local.resemblances import Candidates
from webecho.engine.local.sets import unite_sets
from webecho.engine.local.similarities import Similarities
from webecho.group.columns import hollow_pages, page_numbers, places_among
from webecho.group.rules.keys import DIGESTS, Sets
from webecho.group.rules.rule import Rule
from webecho.group.stars import Removal, Stars, removed_rows
from webecho.memory import deduplicating, give_back, grouping, pairing
from webecho.run import Run
from webecho.workspace.mapped import by_blocks
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
        return removals_of(found, self.link, wanted, ranks, fixed, forest)


def removals_of(
    found: Candidates | Similarities | OverlapLinks,
    link: str,
    wanted: pa.Array,
    ranks: pa.Array,
    fixed: int,
    forest: _core.Forest,
) -> Removals:
    """Which of the wanted pages go by what was found of them; `forest` has the sets."""
    if link == "kept":
        gone, stay = found.stars(ranks, fixed)
    else:
        found.unite(forest)
        pages = page_numbers(len(wanted))
        together = forest.firsts(ranks)
        changed = pc.and_(wanted, pc.not_equal(together, pages))
        gone, stay = (by_blocks(pa.Array.filter, each, changed) for each in (pages, together))
    if not pc.all(pc.less(gone[:-1], gone[1:]), min_count=0).as_py():
        by_page = pc.sort_indices(gone)
        gone, stay = (by_blocks(each.take, by_page) for each in (gone, stay))
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
    needed = needed_memory(workspace, rule, ranks, partition)
    run.check_memory(needed, f"comparing the pages of {workspace.path}")
    by_kernels = LocalGrouping(workspace, rule, link, run, reread)
    return stars_by(by_kernels, workspace, rule, ranks, hollow_pages(workspace), partition, fixed)


def needed_memory(workspace: Pages, rule: Rule, ranks: pa.Array, partition: pa.Array | None) -> int:
    """The least memory in which stars are found, and what stays is written."""
    pages = workspace.pages
    if "projection" in rule.columns:
        return pairing(pages)
    # Orders and groups are held as they are, and so are the places of an archive's records.
    archives = any(piece.part_files("records") for piece, _ in workspace.pieces)
    if archives or partition is not None or not ranks.equals(page_numbers(pages)):
        return grouping(pages)
    return deduplicating(pages)


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
    give_back()
    if fixed:
        # What was there before stays, also where it repeats itself.
        goes_with = pa.concat_arrays([pages[:fixed], goes_with[fixed:]])
    names: dict[str, pa.Array] = {}

    def same(page: pa.Array, kept: pa.Array) -> dict[str, pa.Array]:
        """Of pages and those they go with, whether they are the same by each digest."""
        for digest in DIGESTS:
            if digest.name not in names:
                other = digest != rule.sets
                names[digest.name] = (
                    grouping.sets(digest, partition, hollow).firsts(ranks) if other else firsts
                )
        return {name: pc.equal(each.take(page), each.take(kept)) for name, each in names.items()}

    removed = removed_rows(rule, workspace.recipe, firsts, goes_with, same, measured)
    return Stars(goes_with, removed, estimated)


def replaced(firsts: pa.Array, gone: pa.Array, stay: pa.Array) -> pa.Array:
    """Each page's representative, or where that goes, the page it goes with; those that go
    ascend."""

    def instead(some: pa.Array) -> pa.Array:
        at = places_among(some, gone)
        return pc.if_else(at.is_null(), some, stay.take(at))

    return by_blocks(instead, firsts)
