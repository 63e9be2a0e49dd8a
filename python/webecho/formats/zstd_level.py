"""*Level* of a zstd file: how hard it was compressed. Files do not tell it, so that it is tried on
the first bytes which one makes them no larger than they were.
"""

import io
from collections.abc import Sequence
from typing import BinaryIO

import zstandard

from webecho.formats.decoding import ZSTD_WINDOW
from webecho.formats.packing import DamagedError, unpacked

# In the order in which they are tried. Those after them take longer than all else does
# (write/recompression.py).
LEVELS = (3, 6, 9, 12)
# Bytes of the file that are looked at; the last block that they have is a small part of them.
_FIRST_BYTES = 2 << 20
# … and of what they stand for, which may be a thousand times as much; read so many at a time.
_MOST_CONTENT = 16 << 20
_STEP = 64 << 10
# What is larger by no more is as large: frames may be cut otherwise.
_AS_LARGE = 1.01


def zstd_level(file: BinaryIO, window: int = ZSTD_WINDOW, levels: Sequence[int] = LEVELS) -> int:
    """The lowest of the levels that does not make the open file larger, or the highest; what needs
    a longer window is not looked at."""
    start = io.BytesIO(file.read(_FIRST_BYTES))
    content: list[bytes] = []
    size = 0
    try:
        for block in unpacked(start, window, _STEP):
            content.append(block)
            size += len(block)
            if size >= _MOST_CONTENT:
                break
    except DamagedError:
        # It goes on where we stopped, or is broken: so far it was read.
        pass
    data = b"".join(content)
    fitting = (level for level in levels[:-1] if _size(data, level) <= start.tell() * _AS_LARGE)
    return next(fitting, levels[-1])


def _size(data: bytes, level: int) -> int:
    return len(zstandard.ZstdCompressor(level=level).compress(data))
