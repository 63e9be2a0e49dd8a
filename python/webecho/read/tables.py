"""Tables as sources: Parquet files, and tables that are in memory already.

The *place* of a page is the number of its row, counted from 0. Only the chosen columns are read,
and bodies are handed on as the Arrow arrays they are. A *stream* here is a RecordBatchReader: its
rows come once.
"""

import hashlib
from bisect import bisect_left
from collections.abc import Generator, Iterator, Sequence
from itertools import chain, takewhile
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from webecho import _core
from webecho.errors import InputError
from webecho.read import files
from webecho.read.columns import Chosen, ColumnNames, Field, Path, choose, fields_of
from webecho.read.dates import Column
from webecho.read.pages import BATCH_BYTES, BATCH_PAGES, Batch, Skipped
from webecho.read.rows import (
    NO_PAGES,
    Cursor,
    cut,
    joined,
    numbers_from,
    page_rows,
    pick,
    takeable,
)

# Rows are decoded in small steps and then gathered, for a step is in memory whatever its length,
# and the average tells little: long pages may stand together, and a dictionary (by the writers'
# usual limit, of values of up to 1 MiB) may stand for far more than its column chunk has. Measured:
# steps of 128 rows cost 0.24 s for a million rows, of 8,192 rows 0.1 s.
STEP_BYTES = BATCH_BYTES // 4
STEP_ROWS = 128
# Many steps are made pages together, for each time costs some 0.2 ms.
_STEPS = 64
# How much of a column chunk is fetched at a time, instead of all of it.
_FETCH = 1 << 20
_FETCH_REMOTE = 8 << 20

# What Arrow raises for bytes that are not what they should be.
BROKEN = (pa.ArrowException, OSError, ValueError, MemoryError)

_VIEWS = {
    **dict.fromkeys((pa.string(), pa.large_string()), pa.string_view()),
    **dict.fromkeys((pa.binary(), pa.large_binary()), pa.binary_view()),
}

_STAMP_SLICES = 64
_STAMP_ROWS = 16


def _at(rows: pa.RecordBatch, path: Path) -> Column:
    column: Column = rows.column(rows.schema.get_all_field_indices(path[0])[0])
    for inner in path[1:]:
        column = pc.struct_field(column, inner)
    return column


def _pages(rows: pa.RecordBatch, places: int | Sequence[int], chosen: Chosen) -> Batch:
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
        by=_at(rows, chosen.by) if chosen.by else None,
        values=_at(rows, chosen.value) if chosen.value else None,
    )


def _type_at(fields: Sequence[Field], path: Path | None) -> pa.DataType | None:
    return next((field.type for field in fields if field.path == path), None)


class ParquetSource:
    """A Parquet file, local or remote."""

    format = "parquet"
    rereadable = True

    def __init__(self, name: str, given: ColumnNames) -> None:
        self.name = name
        self._given = given
        self._chosen: Chosen | None = None
        self.id_type: pa.DataType | None = None
        self._rows = 0
        # Where reading again stands: the open file, the row group, and the rows in it.
        self._again: pq.ParquetFile | None = None
        self._group = -1
        self._cursor: Cursor[Any] | None = None

    @property
    def chosen(self) -> Chosen | None:
        """The columns that are read, or None when this is no Parquet file that can be read."""
        if self._chosen is None:
            with files.open_file(self.name, scattered=True) as raw:
                try:
                    self._choose(self.open(raw))
                except BROKEN:
                    return None
        return self._chosen

    def stamp(self) -> dict[str, int | str]:
        return files.stamp(self.name)

    def span(self) -> int | None:
        return self._rows if self.chosen else None

    def batches(self, after: int = -1) -> Iterator[Batch]:
        return cut(self._steps(after))

    def read(self, places: Sequence[int]) -> pa.RecordBatch:
        """The pages at these places; fast if they come after those that were read last."""
        return pick(self._at(places), places, self.name)

    def close(self) -> None:
        self._again = self._cursor = None
        self._group = -1

    def open(self, raw: BinaryIO) -> pq.ParquetFile:
        """The file, open as Parquet; raises one of `BROKEN` if it is none."""
        # Fetching each column chunk bit by bit, not whole, is what keeps memory bounded when a
        # row group is huge.
        fetch = _FETCH_REMOTE if files.is_remote(self.name) else _FETCH
        return pq.ParquetFile(
            raw, buffer_size=fetch, pre_buffer=False, page_checksum_verification=True
        )

    def _choose(self, file: pq.ParquetFile) -> Chosen:
        if self._chosen is None:
            fields = fields_of(file.schema_arrow)
            self._chosen = choose(fields, self._given, self.name)
            self.id_type = _type_at(fields, self._chosen.id)
            self._rows = file.metadata.num_rows
        return self._chosen

    def _steps(self, after: int) -> Iterator[Batch]:
        with files.open_file(self.name, scattered=True) as raw:
            try:
                file = self.open(raw)
                chosen = self._choose(file)
            except BROKEN as error:
                skip = Skipped(0, "not a Parquet file", str(error), failed=True)
                if after < 0:
                    yield Batch(NO_PAGES, (skip,))
                return
            swift = _swift_rows(self.name, file, chosen)
            for group, (first, end) in enumerate(row_groups(file)):
                start = max(first, after + 1)
                if swift is not None and start < end:
                    start = yield from _swiftly(swift, file, group, chosen, first, start, end)
                if start < end:
                    batches = _row_group(file, group, chosen, first, start, end)
                    yield from batches if swift is None else map(_with_views, batches)

    def _at(self, places: Sequence[int]) -> Iterator[Batch]:
        """The wanted rows of the row groups that hold any."""
        if self._again is None:
            try:
                self._again = self.open(files.open_file(self.name, scattered=True))
                self._choose(self._again)
            except BROKEN as error:
                raise InputError(f"{self.name}: is no Parquet file any more ({error})") from error
        file, chosen = self._again, self._choose(self._again)
        for group, (first, end) in enumerate(row_groups(file)):
            wanted = places[bisect_left(places, first) : bisect_left(places, end)]
            if not wanted:
                continue
            if self._group != group or self._cursor is None or wanted[0] < self._cursor.first:
                decoded = _decoded(file, group, chosen, first, first, end)
                good = takewhile(lambda step: isinstance(step, pa.RecordBatch), decoded)
                self._group, self._cursor = group, Cursor(good, first)
            held = []
            for step, start, some in self._cursor.holding(wanted):
                held.append((takeable(step).take([place - start for place in some]), some))
            if held:
                rows = joined([rows for rows, _ in held])
                yield _pages(rows, [place for _, some in held for place in some], chosen)


def row_groups(file: pq.ParquetFile) -> Iterator[tuple[int, int]]:
    """The first row of each row group, and the row after its last."""
    end = 0
    for group in range(file.metadata.num_row_groups):
        first, end = end, end + file.metadata.row_group(group).num_rows
        yield first, end


def _swift_rows(name: str, file: pq.ParquetFile, chosen: Chosen) -> _core.ParquetRows | None:
    """What reads these columns without a copy of the bodies, if it may do."""
    names = file.schema_arrow.names
    if files.is_remote(name) or any(len(path) > 1 for path in chosen.paths):
        return None
    columns = sorted({names.index(path[0]) for path in chosen.paths})
    body = names.index(chosen.body[0])
    try:
        rows = _core.ParquetRows(files.local(name), columns, body)
    except BROKEN:
        return None
    usual = pa.schema([file.schema_arrow.field(column) for column in columns])
    # Both must see the same columns in the file.
    alike = len(set(names)) == len(names) and all(
        field.name == other.name and (field.type == other.type or field.name == chosen.body[0])
        for field, other in zip(rows.schema, usual, strict=True)
    )
    return rows if alike else None


def _with_views(batch: Batch) -> Batch:
    """The same pages, their bodies in the type that the swift reader has for them."""
    at = batch.pages.schema.get_field_index("body")
    body = batch.pages.column(at)
    kind = _VIEWS.get(body.type, body.type)
    pages = batch.pages.set_column(at, pa.field("body", kind), body.cast(kind))
    return Batch(pages, batch.skipped)


def _swiftly(
    rows: _core.ParquetRows,
    file: pq.ParquetFile,
    group: int,
    chosen: Chosen,
    first: int,
    start: int,
    stop: int,
) -> Generator[Batch, None, int]:
    """The rows of a row group as far as they are in order; gives the row where that ends."""
    row = first
    try:
        rows.begin(group, _rows_per_step(file.metadata.row_group(group), chosen))
        while row < stop and (some := rows.next(BATCH_PAGES, BATCH_BYTES)) is not None:
            wanted = some.slice(max(start - row, 0))
            if wanted.num_rows:
                yield _pages(wanted, max(start, row), chosen)
            row += some.num_rows
    except ValueError:
        # The careful reader tells what is wrong, and where.
        pass
    return max(start, row)


def _row_group(
    file: pq.ParquetFile, group: int, chosen: Chosen, first: int, start: int, stop: int
) -> Iterator[Batch]:
    """The rows from `start` to before `stop` of the row group whose first row is `first`."""
    held: list[pa.RecordBatch] = []
    held_bytes = 0
    for step in chain(_decoded(file, group, chosen, first, start, stop), (None,)):
        size = STEP_BYTES if step is None or isinstance(step, Skipped) else step.nbytes
        if held and (held_bytes + size > STEP_BYTES or len(held) == _STEPS):
            yield _pages(joined(held), start, chosen)
            start += sum(map(len, held))
            held, held_bytes = [], 0
        if isinstance(step, Skipped):
            yield Batch(NO_PAGES, (step,))
        elif step is not None and size >= STEP_BYTES:
            # Large enough for itself; to hold it while the next is decoded would take twice that.
            yield _pages(step, start, chosen)
            start += len(step)
        elif step is not None:
            held.append(step)
            held_bytes += size


def _decoded(
    file: pq.ParquetFile, group: int, chosen: Chosen, first: int, start: int, stop: int
) -> Iterator[pa.RecordBatch | Skipped]:
    steps = file.iter_batches(
        _rows_per_step(file.metadata.row_group(group), chosen),
        row_groups=[group],
        columns=[".".join(path) for path in chosen.paths],
        use_threads=False,
    )
    row, error = first, "they are not there"
    while row < stop:
        try:
            rows = next(steps, None)
        except BROKEN as broken:
            rows, error = None, str(broken)
        if rows is None:
            break
        wanted = rows.slice(max(start - row, 0), max(stop - max(start, row), 0))
        if wanted.num_rows:
            yield wanted
        row += rows.num_rows
    # A break before the first wanted row has been told to whoever read up to there.
    if start <= row < stop:
        detail = f"rows {row} to {stop - 1} of row group {group}: {error}"
        yield Skipped(row, "broken row group", detail, failed=True)


def _rows_per_step(group: pq.RowGroupMetaData, chosen: Chosen) -> int:
    names = {".".join(path) for path in chosen.paths}
    columns = [group.column(index) for index in range(group.num_columns)]
    size = sum(c.total_uncompressed_size for c in columns if c.path_in_schema in names)
    average = max(size // max(group.num_rows, 1), 1)
    return int(max(min(STEP_ROWS, STEP_BYTES // average), 1))


class TableSource:
    """A table in memory."""

    format = "table"
    rereadable = True

    def __init__(self, name: str, table: pa.Table, given: ColumnNames) -> None:
        self.name = name
        self.table = table
        fields = fields_of(table.schema)
        self.chosen = choose(fields, given, name)
        self.id_type = _type_at(fields, self.chosen.id)

    def stamp(self) -> dict[str, int | str]:
        """The number of rows and a digest of up to 1,024 of them, evenly spread."""
        count = self.table.num_rows
        digest = hashlib.blake2b(count.to_bytes(8, "little"), digest_size=16)
        steps = min(_STAMP_SLICES, -(-count // _STAMP_ROWS))
        for step in range(steps):
            start = step * max(count - _STAMP_ROWS, 0) // max(steps - 1, 1)
            part = self.table.slice(start, _STAMP_ROWS).combine_chunks()
            for batch in part.to_batches():
                digest.update(repr(_pages(batch, start, self.chosen).pages.to_pylist()).encode())
        return {"size": count, "digest": digest.hexdigest()}

    def span(self) -> int | None:
        return int(self.table.num_rows)

    def batches(self, after: int = -1) -> Iterator[Batch]:
        return cut(self._steps(after))

    def read(self, places: Sequence[int]) -> pa.RecordBatch:
        return pick(self._steps(-1, places), places, self.name)

    def close(self) -> None:
        """Holds nothing but the table."""

    def _steps(self, after: int, places: Sequence[int] | None = None) -> Iterator[Batch]:
        names = dict.fromkeys(path[0] for path in self.chosen.paths)
        columns = [self.table.schema.get_all_field_indices(name)[0] for name in names]
        first = after + 1
        rest = self.table.select(columns).slice(first)
        for rows in rest.to_batches(max_chunksize=BATCH_PAGES):
            end = first + rows.num_rows
            if places is None or bisect_left(places, first) < bisect_left(places, end):
                yield _pages(rows, first, self.chosen)
            first = end


class StreamSource:
    """A RecordBatchReader: a table whose rows come once."""

    format = "table"
    rereadable = False

    def __init__(self, name: str, reader: pa.RecordBatchReader, given: ColumnNames) -> None:
        self.name = name
        fields = fields_of(reader.schema)
        self.chosen = choose(fields, given, name)
        self.id_type = _type_at(fields, self.chosen.id)
        first = next(reader, None)
        beginning = [] if first is None else [first.slice(0, _STAMP_ROWS)]
        table = pa.Table.from_batches(beginning, reader.schema)
        self._digest = TableSource(name, table, given).stamp()["digest"]
        self._batches: Iterator[pa.RecordBatch] | None = chain(
            () if first is None else (first,), reader
        )

    def stamp(self) -> dict[str, int | str]:
        """No size, for it is not known, and a digest of the first rows."""
        return {"size": 0, "digest": self._digest}

    def span(self) -> int | None:
        return None

    def batches(self, after: int = -1) -> Iterator[Batch]:
        return cut(self._steps(after))

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
            for start in range(0, rows.num_rows, BATCH_PAGES):
                part = rows.slice(start, BATCH_PAGES)
                skip = min(max(after + 1 - first, 0), part.num_rows)
                yield _pages(part.slice(skip), first + skip, self.chosen)
                first += part.num_rows


def table_source(name: str, table: Any, given: ColumnNames) -> TableSource | StreamSource:
    """A source of any table that can be had as Arrow; raises `InputError` if it cannot."""
    if isinstance(table, pa.RecordBatchReader):
        return StreamSource(name, table, given)
    try:
        return TableSource(name, _as_arrow(table, given, name), given)
    except pa.ArrowException as error:
        raise InputError(
            f"{name}: this {_kind(table)} cannot be had as Arrow ({error});"
            " give it as a pyarrow.Table"
        ) from error


def is_table(thing: object) -> bool:
    """Whether this is a table in memory, by what it can do."""
    return isinstance(thing, pa.RecordBatch | pa.RecordBatchReader) or any(
        hasattr(thing, way) for way in ("__arrow_c_stream__", "with_format", "to_arrow", "collect")
    )


def _kind(table: object) -> str:
    return f"{type(table).__module__}.{type(table).__qualname__}"


def _as_arrow(table: Any, given: ColumnNames, name: str) -> pa.Table:
    if isinstance(table, pa.Table):
        return table
    if isinstance(table, pa.RecordBatch):
        return pa.Table.from_batches([table])
    library = type(table).__module__.partition(".")[0]
    if library == "pandas":
        # Only the chosen columns, for the others may hold objects that Arrow has no type for.
        fields = [Field((str(column),)) for column in table.columns]
        inner = [name for name in vars(given).values() if name and "." in name]
        fields += [Field(tuple(name.split("."))) for name in inner]
        chosen = {path[0] for path in choose(fields, given, name).paths}
        kept = [column for column in table.columns if str(column) in chosen]
        return pa.Table.from_pandas(table[kept], preserve_index=False)
    if hasattr(table, "with_format") and hasattr(table, "data"):
        # A `datasets.Dataset`: its table, unless it was shuffled or filtered since.
        if getattr(table, "_indices", None) is None:
            return _as_arrow(table.data.table, given, name)
        return _as_arrow(table.with_format("arrow")[:], given, name)
    if library == "polars" and hasattr(table, "collect"):
        table = table.collect()
    if hasattr(table, "__arrow_c_stream__"):
        return pa.table(table)
    if hasattr(table, "to_arrow"):
        return _as_arrow(table.to_arrow(), given, name)
    raise InputError(
        f"{name}: a {_kind(table)} is neither a path nor a table; give a path, a pyarrow.Table,"
        " or a data frame of polars or pandas, a duckdb relation or a datasets.Dataset"
    )
