"""Pages that share enough chunks, as links of clusters and stars. Pairs are used as they come and
none is held: what is known of them is a few numbers for each page."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.engine.local.overlaps import ROOM, overlaps
from webecho.group.overlaps import OverlapSearch
from webecho.memory import sorting
from webecho.run import Run
from webecho.workspace.union import Pages


class SharedChunks(Protocol):
    """What an engine has found of pages, and finds as it is asked for."""

    def pairs(self) -> Iterator[pa.RecordBatch]:
        """The pairs, in batches of `FOUND`; if pages have ranks, by these and in their order."""

    def sizes(self, units: pa.Array) -> pa.Array:
        """How many different chunks pages have."""


class Compare(Protocol):
    """How an engine finds it."""

    def __call__(self, links: "OverlapLinks") -> SharedChunks: ...


def compared_here(links: "OverlapLinks") -> SharedChunks:
    """Sorts the chunks. What is held beside, of every page, is what grouping holds."""
    memory = links.run.memory
    room = ROOM if memory is None else sorting(memory, links.pages.pages)
    return overlaps(
        *(links.pages, links.search, links.run),
        wanted=links.wanted,
        partition=links.partition,
        order=links.ranks,
        room=room,
    )


@dataclass
class OverlapLinks:
    """The links among the `wanted` pages.

    With `ranks`, for every page how many come before it, pages are compared under these numbers.
    Then pairs come in the order in which it is decided on pages, and the first pair of a page, in
    which it is on the right, is with the first page of all that it has a link to.
    """

    pages: Pages
    search: OverlapSearch
    run: Run
    wanted: pa.Array
    partition: pa.Array | None = None
    ranks: pa.Array | None = None
    # Chunks are counted.
    estimated: None = None
    compare: Compare = compared_here
    found: SharedChunks | None = field(default=None, init=False)
    firsts: _core.OverlapStars | None = field(default=None, init=False)

    def begin(self) -> SharedChunks:
        self.found = self.compare(self)
        return self.found

    def unite(self, forest: _core.Forest) -> None:
        """Joins what a chain of pairs holds together."""
        ranked = None if self.ranks is None else by_rank(self.ranks)
        if ranked is not None:
            self.firsts = _core.OverlapStars(self.pages.pages)
        for batch in self.begin().pairs():
            left, right = batch["left"], batch["right"]
            if ranked is not None and self.firsts is not None:
                self.firsts.add(left, right, batch["shared"])
                left, right = ranked.take(left), ranked.take(right)
            forest.unite(left, right)

    def stars(self, ranks: pa.Array, fixed: int) -> tuple[pa.Array, pa.Array]:
        """The pages that go, and those they go with; a rank is given for every page."""
        self.ranks = ranks
        ranked = by_rank(ranks)
        always = pc.less(ranked, pa.scalar(fixed, pa.uint32()))
        self.firsts = _core.OverlapStars(self.pages.pages, always)
        for batch in self.begin().pairs():
            self.firsts.add(batch["left"], batch["right"], batch["shared"])
        gone = self.firsts.gone()
        return ranked.take(gone), ranked.take(self.firsts.of(gone)[0])

    def measures(self, gone: pa.Array, stay: pa.Array) -> dict[str, pa.Array]:
        """What is measured of pairs of pages: columns of what is removed; null where pages are held
        together by others only."""
        if self.ranks is None or self.firsts is None or self.found is None:
            raise RuntimeError("what is measured is asked for before pairs have come")
        one, other = self.ranks.take(gone), self.ranks.take(stay)
        first, counted = self.firsts.of(one)
        none = pa.scalar(None, pa.int64())
        shared = pc.if_else(pc.equal(first, other), counted.cast(pa.int64()), none)
        own, kept = self.found.sizes(one), self.found.sizes(other)
        total = pc.subtract(pc.add(own, kept), shared)
        number = shared.cast(pa.float64())
        return {
            "resemblance": pc.divide(number, total.cast(pa.float64())),
            "containment": pc.divide(number, own.cast(pa.float64())),
            "kept_containment": pc.divide(number, kept.cast(pa.float64())),
            "shared_chunks": shared,
        }


def by_rank(ranks: pa.Array) -> pa.Array:
    """For every rank the page that has it."""
    pages = np.empty(len(ranks), np.uint32)
    pages[ranks.to_numpy()] = np.arange(len(ranks), dtype=np.uint32)
    return pa.array(pages)
