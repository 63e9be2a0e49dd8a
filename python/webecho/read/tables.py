"""Tables in memory as sources.

The *place* of a page is the number of its row, counted from 0. Only the chosen columns are read,
and bodies are handed on as the Arrow arrays they are. A *stream* here is a RecordBatchReader: its
rows come once.
"""

import hashlib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, Self

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow.types import is_dictionary

from webecho import _core
from webecho.errors import InputError
from webecho.formats.looks import NO_FILES
from webecho.read.batching import cut, pick
from webecho.read.columns import Chosen, ColumnNames, Field, Path, choose, fields_of
from webecho.read.dates import Column
from webecho.read.limits import USUAL, Limits
from webecho.read.pages import BATCH_PAGES, Batch, Choice, share_of
from webecho.read.rows import is_bytes, is_text, numbers_from, page_rows
from webecho.read.splits import up_to
from webecho.read.table_kinds import is_split, kind_of

_STAMP_SLICES = 64
_STAMP_ROWS = 16


def _at(rows: pa.RecordBatch, path: Path) -> Column:
    column: Column = rows.column(rows.schema.get_all_field_indices(path[0])[0])
    for inner in path[1:]:
        column = pc.struct_field(column, inner)
    return column


def slices(rows: pa.RecordBatch, limits: Limits) -> Iterator[pa.RecordBatch]:
    """The rows, some at a time: few, where each may be a long value of a dictionary."""
    step = BATCH_PAGES
    if limits.bounded:
        known = (column.dictionary for column in rows.columns if is_dictionary(column.type))
        longest = max((_longest(values) for values in known), default=0)
        step = max(1, min(step, limits.batch // max(longest, 1)))
    for start in range(0, rows.num_rows, step):
        yield rows.slice(start, step)


def _longest(values: pa.Array) -> int:
    """Bytes of the longest value, as far as they have any."""
    if not (is_text(values.type) or is_bytes(values.type)):
        return 0
    return pc.max(_core.byte_lengths(values)).as_py() or 0


def row_pages(
    rows: pa.RecordBatch,
    places: int | Sequence[int],
    chosen: Chosen,
    limits: Limits = USUAL,
) -> Batch:
    """The rows as pages, given their places or the place of the first."""
    if isinstance(places, int):
        numbers = numbers_from(places, rows.num_rows)
    else:
        numbers = pa.array(places, pa.int64())
    return page_rows(
        numbers,
        _at(rows, chosen.body),
        chosen.markup,
        url=_at(rows, chosen.url) if chosen.url else None,
        ids=_at(rows, chosen.id) if chosen.id else None,
        dates=_at(rows, chosen.date) if chosen.date else None,
        by=[_at(rows, path) for path in chosen.by],
        values=[_at(rows, path) for path in chosen.values],
        ranked=[_at(rows, path) for path in chosen.ranked],
        limits=limits,
    )


def type_at(fields: Sequence[Field], path: Path | None) -> pa.DataType | None:
    """The type of a field, if there is one of this path."""
    return next((field.type for field in fields if field.path == path), None)


class TableSource:
    """A table in memory."""

    format = "table"
    rereadable = True
    in_memory = True
    has_columns = True
    sure_breaks = True
    path_prefix = None
    numeric_ids = False
    look = NO_FILES

    def __init__(
        self, name: str, table: pa.Table, given: ColumnNames, limits: Limits = USUAL
    ) -> None:
        self.name = name
        self.limits = limits
        self.table = table
        fields = fields_of(table.schema)
        self.chosen = choose(fields, given, name)
        self.id_type = type_at(fields, self.chosen.id)

    def choice(self) -> Choice | None:
        return Choice(self.chosen.line())

    def stamp(self) -> dict[str, int | str]:
        """The number of rows and a digest of up to 1,024 of them, evenly spread."""
        count = self.table.num_rows
        digest = hashlib.blake2b(count.to_bytes(8, "little"), digest_size=16)
        steps = min(_STAMP_SLICES, -(-count // _STAMP_ROWS))
        for step in range(steps):
            start = step * max(count - _STAMP_ROWS, 0) // max(steps - 1, 1)
            part = self.table.slice(start, _STAMP_ROWS).combine_chunks()
            for batch in part.to_batches():
                digest.update(repr(row_pages(batch, start, self.chosen).pages.to_pylist()).encode())
        return {"size": count, "digest": digest.hexdigest()}

    def span(self) -> int | None:
        return int(self.table.num_rows)

    def passed(self, place: int) -> float | None:
        return share_of(self.span(), place)

    def breaks(self, _: int) -> Sequence[int]:
        return ()

    def narrowed(self, _: int, __: int | None) -> Self:
        return self

    def batches(self, after: int = -1, last: int | None = None) -> Iterator[Batch]:
        return up_to(cut(self._steps(after), self.limits.batch), last)

    def read(self, places: Sequence[int]) -> pa.RecordBatch:
        return pick(self._steps(-1, places), places, self.name)

    def close(self) -> None:
        """Holds nothing but the table."""

    def _steps(self, after: int, places: Sequence[int] | None = None) -> Iterator[Batch]:
        names = dict.fromkeys(path[0] for path in self.chosen.paths)
        columns = [self.table.schema.get_all_field_indices(name)[0] for name in names]
        first = after + 1
        rest = self.table.select(columns).slice(first)
        for batch in rest.to_batches():
            for rows in slices(batch, self.limits):
                end = first + rows.num_rows
                if places is None or bisect_left(places, first) < bisect_left(places, end):
                    yield row_pages(rows, first, self.chosen, self.limits)
                first = end


class StreamSource:
    """A RecordBatchReader: a table whose rows come once."""

    format = "table"
    rereadable = False
    in_memory = True
    table = None
    has_columns = True
    sure_breaks = True
    path_prefix = None
    numeric_ids = False
    look = NO_FILES

    def __init__(
        self, name: str, reader: pa.RecordBatchReader, given: ColumnNames, limits: Limits = USUAL
    ) -> None:
        self.name = name
        self.limits = limits
        fields = fields_of(reader.schema)
        self.chosen = choose(fields, given, name)
        self.id_type = type_at(fields, self.chosen.id)
        first = next(reader, None)
        beginning = [] if first is None else [first.slice(0, _STAMP_ROWS)]
        table = pa.Table.from_batches(beginning, reader.schema)
        self._digest = TableSource(name, table, given).stamp()["digest"]
        self._batches: Iterator[pa.RecordBatch] | None = chain(
            () if first is None else (first,), reader
        )

    def choice(self) -> Choice | None:
        return Choice(self.chosen.line())

    def stamp(self) -> dict[str, int | str]:
        """No size, for it is not known, and a digest of the first rows."""
        return {"size": 0, "digest": self._digest}

    def span(self) -> int | None:
        return None

    def passed(self, _: int) -> float | None:
        return None

    def breaks(self, _: int) -> Sequence[int]:
        return ()

    def narrowed(self, _: int, __: int | None) -> Self:
        return self

    def batches(self, after: int = -1, last: int | None = None) -> Iterator[Batch]:
        return up_to(cut(self._steps(after), self.limits.batch), last)

    def read(self, places: Sequence[int]) -> pa.RecordBatch:
        raise InputError(
            f"{self.name}: row {places[0]} came from a stream and cannot be read again"
        )

    def close(self) -> None:
        """Holds nothing: it is never read again."""

    def _steps(self, after: int) -> Iterator[Batch]:
        if self._batches is None:
            raise InputError(f"{self.name}: a stream can be read only once; give a table instead")
        batches, self._batches = self._batches, None
        first = 0
        for rows in batches:
            for part in slices(rows, self.limits):
                skip = min(max(after + 1 - first, 0), part.num_rows)
                yield row_pages(part.slice(skip), first + skip, self.chosen, self.limits)
                first += part.num_rows


def table_source(
    name: str, table: Any, given: ColumnNames, limits: Limits = USUAL
) -> TableSource | StreamSource:
    """A source of any table that can be read as Arrow; raises `InputError` if it cannot."""
    if isinstance(table, pa.RecordBatchReader):
        return StreamSource(name, table, given, limits)
    kind = kind_of(table)
    if kind is None:
        raise InputError(
            f"{name}: a {_named(table)} is neither a path nor a table; give a path, a pyarrow."
            "Table, or a data frame of polars or pandas, a duckdb relation or a datasets.Dataset"
        )
    try:
        return TableSource(name, kind.as_arrow(table, given, name), given, limits)
    except pa.ArrowException as error:
        raise InputError(
            f"{name}: this {_named(table)} cannot be read as Arrow ({error});"
            " give it as a pyarrow.Table"
        ) from error


def table_sources(
    name: str, given: Any, columns: ColumnNames, limits: Limits = USUAL
) -> tuple[TableSource | StreamSource, ...]:
    """The sources of a table, or of several by their names."""
    if not is_split(given):
        return (table_source(name, given, columns, limits),)
    return tuple(
        table_source(f"{name}, {split}", table, columns, limits) for split, table in given.items()
    )


def _named(table: object) -> str:
    return f"{type(table).__module__}.{type(table).__qualname__}"
