"""What stays of Arrow and Feather files: the same rows, schema, metadata, format and compression.

Rows behind a break cannot be passed on further than they can be read.
"""

import shutil
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import pyarrow as pa

from webecho.formats import files
from webecho.formats.arrow_ipc import BROKEN, Reader, codec_of, open_arrow, record_batches
from webecho.read.pages import Source
from webecho.write.selection import GoneRows, Selection, Tally, Written, gone_rows


def write_arrow(source: Source, selections: Iterable[Selection], out: Path) -> Written:
    """Copies the rows that stay to the file `out`."""
    tally = Tally(selections)
    gone = gone_rows(tally)
    first = next(gone, None)
    lost: list[str] = []
    with files.open_file(source.name, scattered=True) as raw:
        if first is None:
            with out.open("wb") as copy:
                shutil.copyfileobj(raw, copy, 1 << 20)
            return Written(out, out.stat().st_size, tally.kept, 0)
        codec = codec_of(raw)
        raw.seek(0)
        reader = open_arrow(raw)
        new = pa.ipc.new_file if isinstance(reader, pa.RecordBatchFileReader) else pa.ipc.new_stream
        options = pa.ipc.IpcWriteOptions(compression=codec)
        kept = 0
        with new(out, reader.schema, options=options) as writer:
            for rows in _staying(reader, chain((first,), gone), source.name, lost):
                writer.write_batch(rows)
                kept += rows.num_rows
    tally.finish()
    return Written(out, out.stat().st_size, kept, tally.left_out, lost=tuple(lost))


def _staying(
    reader: Reader,
    gone: Iterator[range],
    name: str,
    lost: list[str],
) -> Iterator[pa.RecordBatch]:
    """What stays of each batch."""
    going, row = GoneRows(gone), 0
    try:
        for batch in record_batches(reader):
            stretches = going.staying(row, row + batch.num_rows)
            kept = [batch.slice(start - row, stop - start) for start, stop in stretches]
            row += batch.num_rows
            if kept:
                yield pa.Table.from_batches(kept).combine_chunks().to_batches()[0]
    except BROKEN as error:
        lost.append(f"{name}: rows {row} to the end: {error}")
