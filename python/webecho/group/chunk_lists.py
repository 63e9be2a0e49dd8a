"""The chunks of pages, from their page table. What a revisit has is what the page has that it
repeats."""

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


def chunk_lists(
    pages: Pages, chunking: Chunking, wanted: pa.Array | None = None
) -> Iterator[tuple[pa.Array, pa.ListArray]]:
    """(pages, lists) of all pages that have a content, or of the wanted ones (a flag for each),
    batch by batch; revisits come with the pages that they repeat."""
    table = chunking.table
    for piece, _ in pages.pieces:
        if lacking(piece, [table]):
            raise WorkspaceError(
                f"{piece.path} has no chunks of {chunking}; make them with: webecho overlap "
                f"'{piece.path}' --chunk {chunking}"
            )
    repeated = revisits(pages)
    if isinstance(pages, Union):
        there = present(pages)
        wanted = there if wanted is None else pc.and_(there, wanted)
    for piece, first in pages.pieces:
        for batch in prefetch(piece.batches(["page", COLUMN], table)):
            numbers = pc.add(batch["page"], first)
            yield from chosen(numbers, batch[COLUMN], wanted)
            at = pc.index_in(repeated["revisit_of"], value_set=numbers)
            again = repeated.filter(at.is_valid())
            if again.num_rows:
                lists = batch[COLUMN].take(at.drop_null())
                yield from chosen(again["page"].combine_chunks(), lists, wanted)


def chosen(
    numbers: pa.Array, lists: pa.ListArray, wanted: pa.Array | None
) -> Iterator[tuple[pa.Array, pa.ListArray]]:
    """Those of some pages that are wanted, if any is."""
    if wanted is not None:
        here = wanted.take(numbers)
        if here.true_count < len(here):
            numbers, lists = numbers.filter(here), lists.filter(here)
    if len(numbers):
        yield numbers, lists


def revisits(pages: Pages) -> pa.Table:
    """The revisits of which it is known what they repeat, `page` and `revisit_of`."""
    schema = pa.schema([("page", pa.int64()), ("revisit_of", pa.int64())])
    batches = pages.batches(schema.names)
    rows = [batch.filter(batch["revisit_of"].is_valid()) for batch in batches]
    return pa.Table.from_batches([each for each in rows if len(each)], schema).combine_chunks()


def present(pages: Union) -> pa.Array:
    """For every page whether it is there: of an earlier collection not all are."""
    found = [pa.array([], pa.int64()), *(batch["page"] for batch in pages.batches(["page"]))]
    return flags(pages, pa.concat_arrays(found))
