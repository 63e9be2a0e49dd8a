"""*Lookup*: columns of pages, their `url` and `id` first of all, by the numbers of the pages.

They are read once and lie in mapped files, which need no memory of their own, so that those of any
pages can be taken in any order.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import pyarrow as pa
import pyarrow.compute as pc

from webecho.read.collection import Collection
from webecho.read.rows import numbers_from
from webecho.workspace.mapped import flagged, mapped_numbers, mapped_texts
from webecho.workspace.union import Pages
from webecho.workspace.workspace import Workspace

NAMES = ("url", "id")


@dataclass(frozen=True)
class Lookup:
    """Columns by their names, with a row for each page number."""

    columns: Mapping[str, pa.Array]
    types: Mapping[str, pa.DataType]

    @classmethod
    def of(
        cls,
        pages: Pages,
        names: Sequence[str] = NAMES,
        wanted: pa.Array | pa.ChunkedArray | None = None,
    ) -> Self:
        """Columns of text or whole numbers of all pages, or of the `wanted` alone: others have
        nulls."""
        schema = pages.pieces[-1][0].schema
        types = {
            name: id_type(pages)
            if name == "id"
            else pa.string()
            if pa.types.is_string(schema.field(name).type)
            else pa.int64()
            for name in names
        }
        flags = None
        if wanted is not None:
            flags = flagged(pages.pages, wanted)

        def mapped(name: str) -> pa.Array:
            made = mapped_texts if pa.types.is_string(types[name]) else mapped_numbers
            return made(column.cast(types[name]) for column in dense(pages, name, flags))

        return cls({name: mapped(name) for name in names}, types)

    def take(self, pages: pa.Array) -> dict[str, pa.Array]:
        """The columns of these pages, in their order; null where there is no such page."""

        def taken(name: str, column: pa.Array) -> pa.Array:
            there = pc.if_else(pc.less(pages, len(column)), pages, None)
            return column.take(there).cast(self.types[name])

        return {name: taken(name, column) for name, column in self.columns.items()}

    def named(self, rows: pa.Table, sides: Sequence[str] = ("left", "right")) -> pa.Table:
        """The rows with the columns of the page on each of their sides: `left_url`, `right_url`,
        `left_id`, `right_id`."""
        found = {side: self.take(rows[side].combine_chunks()) for side in sides}
        for name, kind in self.types.items():
            for side in sides:
                rows = rows.append_column(pa.field(f"{side}_{name}", kind), found[side][name])
        return rows


def dense(pages: Pages, name: str, wanted: pa.Array | None) -> Iterator[pa.Array]:
    """A column in page order with a row for every page number: null where there is no such page,
    or it is not wanted."""
    end = 0
    for batch in pages.batches(["page", name]):
        if not len(batch):
            continue
        first, end = end, batch["page"][-1].as_py() + 1
        column = batch[name]
        if len(batch) != end - first:
            every = numbers_from(first, end - first)
            column = column.take(pc.index_in(every, value_set=batch["page"]))
        if wanted is not None:
            column = pc.if_else(wanted.slice(first, end - first), column, None)
        yield column


def id_type(pages: Pages) -> pa.DataType:
    """Text where two collections have ids of two types."""
    types = {workspace.id_type for workspace, _ in pages.pieces}
    return types.pop() if len(types) == 1 else pa.string()


def are_whole_numbers(collection: Collection, pages: Pages) -> bool:
    """Whether ids that are stored as text are whole numbers, every one: the sources declare them
    so, or have them so in their first records, and each is written as such a number is. One id of
    another kind, and all are text."""
    if not any(source.numeric_ids for source in collection.sources):
        return False
    for source in collection.sources:
        known = source.id_type
        if not (known is None or pa.types.is_integer(known) or source.numeric_ids):
            return False
    return all(_is_whole(batch["id"]) for batch in pages.batches(["id"]))


def _is_whole(ids: pa.Array) -> bool:
    if pa.types.is_integer(ids.type):
        return True
    try:
        return bool(ids.cast(pa.int64()).cast(ids.type).equals(ids))
    except pa.ArrowInvalid:
        return False


def page_values(
    workspace: Workspace, pages: Iterable[int], names: Sequence[str] = NAMES
) -> dict[int, dict[str, Any]]:
    """The url and id of these pages, or other columns, as far as there are such pages."""
    numbers = pa.array(sorted({page for page in pages if page < workspace.pages}), pa.int64())
    found = Lookup.of(workspace, names, numbers).take(numbers)
    return dict(zip(numbers.to_pylist(), pa.table(found).to_pylist(), strict=True))
