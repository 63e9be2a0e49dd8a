"""The chunks of pages, from their page table. What a revisit has is what the page has that it
repeats."""

from bisect import bisect_right
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from webecho.chunkings import Chunking
from webecho.errors import WorkspaceError
from webecho.group.columns import flags
from webecho.workspace.page_tables import lacking
from webecho.workspace.prefetch import prefetch
from webecho.workspace.union import Pages, Union

COLUMN = "chunks"
NAMES = ["page", "revisit_of"]


def chunk_lists(
    pages: Pages, chunking: Chunking, wanted: pa.Array | None = None
) -> Iterator[tuple[pa.Array, pa.ListArray]]:
    """(pages, lists) of all pages that have a content, or of the wanted ones (a flag for each),
    batch by batch; revisits come with the pages that they repeat."""
    check_chunks(pages, chunking)
    table = chunking.table
    repeated = revisits(pages)
    originals = repeated["revisit_of"].to_numpy()
    if isinstance(pages, Union):
        there = present(pages)
        wanted = there if wanted is None else pc.and_(there, wanted)
    done = 0
    for piece, first in pages.pieces:
        for batch in prefetch(piece.batches(["page", COLUMN], table)):
            numbers = pc.add(batch["page"], first)
            yield from chosen(numbers, batch[COLUMN], wanted)
            # Both ascend: those of this batch are the next.
            end = bisect_right(originals, numbers[-1].as_py(), done)
            again = repeated[done:end]
            done = end
            if len(again):
                at = pc.index_in(again["revisit_of"], value_set=numbers)
                lists = batch[COLUMN].take(at.drop_null())
                yield from chosen(again["page"].filter(at.is_valid()), lists, wanted)


def check_chunks(pages: Pages, chunking: Chunking) -> None:
    """Refuses to go on without the chunks, naming the command that makes them."""
    for piece, _ in pages.pieces:
        if lacking(piece, [chunking.table]):
            raise WorkspaceError(
                f"{piece.path} has no chunks of {chunking}; make them with: webecho overlap "
                f"'{piece.path}' --chunk {chunking} --shared 1"
            )


def chosen(
    numbers: pa.Array, lists: pa.ListArray, wanted: pa.Array | None
) -> Iterator[tuple[pa.Array, pa.ListArray]]:
    """Those of some pages that have a content and are wanted, if any is: a revisit has none in its
    own row."""
    here = lists.is_valid() if wanted is None else pc.and_(lists.is_valid(), wanted.take(numbers))
    if here.true_count < len(here):
        numbers, lists = numbers.filter(here), lists.filter(here)
    if len(numbers):
        yield numbers, lists


def revisits(pages: Pages) -> pa.RecordBatch:
    """The revisits of which it is known what they repeat, ordered by that: `revisit_of`."""
    batches = pages.batches(NAMES)
    rows = [batch.filter(batch["revisit_of"].is_valid()) for batch in batches]
    columns = [
        pa.concat_arrays([pa.array([], pa.int64()), *(row[n] for row in rows)]) for n in NAMES
    ]
    found = pa.RecordBatch.from_arrays(columns, NAMES)
    return found.take(pc.sort_indices(found, sort_keys=[("revisit_of", "ascending")]))


def present(pages: Union) -> pa.Array:
    """For every page whether it is there: of an earlier collection not all are."""
    found = [pa.array([], pa.int64()), *(batch["page"] for batch in pages.batches(["page"]))]
    return flags(pages, pa.concat_arrays(found))
