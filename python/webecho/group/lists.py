"""List columns of the sketches as flat values, which is how the kernels take them."""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from webecho.sketches.ahead import read_ahead
from webecho.sketches.joined import Pages


def page_numbers(count: int) -> pa.Array:
    """The numbers of so many pages, made without a Python number for each."""
    ones = pa.repeat(pa.scalar(1, pa.uint32()), count)
    return pc.subtract(pc.cumulative_sum(ones), pa.scalar(1, pa.uint32()))


def flat_lists(
    workspace: Pages, column: str, wanted: pa.Array | None = None
) -> Iterator[tuple[pa.Array, pa.Array]]:
    """(pages, flat values) of the pages that have the list, batch by batch in page order.

    `wanted` says for every page of the workspace whether it is to come.
    """
    workspace.require(column)
    for batch in workspace.batches(["page", column]):
        keep = batch[column].is_valid()
        if wanted is not None:
            keep = pc.and_(keep, wanted.take(batch["page"]))
        rows = batch.filter(keep)
        if len(rows):
            yield rows["page"], pc.list_flatten(rows[column])


def page_lists(workspace: Pages, column: str) -> Iterator[tuple[pa.Array, pa.Array]]:
    """(pages, lists) of all pages, batch by batch in page order, the next one read meanwhile."""
    workspace.require(column)
    for batch in read_ahead(workspace.batches(["page", column])):
        yield batch["page"], batch[column]
