"""Candidates that are compared one by one: by the shingle sets or the words of pages that agree in
a band of features, or by the supershingles of pages that have one in common."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.group.columns import flat_lists, member_lists
from webecho.group.evidence import Evidence, gather, supershingle_evidence, word_evidence
from webecho.group.rules.keys import Bands
from webecho.memory import give_back, sorting
from webecho.run import Run
from webecho.workspace.mapped import BLOCK, by_blocks, mapped_table
from webecho.workspace.reread import Reread
from webecho.workspace.spilling import spilling
from webecho.workspace.union import Pages


@dataclass(frozen=True)
class Candidates:
    """Pages that share a key with another, what they are compared by, and the least resemblance,
    share of equal supershingles or of equal words, that holds two together."""

    kernel: _core.Candidates
    evidence: Evidence
    least: float
    # What the kernel's counts of pairs are of: columns of `REMOVED`.
    told: Callable[[pa.RecordBatch], dict[str, pa.Array]]
    threads: int

    @property
    def estimated(self) -> str | None:
        return self.evidence.estimated

    def unite(self, forest: _core.Forest) -> None:
        """Joins what a chain of pairs holds together."""
        self.kernel.unite(forest, self.least, self.evidence.kernel)

    def stars(self, ranks: pa.Array, fixed: int) -> tuple[pa.Array, pa.Array]:
        """The pages that go, and those they go with; a rank is given for every page."""
        here = by_blocks(ranks.take, self.kernel.members())
        return self.kernel.stars(self.least, self.evidence.kernel, here, fixed)

    def pairs(self) -> Iterator[pa.RecordBatch]:
        """The verified pairs of all bands."""
        for band in range(self.kernel.bands):
            yield self.kernel.pairs(band, self.least, self.evidence.kernel)

    def measures(self, gone: pa.Array, stay: pa.Array) -> dict[str, pa.Array]:
        """What is measured of pairs of candidates: columns of `REMOVED`."""
        members, kernel = self.kernel.members(), self.evidence.kernel

        def told(start: int) -> dict[str, pa.Array]:
            some, kept = (each.slice(start, BLOCK) for each in (gone, stay))
            return self.told(kernel.measure(members, some, kept, self.threads))

        if len(gone) <= BLOCK:
            return told(0)
        tables = [pa.table(told(0))]
        schema = tables[0].schema
        rest = (pa.table(told(start), schema=schema) for start in range(BLOCK, len(gone), BLOCK))
        found = mapped_table(chain(tables, rest), schema)
        return {name: found[name] for name in found.column_names}


def told_by_shingles(counts: pa.RecordBatch) -> dict[str, pa.Array]:
    """The resemblance and both containments."""
    shared = counts["shared"].cast(pa.float64())
    total = pc.subtract(pc.add(counts["left_size"], counts["right_size"]), counts["shared"])
    counted = pc.if_else(counts["estimated"], pa.scalar(None, pa.float64()), shared)
    return {
        "resemblance": pc.divide(shared, total.cast(pa.float64())),
        "containment": pc.divide(counted, counts["left_size"].cast(pa.float64())),
        "kept_containment": pc.divide(counted, counts["right_size"].cast(pa.float64())),
        "estimated": counts["estimated"],
    }


def told_by_words(counts: pa.RecordBatch) -> dict[str, pa.Array]:
    """The share of equal words."""
    total = pc.add(counts["left_size"], counts["right_size"]).cast(pa.float64())
    share = pc.divide(pc.multiply(counts["shared"], 2).cast(pa.float64()), total)
    return {"equal_words": share, "estimated": counts["estimated"]}


def told_by_supershingles(counts: pa.RecordBatch) -> dict[str, pa.Array]:
    """How many are equal."""
    return {"b_similarity": counts["shared"]}


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
    kernel = in_bands(workspace, keys, wanted, run, partition)
    evidence = gather(workspace, kernel.members(), reread, run)
    return Candidates(kernel, evidence, least, told_by_shingles, run.threads)


def edited(
    workspace: Pages,
    keys: Bands,
    least: float,
    wanted: pa.Array,
    run: Run,
    *,
    partition: pa.Array | None = None,
    reread: Reread | None = None,
) -> Candidates:
    """The candidates for a share of equal words among the wanted pages, and their words."""
    kernel = in_bands(workspace, keys, wanted, run, partition)
    evidence = word_evidence(workspace, kernel.members(), keys.least, reread, run)
    return Candidates(kernel, evidence, least, told_by_words, run.threads)


def in_bands(
    workspace: Pages, keys: Bands, wanted: pa.Array, run: Run, partition: pa.Array | None
) -> _core.Candidates:
    """The wanted pages that agree in a band, and in enough features with one of those."""
    m = workspace.recipe.m
    kernel = candidates(workspace, "features", m, keys.bands, keys.width, wanted, run, partition)
    kernel.sift(member_lists(workspace, kernel.members(), "features"), m, keys.least)
    if run.memory is not None:
        give_back()
    return kernel


def agreeing(
    workspace: Pages, least: int, wanted: pa.Array, run: Run, *, partition: pa.Array | None = None
) -> Candidates:
    """The candidates for so many equal supershingles among the wanted pages."""
    count = workspace.recipe.supershingles
    kernel = candidates(workspace, "supershingles", count, count, 1, wanted, run, partition)
    evidence = supershingle_evidence(workspace, kernel.members())
    share = least / count
    return Candidates(kernel, evidence, share, told_by_supershingles, run.threads)


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
    with spilling(run):
        for count in rounds(bands, wanted.true_count, run.memory):
            collected.begin(count, wanted.true_count)
            for pages, values in flat_lists(workspace, column, wanted):
                collected.add(pages, values, None if partition is None else partition.take(pages))
            if run.memory is not None:
                # The batches that features came in.
                give_back()
        return collected.close()


def rounds(bands: int, pages: int, memory: int | None) -> list[int]:
    """How many bands are taken each time the sketches are gone through."""
    # A band of many pages is spilled, and needs no memory.
    if memory is None or 8 * pages >= _core.LARGE:
        return [bands]
    # A band of a page is a key and the number of its row.
    at_once = max(1, sorting(memory, pages) // (16 * max(pages, 1)))
    return [min(at_once, bands - done) for done in range(0, bands, at_once)]
