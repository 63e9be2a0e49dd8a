"""Candidates that are compared one by one: by the shingle sets of pages that agree in a band of
features, or by the supershingles of pages that have one in common."""

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.group.columns import flat_lists, member_lists
from webecho.group.evidence import Evidence, gather, supershingle_evidence
from webecho.group.rules.keys import Bands
from webecho.memory import sorting
from webecho.run import Run
from webecho.workspace.reread import Reread
from webecho.workspace.union import Pages


@dataclass(frozen=True)
class Candidates:
    """Pages that share a key with another, what they are compared by, and the least resemblance, or
    share of equal supershingles, that holds two together."""

    kernel: _core.Candidates
    evidence: Evidence
    least: float
    # Of supershingles the evidence is how many are equal.
    by_supershingles: bool
    threads: int

    @property
    def estimated(self) -> str | None:
        return self.evidence.estimated

    def unite(self, forest: _core.Forest) -> None:
        """Joins what a chain of pairs holds together."""
        self.kernel.unite(forest, self.least, self.evidence.kernel)

    def stars(self, ranks: pa.Array, fixed: int) -> tuple[pa.Array, pa.Array]:
        """The pages that go, and those they go with; a rank is given for every page."""
        here = ranks.take(self.kernel.members())
        return self.kernel.stars(self.least, self.evidence.kernel, here, fixed)

    def pairs(self) -> Iterator[pa.RecordBatch]:
        """The verified pairs of all bands."""
        for band in range(self.kernel.bands):
            yield self.kernel.pairs(band, self.least, self.evidence.kernel)

    def measures(self, gone: pa.Array, stay: pa.Array) -> dict[str, pa.Array]:
        """What is measured of pairs of candidates: columns of `REMOVED`."""
        members = self.kernel.members()
        by_supershingles, threads = self.by_supershingles, self.threads
        return measured(self.evidence, members, gone, stay, by_supershingles, threads)


def measured(
    evidence: Evidence,
    members: pa.Array,
    gone: pa.Array,
    stay: pa.Array,
    by_supershingles: bool,
    threads: int = 1,
) -> dict[str, pa.Array]:
    """What is measured of pairs of members, which the evidence is of: columns of `REMOVED`."""
    found = evidence.kernel.measure(members, gone, stay, threads)
    if by_supershingles:
        return {"b_similarity": found["shared"]}
    shared = found["shared"].cast(pa.float64())
    total = pc.subtract(pc.add(found["left_size"], found["right_size"]), found["shared"])
    counted = pc.if_else(found["estimated"], pa.scalar(None, pa.float64()), shared)
    return {
        "resemblance": pc.divide(shared, total.cast(pa.float64())),
        "containment": pc.divide(counted, found["left_size"].cast(pa.float64())),
        "kept_containment": pc.divide(counted, found["right_size"].cast(pa.float64())),
        "estimated": found["estimated"],
    }


def resembling(
    workspace: Pages,
    keys: Bands,
    least: float,
    wanted: pa.Array,
    run: Run,
    *,
    partition: pa.Array | None = None,
    reread: Reread | None = None,
) -> Candidates:
    """The candidates for a resemblance among the wanted pages, and their shingle sets."""
    m = workspace.recipe.m
    kernel = candidates(workspace, "features", m, keys.bands, keys.width, wanted, run, partition)
    kernel.sift(member_lists(workspace, kernel.members(), "features"), m, keys.least)
    evidence = gather(workspace, kernel.members(), reread, run)
    return Candidates(kernel, evidence, least, by_supershingles=False, threads=run.threads)


def agreeing(
    workspace: Pages, least: int, wanted: pa.Array, run: Run, *, partition: pa.Array | None = None
) -> Candidates:
    """The candidates for so many equal supershingles among the wanted pages."""
    count = workspace.recipe.supershingles
    kernel = candidates(workspace, "supershingles", count, count, 1, wanted, run, partition)
    evidence = supershingle_evidence(workspace, kernel.members())
    share = least / count
    return Candidates(kernel, evidence, share, by_supershingles=True, threads=run.threads)


def candidates(
    workspace: Pages,
    column: str,
    m: int,
    bands: int,
    width: int,
    wanted: pa.Array,
    run: Run,
    partition: pa.Array | None,
) -> _core.Candidates:
    """The wanted pages that agree in a band of so many of the m values in a column.

    With `partition`, a number for each page of the workspace, only those with pages of the same
    number.
    """
    collected = _core.Bands(m, width, run.threads)
    for count in rounds(bands, workspace.pages, run.memory):
        collected.begin(count)
        for pages, values in flat_lists(workspace, column, wanted):
            collected.add(pages, values, None if partition is None else partition.take(pages))
    return collected.close()


def rounds(bands: int, pages: int, memory: int | None) -> list[int]:
    """How many bands are taken each time the sketches are gone through."""
    if memory is None:
        return [bands]
    # A band of a page is a key and the number of its row.
    at_once = max(1, sorting(memory, pages) // (16 * max(pages, 1)))
    return [min(at_once, bands - done) for done in range(0, bands, at_once)]
