"""Sets of pages that are the same by their keys alone: by a digest, by their paragraphs, or
by their chunks."""

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.engine.local.overlaps import unite_chunk_sets
from webecho.group.columns import page_numbers
from webecho.group.paragraphs import long_enough, same_paragraphs
from webecho.group.rules.keys import OF_BYTES, Digest, Paragraphs, SameChunks, Sets
from webecho.memory import sorting
from webecho.run import Run
from webecho.workspace.prefetch import prefetch
from webecho.workspace.spilling import spilling
from webecho.workspace.union import Pages

# What a page takes while it is sorted, and Arrow's copy of the batch.
ROW = 32


def unite_sets(
    workspace: Pages,
    sets: Sets,
    run: Run,
    *,
    partition: pa.Array | None = None,
    hollow: pa.Array | None = None,
) -> _core.Forest:
    """A forest in which the sets are joined.

    With `partition`, a number for each page, those of pages with the same number. What pages say
    that are `hollow` does not tell: only their bytes can be the same.
    """
    if isinstance(sets, Paragraphs):
        return unite_documents(workspace, sets, run, partition, hollow)
    if isinstance(sets, SameChunks):
        return unite_chunk_sets(workspace, sets, run, partition, hollow)
    return unite_digests(workspace, sets, run, partition, hollow)


def unite_digests(
    workspace: Pages, sets: Digest, run: Run, partition: pa.Array | None, hollow: pa.Array | None
) -> _core.Forest:
    """Joins pages with the same digest. Within a memory budget the digests are gone through several
    times, for some classes of them each."""
    forest = _core.Forest(workspace.pages, run.threads)
    passes = 1
    # What is taken of many pages is spilled, and needs no memory.
    if run.memory is not None and workspace.pages * ROW < _core.LARGE:
        passes = -(-workspace.pages * ROW // sorting(run.memory, workspace.pages))
    with spilling(run):
        for number in range(passes):
            forest.unite_equal(
                _keys(workspace, sets, _core.Keys(passes, number), partition, hollow)
            )
    return forest


def _keys(
    workspace: Pages,
    sets: Digest,
    keys: _core.Keys,
    partition: pa.Array | None,
    hollow: pa.Array | None,
) -> _core.Keys:
    """The digests of all pages, in `keys`, which takes some classes of them."""
    for batch in prefetch(workspace.batches(["page", *sets.columns])):
        left = pa.repeat(True, len(batch))
        for kind, column in enumerate(sets.columns):
            has = batch[column].is_valid()
            if hollow is not None and column not in OF_BYTES:
                has = pc.and_not(has, hollow.take(batch["page"]))
            chosen, left = pc.and_(left, has), pc.and_not(left, has)
            if not chosen.true_count:
                continue
            rows = batch.filter(chosen)
            groups = None if partition is None else partition.take(rows["page"])
            keys.add(rows["page"], rows[column], kind, groups)
    return keys


def unite_documents(
    workspace: Pages,
    sets: Paragraphs,
    run: Run,
    partition: pa.Array | None,
    hollow: pa.Array | None,
) -> _core.Forest:
    """Joins pages with the same paragraphs."""
    wanted = long_enough(workspace, sets.longer_than)
    if hollow is not None:
        wanted = pc.and_not(wanted, hollow)
    clusters = same_paragraphs(workspace, wanted, run)
    forest = _core.Forest(workspace.pages, run.threads)
    pages, names = (each.filter(wanted) for each in (page_numbers(workspace.pages), clusters))
    if partition is not None:
        names = lowest_in_group(names, partition.filter(wanted), pages)
    forest.unite(pages, names)
    return forest


def lowest_in_group(names: pa.Array, partition: pa.Array, pages: pa.Array) -> pa.Array:
    """For each page the lowest with the same name and the same number."""
    both = pc.add(pc.shift_left(names.cast(pa.int64()), 32), partition.cast(pa.int64()))
    found = pa.table({"both": both, "page": pages}).group_by("both").aggregate([("page", "min")])
    at = pc.index_in(both, value_set=found["both"].combine_chunks())
    return found["page_min"].combine_chunks().take(at)


def representatives(forest: _core.Forest) -> pa.Array:
    """For every page whether it is the lowest of its set: that one stands for all of them."""
    return forest.lowest()
