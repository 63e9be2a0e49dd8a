"""What stays of Arrow and Feather files: the same rows, schema, metadata, format and compression.

Rows behind a break cannot be passed on further than they can be read.
"""

import shutil
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import pyarrow as pa

from webecho.formats import files
from webecho.formats.arrow_ipc import BROKEN, open_arrow, record_batches
from webecho.formats.arrow_messages import LargeBatch, Sizes, codec_of
from webecho.read.limits import USUAL, Limits
from webecho.read.pages import Source
from webecho.write.annotations import RowFeed
from webecho.write.row_columns import longer, longer_schema
from webecho.write.selection import GoneRows, Selection, Tally, Written, gone_rows


def write_arrow(
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
    lost: list[str] = []
    with files.open_file(source.name, scattered=True) as raw:
        if first is None and feed is None:
            with out.open("wb") as copy:
                shutil.copyfileobj(raw, copy, 1 << 20)
            return Written(out, out.stat().st_size, tally.kept, 0)
        codec = codec_of(raw)
        raw.seek(0)
        reader = open_arrow(raw)
        new = pa.ipc.new_file if isinstance(reader, pa.RecordBatchFileReader) else pa.ipc.new_stream
        options = pa.ipc.IpcWriteOptions(compression=codec)
        kept = 0
        schema = reader.schema if feed is None else longer_schema(source.name, reader.schema, feed)
        ranges = chain(() if first is None else (first,), gone)
        # Opened here, for Arrow takes no name that is not UTF-8.
        with out.open("wb") as made, new(made, schema, options=options) as writer:
            sizes = Sizes(raw, limits.reading) if limits.bounded else None
            for rows in _staying(record_batches(reader, sizes), ranges, feed, source.name, lost):
                writer.write_batch(rows)
                kept += rows.num_rows
                del rows
    tally.finish()
    return Written(out, out.stat().st_size, kept, tally.left_out, lost=tuple(lost))


def _staying(
    batches: Iterator[pa.RecordBatch | LargeBatch],
    gone: Iterator[range],
    feed: RowFeed | None,
    name: str,
    lost: list[str],
) -> Iterator[pa.RecordBatch]:
    """What stays of each batch."""
    going, row = GoneRows(gone), 0
    try:
        for batch in batches:
            if isinstance(batch, LargeBatch):
                end = row + batch.rows
                what = f"a record batch of {batch.bytes} bytes is too large for the memory"
                lost.append(f"{name}: rows {row} to {end - 1}: {what}")
                row = end
                continue
            stretches = going.staying(row, row + batch.num_rows)
            more = batch if feed is None else longer(batch, feed.rows(row, batch.num_rows))
            kept = [more.slice(start - row, stop - start) for start, stop in stretches]
            row += batch.num_rows
            if kept:
                del batch, more
                yield _joined(kept)
                kept = []
    except BROKEN as error:
        lost.append(f"{name}: rows {row} to the end: {error}")


def _joined(parts: list[pa.RecordBatch]) -> pa.RecordBatch:
    if len(parts) == 1:
        return parts[0]
    return pa.Table.from_batches(parts).combine_chunks().to_batches()[0]
