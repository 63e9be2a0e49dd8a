"""Parquet files: opened so that memory stays bounded, and their row groups."""

import io
from collections.abc import Container, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from webecho import _core
from webecho.formats import files

# Rows are decoded in small steps and then gathered, for a step is in memory whatever its length,
# and the average tells little: long pages may stand together, and a dictionary (by the writers'
# usual limit, of values of up to 1 MiB) may stand for far more than its column chunk has. Measured:
# steps of 128 rows cost 0.24 s for a million rows, of 8,192 rows 0.1 s.
STEP_BYTES = 4 << 20
STEP_ROWS = 128
# How much of a column chunk is fetched at a time, instead of all of it.
_FETCH = 1 << 20
_FETCH_REMOTE = 8 << 20
# The longest page, and footer, of tables whose rows are short, such as lists of links.
_SHORT_PAGE = 32 << 20
_SHORT_FOOTER = 4 << 20
# Their lengths are numbers of 32 bits.
_MOST_FOOTER = 1 << 32
_ANY_PAGE = 1 << 32

# What Arrow raises for bytes that are not what they should be.
BROKEN = (pa.ArrowException, OSError, ValueError, MemoryError)


# A file ends with its footer, the length of that, and this.
_MAGIC = b"PAR1"
_END = 8


class FooterError(ValueError):
    """A footer that libraries would crash by, or that takes more memory than there is."""


class Writer(pq.ParquetWriter):  # type: ignore[misc]
    """One that says nothing when it is let go of after a failure, which was raised already."""

    def __del__(self) -> None:
        with suppress(Exception):
            super().__del__()


def open_parquet(raw: BinaryIO, name: str, longest: int = _MOST_FOOTER) -> pq.ParquetFile:
    """The open file of this name as Parquet; raises one of `BROKEN` if it is none, or if its footer
    has more bytes than the longest may have."""
    _check_footer(raw, longest)
    # Fetching each column chunk bit by bit, not whole, is what keeps memory bounded when a
    # row group is huge.
    fetch = _FETCH_REMOTE if files.is_remote(name) else _FETCH
    return pq.ParquetFile(raw, buffer_size=fetch, pre_buffer=False, page_checksum_verification=True)


def _check_footer(raw: BinaryIO, longest: int) -> None:
    """Judges the footer before Arrow does, which ends the process at some that are not in order."""
    size = raw.seek(0, io.SEEK_END)
    raw.seek(max(0, size - _END))
    end = raw.read(_END)
    length = int.from_bytes(end[:4], "little")
    if not end.endswith(_MAGIC) or length + _END > size:
        raise FooterError("it does not end as a Parquet file does")
    if length > longest:
        raise FooterError(f"its footer has {length} bytes, and there is room for {longest}")
    raw.seek(size - _END - length)
    footer = raw.read(length)
    raw.seek(0)
    if not _core.is_parquet_footer(footer, size):
        raise FooterError("its footer is damaged")


@dataclass(frozen=True)
class Readable:
    """How much of a row group fits into memory: so many of its rows, in steps of so many; `page` is
    what the page after them has in bytes, if it is too large."""

    rows: int
    step: int
    page: int | None = None

    def within(self, other: "Readable") -> "Readable":
        """No more rows than another has, in steps of its own."""
        if other.rows >= self.rows:
            return self
        return Readable(other.rows, whole_steps(other.rows, self.step), other.page)


def whole_steps(rows: int, step: int) -> int:
    """The longest step of which so many rows have a whole number: one that reached beyond them
    would unpack what is too large."""
    return next(size for size in range(step, 0, -1) if rows % size == 0)


@dataclass(frozen=True)
class RowGroup:
    """A row group of a file: its first row, and the row after its last."""

    file: pq.ParquetFile
    number: int
    first: int
    end: int

    @property
    def bytes(self) -> int:
        """How many bytes of the file it takes, or by what the file says of it would."""
        group = self.file.metadata.row_group(self.number)
        columns = (group.column(index) for index in range(group.num_columns))
        return sum(max(column.total_compressed_size, 0) for column in columns)

    @property
    def columns(self) -> list[str]:
        """The paths of all its columns."""
        group = self.file.metadata.row_group(self.number)
        return [group.column(index).path_in_schema for index in range(group.num_columns)]

    def step(self, names: Container[str]) -> int:
        """How many rows of the columns of these names are decoded at a time."""
        group = self.file.metadata.row_group(self.number)
        columns = [group.column(index) for index in range(group.num_columns)]
        size = sum(c.total_uncompressed_size for c in columns if c.path_in_schema in names)
        average = max(size // max(group.num_rows, 1), 1)
        return int(max(min(STEP_ROWS, STEP_BYTES // average), 1))

    def readable(
        self, names: Sequence[str], views: str | None, raw: BinaryIO, page: int, together: int
    ) -> Readable:
        """What can be read of these columns with pages of so many bytes, and values of a dictionary
        of so many together; those of `views` stay in their pages."""
        rows, step, over = self.end - self.first, self.step(names), None
        group = self.file.metadata.row_group(self.number)
        for index in range(group.num_columns):
            column = group.column(index)
            if column.path_in_schema not in names:
                continue
            start, end = _extent(column)
            dictionary, largest, before = _core.parquet_pages(raw.fileno(), start, end, page)
            if column.path_in_schema != views:
                # Any of the rows may have the longest of its values.
                step = max(1, min(step, together // max(dictionary, 1)))
            if before is not None and before < rows:
                # A list has more values than rows.
                rows, over = (before if column.num_values == group.num_rows else 0), largest
        if over is not None:
            step = whole_steps(rows, step)
        return Readable(rows, step, over)

    def longest_pages(self, raw: BinaryIO) -> tuple[int, int]:
        """The bytes of the longest dictionary, and of the longest page, as its pages tell."""
        group = self.file.metadata.row_group(self.number)
        extents = [_extent(group.column(index)) for index in range(group.num_columns)]
        pages = [_core.parquet_pages(raw.fileno(), *extent, _ANY_PAGE) for extent in extents]
        return max((each[0] for each in pages), default=0), max(
            (each[1] for each in pages), default=0
        )


def _extent(column: pq.ColumnChunkMetaData) -> tuple[int, int]:
    """Where in the file the pages of a column chunk begin and end."""
    start = column.data_page_offset
    if 0 < (column.dictionary_page_offset or 0) < start:
        start = column.dictionary_page_offset
    return start, start + column.total_compressed_size


def short_rows(raw: BinaryIO, name: str, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """These columns of a table whose rows are short, some at a time; raises one of `BROKEN` where
    it is none, or has pages that no such table has."""
    file = open_parquet(raw, name, _SHORT_FOOTER)
    local = not files.is_remote(name)
    for group in row_groups(file):
        fits = Readable(group.end - group.first, group.step(columns))
        if local:
            fits = group.readable(columns, None, raw, _SHORT_PAGE, STEP_BYTES)
        if fits.page is not None:
            raise ValueError(f"row group {group.number} has {too_large_page(fits.page)}")
        yield from file.iter_batches(fits.step, [group.number], [*columns], use_threads=False)


def too_large_page(size: int) -> str:
    """What is said of one: a page of the format, which has nothing to do with web pages."""
    return f"a Parquet page of {size:,} bytes"


def row_groups(file: pq.ParquetFile) -> Iterator[RowGroup]:
    """The row groups of a file."""
    end = 0
    for number in range(file.metadata.num_row_groups):
        first, end = end, end + file.metadata.row_group(number).num_rows
        yield RowGroup(file, number, first, end)
