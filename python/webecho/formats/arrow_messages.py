"""*Messages* of Arrow IPC: tables of FlatBuffers before the bytes of batches, which tell how large
those are, and with what they are compressed (Message.fbs and File.fbs of the format)."""

import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import BinaryIO, Literal

MAGIC = b"ARROW1"
# Before the length of each message, also of the first of a stream.
CONTINUATION = b"\xff\xff\xff\xff"
# How streams ended that had no such sign.
_ENDED = bytes(4)

Codec = Literal["lz4", "zstd"]
_CODECS: tuple[Codec, ...] = ("lz4", "zstd")
_DICTIONARY_BATCH, _RECORD_BATCH = 2, 3
# Where the first message of a file stands, and what stands behind its footer.
_FIRST = 8
_END = 4 + len(MAGIC)
# A block of the footer: where a message begins, the length of its metadata, that of its body.
_BLOCK = struct.Struct("<qi4xq")
# A buffer of a batch: where it begins in the body, and its length.
_BUFFER = struct.Struct("<qq")
# A compressed buffer begins with its length without compression, or this where it has none.
_PREFIX = 8
_PLAIN = -1
# No file has more rows.
_MOST_ROWS = 1 << 40


class LargeError(ValueError):
    """A dictionary that takes more memory than there is: no batch after it can be read."""


@dataclass(frozen=True)
class LargeBatch:
    """A record batch that is not read, for it takes too much memory."""

    rows: int
    bytes: int

    def __len__(self) -> int:
        return self.rows


@dataclass(frozen=True)
class Message:
    """A message: its metadata, where its body begins, and how long that is."""

    metadata: bytes
    start: int
    length: int

    @property
    def kind(self) -> int:
        return Table.root(self.metadata).byte(1)

    @property
    def batch(self) -> "Table":
        """The record batch that it is, or that a dictionary is."""
        header = Table.root(self.metadata).table(2)
        return header.table(1) if self.kind == _DICTIONARY_BATCH else header


class Sizes:
    """What the batches of an open file take while they are read, packed and unpacked; more than
    `most` bytes is too much."""

    def __init__(self, raw: BinaryIO, most: int) -> None:
        self._raw = raw
        self._most = most

    def of_file(self) -> Iterator[LargeBatch | None]:
        """For each record batch that the footer names, in its order, whether it is too large."""
        footer = _footer(self._raw, self._most)
        for at in footer.structs(2, _BLOCK):
            self._check_dictionary(self._at(at[0]))
        for at in footer.structs(3, _BLOCK):
            yield self._large(self._at(at[0]))

    def of_stream(self) -> Iterator[LargeBatch | None]:
        """For each record batch of a stream, whether it is too large; then the file stands behind
        it, and else where the reader has to go on."""
        while True:
            here = self._raw.tell()
            message = first = _message(self._raw, self._most)
            while message is not None and message.kind == _DICTIONARY_BATCH:
                self._check_dictionary(message)
                self._raw.seek(message.start + message.length)
                message = _message(self._raw, self._most)
            if message is None:
                return
            large = self._large(message)
            if large is not None and message is not first:
                # The reader would go on without the dictionaries before it.
                raise LargeError(f"a record batch of {large.bytes} bytes behind a dictionary")
            self._raw.seek(here if large is None else message.start + message.length)
            yield large

    def _at(self, offset: int) -> Message:
        self._raw.seek(offset)
        message = _message(self._raw, self._most)
        if message is None:
            raise ValueError(f"no message of Arrow begins at {offset}")
        return message

    def _check_dictionary(self, message: Message) -> None:
        large = self._large(message)
        if large is not None:
            raise LargeError(f"a dictionary of {large.bytes} bytes")

    def _large(self, message: Message) -> LargeBatch | None:
        size = message.length + _unpacked(self._raw, message)
        if size <= self._most:
            return None
        rows = message.batch.long(0)
        if not 0 <= rows <= _MOST_ROWS:
            raise ValueError(f"a record batch of {rows} rows")
        return LargeBatch(rows, size)


def codec_of(raw: BinaryIO) -> Codec | None:
    """What the first record batch is compressed with. Arrow does not tell it of a file."""
    raw.seek(_FIRST if raw.read(len(MAGIC)) == MAGIC else 0)
    # Of what is not in order Arrow tells.
    with suppress(ValueError, IndexError):
        while (message := _message(raw)) is not None:
            if message.kind == _RECORD_BATCH:
                compression = message.batch.optional(3)
                return None if compression is None else _CODECS[compression.byte(0)]
            raw.seek(message.start + message.length)
    return None


def _unpacked(raw: BinaryIO, message: Message) -> int:
    """Bytes that the body of a batch takes beside, when it is decompressed."""
    if message.batch.optional(3) is None:
        return 0
    total = 0
    for start, length in message.batch.structs(2, _BUFFER):
        if length >= _PREFIX:
            raw.seek(message.start + start)
            size = int.from_bytes(raw.read(_PREFIX), "little", signed=True)
            total += length if size == _PLAIN else max(size, 0)
    return total


def _message(raw: BinaryIO, most: int | None = None) -> Message | None:
    """The message that begins here, or None at the end; a ValueError where it is not in order."""
    head = raw.read(8)
    if not head or head.startswith(_ENDED):
        return None
    if len(head) < 8 or not head.startswith(CONTINUATION):
        raise ValueError("no message of Arrow begins where one should")
    (length,) = struct.unpack("<i", head[4:])
    if length == 0:
        return None
    if length < 0:
        raise ValueError("a message of Arrow of less than no bytes")
    if most is not None and length > most:
        raise LargeError(f"metadata of {length} bytes")
    metadata = raw.read(length)
    body = Table.root(metadata).long(3)
    if body < 0:
        raise ValueError("a body of less than no bytes")
    return Message(metadata, raw.tell(), body)


def _footer(raw: BinaryIO, most: int) -> "Table":
    size = raw.seek(0, 2)
    raw.seek(max(0, size - _END))
    length = int.from_bytes(raw.read(_END)[:4], "little")
    if length > most:
        raise LargeError(f"a footer of {length} bytes")
    raw.seek(max(0, size - _END - length))
    return Table.root(raw.read(length))


class Table:
    """A table of FlatBuffers: fields by their numbers."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data, self._at = data, at
        self._fields = at - self._number("<i", at)
        self._size = self._number("<H", self._fields)

    @classmethod
    def root(cls, data: bytes) -> "Table":
        return cls(data, int.from_bytes(data[:4], "little"))

    def _number(self, form: str, at: int) -> int:
        if not 0 <= at <= len(self._data) - struct.calcsize(form):
            raise ValueError("a message of Arrow points outside of itself")
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

    def optional(self, field: int) -> "Table | None":
        at = self._place(field)
        return None if at is None else Table(self._data, at + self._number("<I", at))

    def table(self, field: int) -> "Table":
        found = self.optional(field)
        if found is None:
            raise ValueError(f"a message of Arrow lacks its field {field}")
        return found

    def structs(self, field: int, form: struct.Struct) -> Iterator[tuple[int, ...]]:
        """The structs of a vector."""
        at = self._place(field)
        if at is None:
            return
        start = at + self._number("<I", at)
        count = self._number("<I", start)
        if start + 4 + count * form.size > len(self._data):
            raise ValueError("a message of Arrow points outside of itself")
        for number in range(count):
            yield form.unpack_from(self._data, start + 4 + number * form.size)
