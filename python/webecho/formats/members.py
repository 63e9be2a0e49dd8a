"""Members: records, each compressed by itself, as archive files should have them.

Nothing in a member's header tells when or where it was made.
"""

import io
import zlib
from collections.abc import Callable
from typing import BinaryIO, Protocol

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
        # Imported where it is needed: fastwarc warns of its own names when it is imported.
        from fastwarc.stream_io import Lz4Writer

        self._made = io.BytesIO()
        self._writer = Lz4Writer(self._made)

    def compress(self, data: bytes, /) -> bytes:
        self._writer.write(data)
        return b""

    def flush(self) -> bytes:
        self._writer.close()
        return self._made.getvalue()
