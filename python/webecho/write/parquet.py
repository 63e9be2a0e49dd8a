"""What stays of Parquet files: the same rows, schema, metadata, compression and row groups.

A row group that is larger than memory should be becomes several; one that is broken cannot be
passed on further than it can be read.
"""

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from webecho.formats import files
from webecho.formats.parquet import (
    BROKEN,
    STEP_BYTES,
    Readable,
    RowGroup,
    Writer,
    open_parquet,
    row_groups,
    too_large_page,
)
from webecho.read.limits import USUAL, Limits
from webecho.read.pages import Source
from webecho.write.annotations import RowFeed
from webecho.write.parquet_levels import column_sizes, levels
from webecho.write.recompression import smaller_parquet
from webecho.write.row_columns import longer, longer_schema
from webecho.write.selection import GoneRows, Selection, Tally, Written, gone_rows

# A row group is in memory before it is written.
_GROUP_BYTES = 128 << 20
# … which is so much of the memory for the longest page, where that is bounded.
_GROUP_SHARE = 8
# The length of a page that Arrow takes.
_PAGE = 1 << 20
_CODECS = {"UNCOMPRESSED": "none", "LZ4_RAW": "lz4", "LZ4_HADOOP": "lz4"}


def write_parquet(
    source: Source,
    selections: Iterable[Selection],
    out: Path,
    *,
    rest: bool = True,
    feed: RowFeed | None = None,
    limits: Limits = USUAL,
) -> Written:
    """Copies the rows that stay to the file `out`, and with the `rest` what is not listed; a `feed`
    has more columns for them. What is larger than the limits allow is not passed on, and told."""
    tally = Tally(selections)
    gone = gone_rows(tally, rest)
    first = next(gone, None)
    copied = first is None and feed is None
    with files.open_file(source.name, scattered=not copied) as raw:
        if copied:
            with out.open("wb") as copy:
                shutil.copyfileobj(raw, copy, 1 << 20)
            return Written(out, out.stat().st_size, tally.kept, 0)
        try:
            file = open_parquet(raw, source.name, limits.footer)
        except BROKEN as error:
            # No row of it can be passed on; it may be to go.
            tally.finish()
            problem = [f"{source.name}: {error}"] if first is None and rest else []
            return Written(out, 0, 0, tally.left_out, lost=tuple(problem))
        schema = (
            file.schema_arrow
            if feed is None
            else longer_schema(source.name, file.schema_arrow, feed)
        )
        readable = partial(_readable, raw=raw, limits=limits, name=source.name)
        tried = readable(next(row_groups(file))) if limits.bounded and file.num_row_groups else None
        rows = _Rows(file, readable, chain(() if first is None else (first,), gone), feed)
        most = min(_GROUP_BYTES, limits.in_flight // _GROUP_SHARE)
        cut = {} if files.is_remote(source.name) else _pages(file, raw, limits.unpacked)
        options = _options(file, tried, most // 2, cut)
        # Opened here, for Arrow takes no name that is not UTF-8.
        with out.open("wb") as made, Writer(made, schema, **options) as writer:
            for group in row_groups(file):
                for table in _tables(rows.of_group(group), schema, most):
                    writer.write_table(table, row_group_size=max(table.num_rows, 1))
        smaller_parquet(out, column_sizes(file.metadata), options, limits.in_flight // 2)
    tally.finish()
    lost = tuple(f"{source.name}: {what}" for what in rows.lost)
    return Written(out, out.stat().st_size, rows.kept, tally.left_out, lost=lost)


class _Rows:
    """The rows of a file that stay, row group by row group."""

    def __init__(
        self,
        file: pq.ParquetFile,
        readable: Callable[[RowGroup], Readable],
        gone: Iterator[range],
        feed: RowFeed | None = None,
    ) -> None:
        self._file = file
        self._readable = readable
        self._gone = GoneRows(gone)
        self._feed = feed
        self.kept = 0
        self.lost: list[str] = []

    def of_group(self, group: RowGroup) -> Iterator[pa.RecordBatch]:
        fits = self._readable(group)
        row, end = group.first, group.first + fits.rows
        steps = self._file.iter_batches(fits.step, row_groups=[group.number], use_threads=False)
        problem = "they are not there"
        while row < end:
            try:
                rows = next(steps, None)
            except BROKEN as error:
                rows, problem = None, str(error)
            if rows is None:
                self._lose(group, row, problem)
                return
            for kept in self._staying(row, rows):
                self.kept += kept.num_rows
                yield kept
            row += rows.num_rows
        if fits.page is not None:
            self._lose(group, end, f"{too_large_page(fits.page)} is too large for the memory")

    def _lose(self, group: RowGroup, row: int, problem: str) -> None:
        self.lost.append(f"rows {row} to {group.end - 1} of row group {group.number}: {problem}")

    def _staying(self, first: int, rows: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        # Slices, for Arrow cannot filter every type.
        if self._feed is not None:
            rows = longer(rows, self._feed.rows(first, rows.num_rows))
        for start, stop in self._gone.staying(first, first + rows.num_rows):
            yield rows.slice(start - first, stop - start)


def _tables(batches: Iterator[pa.RecordBatch], schema: pa.Schema, most: int) -> Iterator[pa.Table]:
    held: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        held.append(batch)
        size += batch.nbytes
        if size >= most:
            yield pa.Table.from_batches(held, schema)
            held, size = [], 0
    if held:
        yield pa.Table.from_batches(held, schema)


def _readable(group: RowGroup, raw: BinaryIO, limits: Limits, name: str) -> Readable:
    """What of a row group, with all its columns, fits into memory."""
    if not limits.bounded or files.is_remote(name):
        return Readable(group.end - group.first, group.step(group.columns))
    return group.readable(group.columns, None, raw, limits.unpacked, limits.page)


def _pages(file: pq.ParquetFile, raw: BinaryIO, most: int) -> dict[str, int]:
    """How long pages and dictionaries are written: about as long as those of the first row group,
    and of so many bytes at the most. Long ones compress better: Arrow's own are of 1,024 rows where
    these are handed over at once, but here they come in short slices."""
    if not file.num_row_groups:
        return {}
    dictionary, page = next(row_groups(file)).longest_pages(raw)
    lengths = {"dictionary_pagesize_limit": dictionary, "data_page_size": page}
    # One is written when it is long enough, so with some rows more.
    return {name: max(_PAGE, min(length, most - STEP_BYTES)) for name, length in lengths.items()}


def _options(
    file: pq.ParquetFile, fits: Readable | None, most: int, cut: Mapping[str, int]
) -> dict[str, Any]:
    """How the file was written, as far as it tells, or its first bytes: so many at the most, and
    what of its first row group can be read. `cut` says how its pages are."""
    metadata = file.metadata
    # The first version of the format has neither nanoseconds nor all unsigned integers, but many
    # writers call theirs so and use them nevertheless.
    as_written: dict[str, Any] = {
        **cut,
        "version": "2.6",
        "store_schema": b"ARROW:schema" in (metadata.metadata or {}),
    }
    if not metadata.num_row_groups:
        return as_written
    group = metadata.row_group(0)
    columns = [group.column(index) for index in range(group.num_columns)]
    paths = [column.path_in_schema for column in columns]
    codecs = [_CODECS.get(column.compression, column.compression.lower()) for column in columns]
    is_dictionary = [any("DICTIONARY" in name for name in column.encodings) for column in columns]
    kinds = [str(file.schema.column(index).logical_type) for index in range(len(columns))]
    times = [
        column.physical_type == "INT96"
        for column, kind in zip(columns, kinds, strict=True)
        if column.physical_type == "INT96" or kind.startswith("Timestamp")
    ]
    codec_of = dict(zip(paths, codecs, strict=True))
    as_written |= {
        "use_dictionary": [
            path for path, is_one in zip(paths, is_dictionary, strict=True) if is_one
        ],
        "use_compliant_nested_type": not any(".list.item" in path for path in paths),
        "use_deprecated_int96_timestamps": bool(times) and all(times),
        "write_page_index": any(column.has_column_index for column in columns),
        "sorting_columns": group.sorting_columns or None,
    }
    return as_written | {
        "compression": codec_of,
        "compression_level": levels(file, codec_of, as_written, fits, most),
    }
