"""List columns of the sketches as flat values, which is how the kernels take them."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webecho.workspace.mapped import BLOCK, flagged, mapped_column, mapped_values
from webecho.workspace.prefetch import prefetch
from webecho.workspace.union import Pages


def page_numbers(count: int) -> pa.Array:
    """The numbers of so many pages, mapped where they are many."""
    if count <= BLOCK:
        return pa.array(np.arange(count, dtype=np.uint32))
    starts = range(0, count, BLOCK)
    ends = (min(start + BLOCK, count) for start in starts)
    return mapped_column(
        pa.array(np.arange(start, end, dtype=np.uint32))
        for start, end in zip(starts, ends, strict=True)
    )


def places_among(values: pa.Array, among: pa.Array) -> pa.Array:
    """For each value its place among others, which ascend; null where it is none of them."""
    numbers, wanted = among.to_numpy(), values.to_numpy()
    at = np.searchsorted(numbers, wanted)
    there = at < len(numbers)
    there[there] = numbers[at[there]] == wanted[there]
    return pa.array(at, mask=~there)


def flat_lists(
    workspace: Pages, column: str, wanted: pa.Array | None = None
) -> Iterator[tuple[pa.Array, pa.Array]]:
    """(pages, flat values) of the pages that have the list, batch by batch in page order, the next
    one read meanwhile.

    `wanted` says for every page of the workspace whether it is to come.
    """
    workspace.require(column)

    def batches() -> Iterator[tuple[pa.Array, pa.Array]]:
        for batch in workspace.batches(["page", column]):
            pages, values = batch["page"], pc.list_flatten(batch[column])
            there = batch[column].is_valid()
            keep = there if wanted is None else pc.and_(there, wanted.take(pages))
            if keep.true_count < there.true_count:
                # Lists of one length are copied as they are, those of any length value by value.
                width = len(values) // there.true_count
                rows = pa.FixedSizeListArray.from_arrays(values, width)
                values = rows.filter(keep.filter(there)).flatten()
            if keep.true_count:
                yield pages.filter(keep), values

    yield from prefetch(batches())


def flags(workspace: Pages, members: pa.Array) -> pa.Array:
    """For every page whether it is one of these."""
    return flagged(workspace.pages, members)


def hollow_pages(workspace: Pages) -> pa.Array:
    """For every page whether next to nothing is left of it: what it says stands in scripts, which
    are not compared, so that only its bytes can tell whether it is a copy."""
    found = [pa.array([], pa.int64())]
    for batch in workspace.batches(["page", "hollow"]):
        found.append(batch["page"].filter(pc.fill_null(batch["hollow"], False)))
    return flags(workspace, pa.concat_arrays(found))


def member_lists(workspace: Pages, members: pa.Array, column: str) -> pa.Array:
    """A list column of these pages, flat, in a mapped file."""
    lists = flat_lists(workspace, column, flags(workspace, members))
    return mapped_values(values for _, values in lists)


def page_lists(workspace: Pages, column: str) -> Iterator[tuple[pa.Array, pa.Array]]:
    """(pages, lists) of all pages, batch by batch in page order, the next one read meanwhile."""
    workspace.require(column)
    for batch in prefetch(workspace.batches(["page", column])):
        yield batch["page"], batch[column]
