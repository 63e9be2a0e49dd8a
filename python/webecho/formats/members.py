"""Members: records, each compressed by itself, as archive files should have them.

Nothing in a member's header tells when or where it was made.
"""

import zlib
from collections.abc import Callable
from typing import BinaryIO, Protocol

import lz4.frame
import zstandard

from webecho.formats.decoding import dictionary
from webecho.formats.frames import Codec


class Packer(Protocol):
    """Compresses one record, given in any number of blocks."""

    def compress(self, data: bytes, /) -> bytes: ...
    def flush(self) -> bytes: ...


def packer(codec: Codec, like: BinaryIO) -> Callable[[], Packer]:
    """What makes a packer for each record, with the zstd dictionary of the file `like`."""
    match codec:
        case "gzip":
            return lambda: zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
        case "zstd":
            known = dictionary(like)
            made = zstandard.ZstdCompressor(dict_data=known, write_checksum=True)
            return made.compressobj
        case "lz4":
            return _Lz4
        case "plain":
            return _Plain


def packed(data: bytes, new: Callable[[], Packer]) -> bytes:
    """The record in a member of its own."""
    one = new()
    return one.compress(data) + one.flush()


class _Plain:
    def compress(self, data: bytes, /) -> bytes:
        return data

    def flush(self) -> bytes:
        return b""


class _Lz4:
    def __init__(self) -> None:
        self._frame = lz4.frame.LZ4FrameCompressor(content_checksum=True)
        self._head: bytes = self._frame.begin()

    def compress(self, data: bytes, /) -> bytes:
        head, self._head = self._head, b""
        return head + bytes(self._frame.compress(data))

    def flush(self) -> bytes:
        head, self._head = self._head, b""
        return head + bytes(self._frame.flush())
