"""Arrow IPC: the file format, which is Feather, and the stream format, in which Hugging Face's
`datasets` saves its tables."""

import struct
from collections.abc import Iterator
from typing import BinaryIO, Literal, TypeAlias

import pyarrow as pa

MAGIC = b"ARROW1"
# Before the length of each message, also of the first of a stream.
CONTINUATION = b"\xff\xff\xff\xff"
# What Arrow raises for bytes that are not what they should be.
BROKEN = (pa.ArrowException, OSError, ValueError, MemoryError)

Reader: TypeAlias = "pa.RecordBatchFileReader | pa.RecordBatchStreamReader"
Codec = Literal["lz4", "zstd"]
_CODECS: tuple[Codec, ...] = ("lz4", "zstd")
_RECORD_BATCH = 3


def is_arrow(head: bytes) -> bool:
    """Whether a file begins as one of the two does."""
    return head.startswith((MAGIC, CONTINUATION))


def open_arrow(raw: BinaryIO) -> Reader:
    """The open file, of either format; raises one of `BROKEN` if it is none."""
    whole = raw.read(len(MAGIC)) == MAGIC
    raw.seek(0)
    return pa.ipc.open_file(raw) if whole else pa.ipc.open_stream(raw)


def record_batches(reader: Reader) -> Iterator[pa.RecordBatch]:
    """The batches in their order; raises one of `BROKEN` where one is not in order."""
    if isinstance(reader, pa.RecordBatchFileReader):
        batches = (reader.get_batch(number) for number in range(reader.num_record_batches))
    else:
        batches = iter(reader)
    for batch in batches:
        # Offsets that point elsewhere would be followed.
        batch.validate(full=True)
        yield batch


def codec_of(raw: BinaryIO) -> Codec | None:
    """What the first record batch is compressed with. Arrow does not tell it of a file: it stands
    in the message before the batch, a table of FlatBuffers (Message.fbs of the format)."""
    raw.seek(8 if raw.read(len(MAGIC)) == MAGIC else 0)
    while (message := _message(raw)) is not None:
        metadata, body = message
        table = _Table.root(metadata)
        if table.byte(1) == _RECORD_BATCH:
            compression = table.table(2).optional(3)
            return None if compression is None else _CODECS[compression.byte(0)]
        raw.seek(body, 1)
    return None


def _message(raw: BinaryIO) -> tuple[bytes, int] | None:
    """The metadata of the next message, and how long the body behind it is."""
    head = raw.read(8)
    if len(head) < 8 or not head.startswith(CONTINUATION):
        return None
    (length,) = struct.unpack("<i", head[4:])
    if length <= 0:
        return None
    metadata = raw.read(length)
    return metadata, _Table.root(metadata).long(3)


class _Table:
    """A table of FlatBuffers: fields by their numbers."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data, self._at = data, at
        self._fields = at - self._number("<i", at)
        self._size = self._number("<H", self._fields)

    @classmethod
    def root(cls, data: bytes) -> "_Table":
        (at,) = struct.unpack_from("<I", data)
        return cls(data, at)

    def _number(self, form: str, at: int) -> int:
        (number,) = struct.unpack_from(form, self._data, at)
        return int(number)

    def _place(self, field: int) -> int | None:
        """Where a field is; None where it has its default."""
        entry = 4 + 2 * field
        offset = self._number("<H", self._fields + entry) if entry < self._size else 0
        return self._at + offset if offset else None

    def byte(self, field: int) -> int:
        at = self._place(field)
        return 0 if at is None else self._number("<B", at)

    def long(self, field: int) -> int:
        at = self._place(field)
        return 0 if at is None else self._number("<q", at)

    def optional(self, field: int) -> "_Table | None":
        at = self._place(field)
        return None if at is None else _Table(self._data, at + self._number("<I", at))

    def table(self, field: int) -> "_Table":
        found = self.optional(field)
        if found is None:
            raise ValueError(f"a message of Arrow lacks its field {field}")
        return found
