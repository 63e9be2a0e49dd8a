"""Arrow IPC: the file format, which is Feather, and the stream format, in which Hugging Face's
`datasets` saves its tables."""

from collections.abc import Iterator
from typing import BinaryIO, TypeAlias

import pyarrow as pa

from webecho.formats.arrow_messages import CONTINUATION, MAGIC, LargeBatch, Sizes

# What Arrow raises for bytes that are not what they should be.
BROKEN = (pa.ArrowException, OSError, ValueError, MemoryError)

Reader: TypeAlias = "pa.RecordBatchFileReader | pa.RecordBatchStreamReader"


def is_arrow(head: bytes) -> bool:
    """Whether a file begins as one of the two does."""
    return head.startswith((MAGIC, CONTINUATION))


def open_arrow(raw: BinaryIO) -> Reader:
    """The open file, of either format; raises one of `BROKEN` if it is none."""
    whole = raw.read(len(MAGIC)) == MAGIC
    raw.seek(0)
    return pa.ipc.open_file(raw) if whole else pa.ipc.open_stream(raw)


def record_batches(
    reader: Reader, sizes: Sizes | None = None
) -> Iterator[pa.RecordBatch | LargeBatch]:
    """The batches in their order; raises one of `BROKEN` where one is not in order. What takes more
    than the `sizes` allow, where they are given, is not read."""
    for batch in _batches(reader) if sizes is None else _fitting(reader, sizes):
        if isinstance(batch, pa.RecordBatch):
            # Offsets that point elsewhere would be followed.
            batch.validate(full=True)
        yield batch


def _batches(reader: Reader) -> Iterator[pa.RecordBatch]:
    if isinstance(reader, pa.RecordBatchFileReader):
        return (reader.get_batch(number) for number in range(reader.num_record_batches))
    return iter(reader)


def _fitting(reader: Reader, sizes: Sizes) -> Iterator[pa.RecordBatch | LargeBatch]:
    whole = isinstance(reader, pa.RecordBatchFileReader)
    for number, large in enumerate(sizes.of_file() if whole else sizes.of_stream()):
        if large is not None:
            yield large
        else:
            yield reader.get_batch(number) if whole else reader.read_next_batch()
