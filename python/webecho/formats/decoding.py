"""Decoding of single frames: the gzip member, zstd or LZ4 frame that begins at an offset of a file.

All that can be decompressed is given before an error tells of damage.
"""

import re
import zlib
from collections.abc import Iterator
from typing import BinaryIO

import lz4.frame
import zstandard

READ = 64 << 10
_OUT = 256 << 10
# Enough of a frame to see whether a record begins there.
FIRST = 4 << 10
# A frame for the reader to skip: 0x184D2A50 to 0x184D2A5F, little-endian.
_SKIPPABLE = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")
ZSTD = re.compile(rb"\x28\xb5\x2f\xfd|" + _SKIPPABLE.pattern)
LZ4_MAGIC = b"\x04\x22\x4d\x18"
LZ4 = re.compile(re.escape(LZ4_MAGIC) + rb"|" + _SKIPPABLE.pattern)
# Magic, flags, block size and a checksum; what flags say comes before that.
_LZ4_DESCRIPTOR = 7
# The one that holds the dictionary of a .warc.zst file, by that format's specification.
_DICTIONARY = b"\x5d\x2a\x4d\x18"
_MAX_DICTIONARY = 64 << 20
_ZSTD_BLOCK = 128 << 10
# What `zstd --long=31` writes; large public dumps are made that way.
ZSTD_WINDOW = 1 << 31
# What zstd says where a window is longer than it may be.
WINDOW = "requires too much memory"
# Of a file made of damaged frames no more than this is looked at twice.
_PATIENCE = 64 << 20
# An error loses what its call had inflated, so the last steps are small ones.
_STEP = 256


class FrameError(Exception):
    """A frame that cannot be decompressed further, after all that can be has been given."""


class RawBytes:
    """The bytes of a file from some offset on."""

    def __init__(self, file: BinaryIO, start: int) -> None:
        self._file = file
        self.patience = _PATIENCE
        self.probes = 0
        self.seek(start)

    def seek(self, offset: int) -> None:
        self._file.seek(offset)
        self.at = offset
        self.data = b""

    def fill(self, count: int) -> bool:
        """Whether so many bytes are left; then `data` holds them."""
        while len(self.data) < count:
            more = self._file.read(max(READ, count - len(self.data)))
            if not more:
                return False
            self.data += more
        return True

    def take(self, count: int) -> bytes:
        taken, self.data = self.data[:count], self.data[count:]
        self.at += len(taken)
        return taken


def gzip_member(raw: RawBytes) -> Iterator[bytes]:
    """The blocks of the gzip member that begins here; a `FrameError` after the last good byte."""
    start = raw.at
    given = 0
    inflate = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    while not inflate.eof:
        more = raw.fill(1)
        try:
            out = inflate.decompress(raw.data, _OUT if given else FIRST)
        except zlib.error:
            out, end = _salvaged(raw, start, given)
            raw.seek(end)
            if out:
                yield out
            raise FrameError("corrupt gzip") from None
        rest = inflate.unused_data if inflate.eof else inflate.unconsumed_tail
        raw.take(len(raw.data) - len(rest))
        given += len(out)
        if out:
            yield out
        elif not more and not inflate.eof:
            raise FrameError("truncated gzip")


def _salvaged(raw: RawBytes, start: int, given: int) -> tuple[bytes, int]:
    """What the gzip member at `start` holds after `given` bytes until it breaks, and where.

    An error loses what its call had inflated, so the last steps are small ones.
    """
    inflate = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    bad = raw.at
    raw.seek(start)
    total = 0
    kept = []
    step = READ
    while step and raw.fill(1):
        if raw.at >= bad and step == READ:
            step = _STEP
        before = inflate.copy() if step == _STEP else inflate
        taken = raw.data[: min(step, bad - raw.at) if raw.at < bad else step]
        try:
            out = inflate.decompress(taken)
        except zlib.error:
            inflate, step = before, 1 if step > 1 else 0
            continue
        raw.take(len(taken))
        if total + len(out) > given:
            kept.append(out[max(0, given - total) :])
        total += len(out)
    return b"".join(kept), raw.at


def zstd_decompressor(file: BinaryIO, window: int = ZSTD_WINDOW) -> zstandard.ZstdDecompressor:
    """A decompressor with the dictionary from the head of the file, if there is one; frames that
    need a longer window are refused."""
    found = dictionary(file)
    if found is None:
        return zstandard.ZstdDecompressor(max_window_size=window)
    return zstandard.ZstdDecompressor(dict_data=found, max_window_size=window)


def dictionary(file: BinaryIO) -> zstandard.ZstdCompressionDict | None:
    """The zstd dictionary at the head of the file, if there is one."""
    file.seek(0)
    head = file.read(8)
    size = int.from_bytes(head[4:], "little")
    if not head.startswith(_DICTIONARY) or size > _MAX_DICTIONARY:
        return None
    content = file.read(size)
    if content.startswith(b"\x28\xb5\x2f\xfd"):
        try:
            content = zstandard.ZstdDecompressor().decompress(
                content, max_output_size=_MAX_DICTIONARY
            )
        except zstandard.ZstdError:
            content = b""
    return zstandard.ZstdCompressionDict(content)


def zstd_frame(decompressor: zstandard.ZstdDecompressor, raw: RawBytes) -> Iterator[bytes]:
    """The blocks of the zstd frame that begins here; a `FrameError` after the last good one."""

    # Block by block, so that a call gives at most one block, and a frame's end is known exactly.
    def feed(count: int) -> bytes:
        if not raw.fill(count):
            raise FrameError("truncated zstd")
        try:
            return frame.decompress(raw.take(count))
        except zstandard.ZstdError as error:
            wide = WINDOW in str(error)
            raise FrameError("zstd window too wide" if wide else "corrupt zstd") from None

    frame = decompressor.decompressobj()
    if _passed_over(raw, "zstd"):
        return
    raw.fill(18)
    try:
        size = zstandard.frame_header_size(raw.data[:18])
        checksum = zstandard.get_frame_parameters(raw.data[:18]).has_checksum
    except zstandard.ZstdError:
        raise FrameError("corrupt zstd") from None
    feed(size)
    last = False
    while not last:
        if not raw.fill(3):
            raise FrameError("truncated zstd")
        block = int.from_bytes(raw.data[:3], "little")
        last, kind, size = bool(block & 1), block >> 1 & 3, block >> 3
        if kind == 3 or size > _ZSTD_BLOCK:
            raise FrameError("corrupt zstd")
        yield feed(3 + (1 if kind == 1 else size))
    if checksum:
        feed(4)


def lz4_frame(raw: RawBytes) -> Iterator[bytes]:
    """The blocks of the LZ4 frame that begins here; a `FrameError` after the last good one."""
    # Block by block, as the format's specification (1.6.3) has them: what a call gives is bounded
    # by the 4 MiB of a block, an error loses no other, and a frame's end is known exactly.
    frame = lz4.frame.LZ4FrameDecompressor()

    def feed(count: int, most: int = 0) -> bytes:
        if not raw.fill(count):
            raise FrameError("truncated lz4")
        try:
            # Without room for all of a block some of it would wait for the next.
            return bytes(frame.decompress(raw.take(count), most))
        except RuntimeError:
            raise FrameError("corrupt lz4") from None

    if _passed_over(raw, "lz4"):
        return
    if not raw.fill(_LZ4_DESCRIPTOR):
        raise FrameError("truncated lz4")
    flags, sizes = raw.data[4], raw.data[5]
    longest = 1 << (8 + 2 * (sizes >> 4 & 7))
    feed(_LZ4_DESCRIPTOR + (8 if flags & 8 else 0) + (4 if flags & 1 else 0))
    checksum = 4 if flags & 16 else 0
    while True:
        if not raw.fill(4):
            raise FrameError("truncated lz4")
        size = int.from_bytes(raw.data[:4], "little") & 0x7FFF_FFFF
        if size == 0:
            break
        if size > longest:
            raise FrameError("corrupt lz4")
        yield feed(4 + size + checksum, longest)
    feed(4 + (4 if flags & 4 else 0))


def _passed_over(raw: RawBytes, codec: str) -> bool:
    """Whether a frame for the reader to skip begins here, which is then passed."""
    if not _SKIPPABLE.match(raw.data):
        return False
    if not raw.fill(8):
        raise FrameError(f"truncated {codec}")
    raw.seek(raw.at + 7 + int.from_bytes(raw.data[4:8], "little"))
    if not raw.fill(1):
        raise FrameError(f"truncated {codec}")
    raw.take(1)
    return True
