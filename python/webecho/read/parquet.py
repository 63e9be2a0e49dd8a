"""Parquet files as sources. The *place* of a page is the number of its row, counted from 0.

There are two ways to read them, and they work together. The swift one, in Rust, reads local files,
and gives the bodies as views into what was unpacked, without a copy. Where a file is not in order
the careful one, Arrow's, goes on from there and tells what is wrong.
"""

from bisect import bisect_left
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile
from typing import Any, BinaryIO, Self

import pyarrow as pa
import pyarrow.parquet as pq

from webecho import _core
from webecho.errors import InputError
from webecho.formats import files
from webecho.formats.looks import Look
from webecho.formats.parquet import (
    BROKEN,
    STEP_BYTES,
    Readable,
    RowGroup,
    open_parquet,
    row_groups,
    too_large_page,
)
from webecho.formats.skipped import Skipped
from webecho.read.batching import NO_PAGES, VIEWS, Cursor, cut, joined, pick, takeable
from webecho.read.columns import Chosen, ColumnNames, choose, fields_of
from webecho.read.limits import OVER_MEMORY, USUAL, Limits, unpacking, with_enough
from webecho.read.lost_rows import lost_rows
from webecho.read.pages import BATCH_PAGES, Batch, Choice, share_of
from webecho.read.splits import breaks_at, up_to
from webecho.read.tables import row_pages, type_at

# Many steps are made pages together, for each time costs some 0.2 ms.
_STEPS = 64


class ParquetSource:
    """A Parquet file, local or remote."""

    format = "parquet"
    rereadable = True
    in_memory = False
    table = None
    has_columns = True
    sure_breaks = True
    path_prefix = None
    numeric_ids = False

    def __init__(
        self,
        name: str,
        given: ColumnNames,
        limits: Limits = USUAL,
        *,
        file: str | None = None,
    ) -> None:
        """A `file` that is called otherwise than by its own name is told."""
        self.name = name
        self.file = file or name
        self.look = Look.at([self.file])
        self.limits = limits
        self._given = given
        self._chosen: Chosen | None = None
        self.id_type: pa.DataType | None = None
        self._rows = 0
        # Where reading again stands: the open file, the row group, and the rows in it.
        self._again: pq.ParquetFile | None = None
        self._raw: BinaryIO | None = None
        self._group = -1
        self._cursor: Cursor[Any] | None = None

    @property
    def chosen(self) -> Chosen | None:
        """The columns that are read, or None when this is no Parquet file that can be read."""
        if self._chosen is None:
            with files.open_file(self.file, scattered=True) as raw:
                try:
                    self._choose(self._opened(raw))
                except BROKEN:
                    return None
        return self._chosen

    def choice(self) -> Choice | None:
        return Choice(self.chosen.line()) if self.chosen else None

    def stamp(self) -> dict[str, int | str]:
        return files.stamp(self.file)

    def span(self) -> int | None:
        return self._rows if self.chosen else None

    def passed(self, place: int) -> float | None:
        return share_of(self.span(), place)

    def breaks(self, size: int) -> Sequence[int]:
        """Row groups are what can be read by itself."""
        with files.open_file(self.file, scattered=True) as raw:
            try:
                file = self._opened(raw)
            except BROKEN:
                return ()
            groups = [*row_groups(file)]
            sizes = [group.bytes for group in groups]
        return breaks_at([group.end - 1 for group in groups], sizes, size)

    def narrowed(self, _: int, __: int | None) -> Self:
        return self

    def batches(self, after: int = -1, last: int | None = None) -> Iterator[Batch]:
        return up_to(cut(self._steps(after, last), self.limits.batch), last)

    def read(self, places: Sequence[int]) -> pa.RecordBatch:
        """The pages at these places; fast if they come after those that were read last."""
        return pick(self._at(places), places, self.name)

    def close(self) -> None:
        self._again = self._cursor = self._raw = None
        self._group = -1

    def _opened(self, raw: BinaryIO) -> pq.ParquetFile:
        return open_parquet(raw, self.file, self.limits.footer)

    def _readable(
        self, group: RowGroup, chosen: Chosen, raw: BinaryIO, *, views: bool = False
    ) -> Readable:
        """What of a row group fits into memory; all of it where nothing was said of that, or the
        file is far away. With all its columns: of what stays each is copied, and a row whose other
        columns could not be must not stay for others."""
        names = _column_names(chosen)
        if not self.limits.bounded or files.is_remote(self.file):
            return Readable(group.end - group.first, group.step(names))
        body = ".".join(chosen.body) if views else None
        fits = group.readable(names, body, raw, self.limits.unpacked, self.limits.page)
        return fits.within(
            group.readable(group.columns, None, raw, self.limits.unpacked, self.limits.page)
        )

    def _choose(self, file: pq.ParquetFile) -> Chosen:
        if self._chosen is None:
            fields = fields_of(file.schema_arrow)
            self._chosen = choose(fields, self._given, self.name)
            self.id_type = type_at(fields, self._chosen.id)
            self._rows = file.metadata.num_rows
        return self._chosen

    def _steps(self, after: int, last: int | None) -> Iterator[Batch]:
        with files.open_file(self.file, scattered=True) as raw:
            try:
                file = self._opened(raw)
                chosen = self._choose(file)
            except BROKEN as error:
                skip = Skipped(0, "not a Parquet file", str(error), failed=True)
                if after < 0:
                    yield Batch(NO_PAGES, (skip,))
                return
            swift = None if files.is_remote(self.file) else _swift_rows(raw, file, chosen)
            views = swift is not None
            size = files.size(self.file)
            for group in row_groups(file):
                if last is not None and group.first > last:
                    return
                fits = self._readable(group, chosen, raw, views=swift is not None)
                end = group.first + fits.rows
                start = row = max(group.first, after + 1)
                if swift is not None and row < end:
                    row = yield from _swiftly(swift, group, fits, chosen, start, last, self.limits)
                if row < end:
                    passed = row if swift is not None else group.first
                    # Where one group is not in order others may not be, and each try takes time.
                    swift = None
                    fits = self._readable(group, chosen, raw)
                    decoded = _decoded(group, fits, chosen, max(row, start), passed)
                    for batch in _carefully(decoded, max(row, start), chosen, self.limits):
                        if isinstance(batch, _Lost):
                            reason, detail = "broken row group", batch.detail
                            yield from lost_rows(batch.rows, after, reason, detail, size)
                        else:
                            yield _with_views(batch) if views else batch
                if fits.page is not None:
                    detail = f"{_told(group, end)}: {too_large_page(fits.page)}"
                    detail = with_enough(detail, unpacking(fits.page))
                    rest = range(end, group.end)
                    yield from lost_rows(rest, after, OVER_MEMORY, detail, size)

    def _at(self, places: Sequence[int]) -> Iterator[Batch]:
        """The wanted rows of the row groups that hold any."""
        if self._again is None or self._raw is None:
            try:
                self._raw = files.open_file(self.file, scattered=True)
                self._again = self._opened(self._raw)
                self._choose(self._again)
            except BROKEN as error:
                raise InputError(f"{self.name}: is no Parquet file any more ({error})") from error
        file, raw, chosen = self._again, self._raw, self._choose(self._again)
        for group in row_groups(file):
            wanted = places[bisect_left(places, group.first) : bisect_left(places, group.end)]
            if not wanted:
                continue
            number = group.number
            if self._group != number or self._cursor is None or wanted[0] < self._cursor.first:
                decoded = _decoded(group, self._readable(group, chosen, raw), chosen, group.first)
                good = takewhile(lambda step: isinstance(step, pa.RecordBatch), decoded)
                self._group, self._cursor = number, Cursor(good, group.first)
            held = []
            for step, start, some in self._cursor.holding(wanted):
                held.append((takeable(step).take([place - start for place in some]), some))
            if held:
                rows = joined([rows for rows, _ in held])
                yield row_pages(
                    rows, [place for _, some in held for place in some], chosen, self.limits
                )


def _column_names(chosen: Chosen) -> list[str]:
    return [".".join(path) for path in chosen.paths]


def _swift_rows(raw: BinaryIO, file: pq.ParquetFile, chosen: Chosen) -> _core.ParquetRows | None:
    """What reads these columns with the bodies as views, if it may do."""
    names = file.schema_arrow.names
    if any(len(path) > 1 for path in chosen.paths) or len(set(names)) < len(names):
        return None
    columns = sorted({names.index(path[0]) for path in chosen.paths})
    body = names.index(chosen.body[0])
    try:
        rows = _core.ParquetRows(raw.fileno(), columns, body)
    except BROKEN:
        return None
    found = rows.schema
    usual = pa.schema([file.schema_arrow.field(column) for column in columns])
    at = columns.index(body)
    # Of the others, both must see the same.
    alike = found.names == usual.names and found.remove(at).types == usual.remove(at).types
    return rows if alike and found.field(at).type in VIEWS else None


def _with_views(batch: Batch) -> Batch:
    """The same pages, their bodies in the type that the swift reader has for them."""
    at = batch.pages.schema.get_field_index("body")
    body = batch.pages.column(at)
    kind = next((view for view, plain in VIEWS.items() if body.type in plain), body.type)
    pages = batch.pages.set_column(at, pa.field("body", kind), body.cast(kind))
    return Batch(pages, batch.skipped)


def _swiftly(
    rows: _core.ParquetRows,
    group: RowGroup,
    fits: Readable,
    chosen: Chosen,
    start: int,
    last: int | None,
    limits: Limits,
) -> Generator[Batch, None, int]:
    """The rows of a row group from `start` on, up to the `last` if there is one, as far as they fit
    and are in order; gives the row where that ends."""
    row = group.first
    end = group.first + fits.rows
    try:
        rows.begin(group.number, fits.step, fits.rows)
        while row < end:
            if last is not None and row > last:
                # All of it that is wanted.
                return end
            most = BATCH_PAGES if last is None else min(BATCH_PAGES, last + 1 - row)
            some = rows.next(most, limits.batch)
            if some is None:
                break
            wanted = some.slice(max(start - row, 0), max(end - max(start, row), 0))
            if wanted.num_rows:
                yield row_pages(wanted, max(start, row), chosen, limits)
            row += some.num_rows
            # While the next are unpacked these need not be held.
            del some, wanted
    except ValueError:
        # The careful reader tells what is wrong, and where.
        pass
    return row


@dataclass(frozen=True)
class _Lost:
    """Rows of a row group that are broken, and how."""

    rows: range
    detail: str


def _told(group: RowGroup, row: int) -> str:
    """The rows from this one on, for people."""
    return f"rows {row} to {group.end - 1} of row group {group.number}"


def _carefully(
    decoded: Iterator[pa.RecordBatch | _Lost], start: int, chosen: Chosen, limits: Limits
) -> Iterator[Batch | _Lost]:
    """Decoded rows as pages, given the place of the first, and which of them are broken."""
    held: list[pa.RecordBatch] = []
    held_bytes = 0
    for step in chain(decoded, (None,)):
        size = step.nbytes if isinstance(step, pa.RecordBatch) else STEP_BYTES
        if held and (held_bytes + size > STEP_BYTES or len(held) == _STEPS):
            yield row_pages(joined(held), start, chosen, limits)
            start += sum(map(len, held))
            held, held_bytes = [], 0
        if isinstance(step, _Lost):
            yield step
        elif step is not None and size >= STEP_BYTES:
            # Large enough for itself; to hold it while the next is decoded would take twice that.
            yield row_pages(step, start, chosen, limits)
            start += len(step)
        elif step is not None:
            held.append(step)
            held_bytes += size


def _decoded(
    group: RowGroup, fits: Readable, chosen: Chosen, start: int, passed: int = 0
) -> Iterator[pa.RecordBatch | _Lost]:
    """The rows from `start` on, and in the end which are broken: of those that fit all from where
    that shows, but not before the row to which another reader has `passed`."""
    steps = group.file.iter_batches(
        fits.step,
        row_groups=[group.number],
        columns=_column_names(chosen),
        use_threads=False,
    )
    row, error = group.first, "they are not there"
    end = group.first + fits.rows
    while row < end:
        try:
            rows = next(steps, None)
        except BROKEN as broken:
            rows, error = None, str(broken)
        if rows is None:
            break
        wanted = rows.slice(max(start - row, 0), max(end - max(start, row), 0))
        if wanted.num_rows:
            yield wanted
        row += rows.num_rows
    if row < end:
        lost = max(row, passed)
        yield _Lost(range(lost, end), f"{_told(group, lost)}: {error}")
