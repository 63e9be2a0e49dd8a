"""*Level*: how hard a Parquet file was compressed. Files do not tell it, so that it is tried on the
first row group which one makes its columns no larger than they were.

To try the higher levels on all of it would take longer than a small file takes in all. So it is
compressed once at the lowest, and the others only on its first bytes: by how much they are better
there, they are taken to be everywhere.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

from webecho.formats.parquet import BROKEN, Readable

# In the order in which they are tried, that of the time they take: zstd writes 200, 85, 40 and 20
# MB a second and core. Those after them take longer than all else does (write/recompression.py).
LEVELS = {
    "zstd": (3, 6, 9, 12),
    "gzip": (6, 9),
    "brotli": (1, 4, 6, 8, 9),
}
# What is larger by no more is as large: pages are cut a little otherwise.
AS_LARGE = 1.01
# Rows that are read at a time.
_STEP = 1024
# Bytes of rows that the first level is tried on, and the others.
_FIRST_BYTES, _MORE_BYTES = 32 << 20, 2 << 20


def levels(
    file: pq.ParquetFile,
    codecs: Mapping[str, str],
    options: Mapping[str, Any],
    fits: Readable | None = None,
    most: int = _FIRST_BYTES,
) -> dict[str, int]:
    """For each column whose codec has levels the lowest that does not make it larger, by its path;
    `options` are all others that it is written with, and `fits` says what of the first row group
    can be read if not all of it, of which about so many bytes are. A compressor may hold twice as
    much."""
    wanted = {path: codec for path, codec in codecs.items() if codec in LEVELS}
    if not wanted:
        return {}
    lowest = {path: LEVELS[codec][0] for path, codec in wanted.items()}
    before = _sizes(file.metadata)
    fits = fits or Readable(file.metadata.row_group(0).num_rows, _STEP)
    rows = _first_rows(file, fits, min(most, _FIRST_BYTES))
    if rows is None or not len(rows):
        return lowest
    share = len(rows) / file.metadata.row_group(0).num_rows

    def sizes_at(some: pa.Table, found: Mapping[str, int]) -> dict[str, int]:
        how = {**options, "compression": dict(codecs), "compression_level": dict(found)}
        return _written(some, how)

    first = sizes_at(rows, lowest)
    # By how much each must still be better.
    need = {
        path: before[path] * share * AS_LARGE / max(first.get(path, 1), 1)
        for path in wanted
        if path in before
    }
    found = dict(lowest)
    some = rows.slice(0, max(1, round(len(rows) * min(1.0, _MORE_BYTES / max(rows.nbytes, 1)))))
    start = sizes_at(some, lowest) if min(need.values(), default=1) < 1 else {}
    larger = {path for path, factor in need.items() if factor < 1}
    known = {codec: _levels_within(2 * most, codec) for codec in wanted.values()}
    for step in range(1, max(map(len, known.values()))):
        tried = {path: _at(known[wanted[path]], step) for path in larger}
        larger = {path for path in larger if tried[path] > found[path]}
        if not larger:
            break
        sizes = sizes_at(some, found | {path: tried[path] for path in larger})
        for path in [*larger]:
            found[path] = tried[path]
            if sizes[path] <= need[path] * start[path]:
                larger.remove(path)
    return found


def _levels_within(memory: int, codec: str) -> tuple[int, ...]:
    first, *more = LEVELS[codec]
    return first, *(level for level in more if codec != "zstd" or held_by_zstd(level) <= memory)


def _at(known: Sequence[int], step: int) -> int:
    return known[min(step, len(known) - 1)]


def held_by_zstd(level: int) -> int:
    """What zstd holds while it compresses, however much that is."""
    chosen = zstandard.ZstdCompressionParameters.from_level(level)
    return int(chosen.estimated_compression_context_size()) + (2 << chosen.window_log)


def _first_rows(file: pq.ParquetFile, fits: Readable, most: int) -> pa.Table | None:
    """The first row group, or as much of it as is tried."""
    held: list[pa.RecordBatch] = []
    size = count = 0
    if not fits.rows:
        return None
    try:
        for batch in file.iter_batches(fits.step, row_groups=[0], use_threads=False):
            held.append(batch)
            size += batch.nbytes
            count += len(batch)
            if size >= most or count >= fits.rows:
                break
    except BROKEN:
        # As far as it can be read.
        pass
    return pa.Table.from_batches(held) if held else None


def _written(rows: pa.Table, options: Mapping[str, Any]) -> dict[str, int]:
    """How many bytes the columns of these rows take, by their paths, when they are written so."""
    out = pa.BufferOutputStream()
    with pq.ParquetWriter(out, rows.schema, **options) as writer:
        writer.write_table(rows, row_group_size=max(len(rows), 1))
    return _sizes(pq.ParquetFile(pa.BufferReader(out.getvalue())).metadata)


def column_sizes(metadata: pq.FileMetaData) -> Counter[str]:
    """How many bytes the columns of a file take, by their paths."""
    sizes: Counter[str] = Counter()
    for group in range(metadata.num_row_groups):
        sizes.update(_sizes(metadata, group))
    return sizes


def _sizes(metadata: pq.FileMetaData, group: int = 0) -> dict[str, int]:
    """How many bytes the columns of a row group take, by their paths."""
    columns: Iterator[Any] = (
        metadata.row_group(group).column(index) for index in range(metadata.num_columns)
    )
    return {column.path_in_schema: column.total_compressed_size for column in columns}
