"""Frames: the units in which an archive file is compressed.

A *frame* is a gzip member, a zstd frame or an LZ4 frame. Archives are commonly compressed one
record to a frame, so that a record can be found again by the offset of its frame; an uncompressed
file is read as one frame. A *piece* is some decompressed bytes of one frame. Memory stays bounded
whatever the frames expand to, and after a damaged frame reading goes on at the next frame that
begins with a record.
"""

import io
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import BinaryIO, Literal

from webecho.formats.arc import ARC_LINE
from webecho.formats.decoding import (
    FIRST,
    LZ4,
    LZ4_MAGIC,
    READ,
    ZSTD,
    ZSTD_WINDOW,
    FrameError,
    RawBytes,
    gzip_member,
    lz4_frame,
    zstd_decompressor,
    zstd_frame,
)
from webecho.formats.headers import WARC

Codec = Literal["plain", "gzip", "zstd", "lz4"]

BEGINS = re.compile(rb"[\r\n]*(?:" + WARC + rb"/\d|" + ARC_LINE + rb")")

_OUT = 256 << 10
_WARC = re.compile(WARC + rb"/")
_GZIP = re.compile(rb"\x1f\x8b\x08")
# Inflating what is no deflate data goes unnoticed for some hundred bytes, so the next frame may
# begin before the place where the damage shows.
_LOOK_BACK = 32 << 10
# So much is needed to see what begins with a frame; of zstd and LZ4, its whole first block, which
# in LZ4 may be larger than the 64 KiB that archives have, and is then not seen.
_PROBE = {"gzip": FIRST, "zstd": 160 << 10, "lz4": 160 << 10}
# Looking costs some 10 µs, so of a file made of bytes that look like frames not all are looked at:
# these, and one more for each KiB.
_PROBES = 1 << 14
# An error loses what its call had inflated, so a member is looked at in steps; it is mostly the
# first that tells.
_LOOKS = (128, 512, 1 << 10, FIRST)


@dataclass(frozen=True, slots=True)
class Piece:
    """Some bytes of the frame at offset `frame`, or the problem that ended it."""

    frame: int
    data: bytes
    opens: bool = False
    problem: str | None = None
    lost: int = 0


_Decode = Callable[[RawBytes], Iterator[bytes]]
# Whether a frame that begins with a record begins with these bytes.
_Begins = Callable[[bytes], bool]


def codec_of(file: BinaryIO) -> Codec:
    """How the file is compressed, by its first bytes."""
    file.seek(0)
    head = file.read(READ)
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    if head.startswith(LZ4_MAGIC):
        return "lz4"
    if ZSTD.match(head):
        return "zstd"
    # Its first bytes may be damaged.
    if not _WARC.search(head) and _GZIP.search(head):
        return "gzip"
    return "plain"


def pieces(file: BinaryIO, start: int, codec: Codec, window: int = ZSTD_WINDOW) -> Iterator[Piece]:
    """The frames from offset `start` on, in pieces; the first piece of a frame `opens` it."""
    return pieces_from(file, codec, window)(start)


def pieces_from(
    file: BinaryIO, codec: Codec, window: int = ZSTD_WINDOW
) -> Callable[[int], Iterator[Piece]]:
    """What gives the `pieces` from an offset on; whoever goes to many loads a dictionary once. A
    frame that needs a longer window is a problem."""
    match codec:
        case "gzip":
            return lambda start: _frames(
                RawBytes(file, start), codec, _GZIP, gzip_member, _gzip_begins
            )
        case "zstd":
            decode = partial(zstd_frame, zstd_decompressor(file, window))
            begins = partial(_block_begins, decode)
            return lambda start: _frames(RawBytes(file, start), codec, ZSTD, decode, begins)
        case "lz4":
            begins = partial(_block_begins, lz4_frame)
            return lambda start: _frames(RawBytes(file, start), codec, LZ4, lz4_frame, begins)
        case "plain":
            return partial(_plain, file)


def _plain(file: BinaryIO, start: int) -> Iterator[Piece]:
    file.seek(start)
    opens = True
    while data := file.read(_OUT):
        yield Piece(start, data, opens)
        opens = False


def _frames(
    raw: RawBytes, codec: Codec, magic: re.Pattern[bytes], decode: _Decode, begins: _Begins
) -> Iterator[Piece]:
    while raw.fill(4) or raw.data:
        frame = raw.at
        if magic.match(raw.data):
            try:
                yield from _opened(frame, decode(raw))
                continue
            except FrameError as damage:
                problem = str(damage)
                end = raw.at
                raw.seek(max(frame + 1, end - (_LOOK_BACK if raw.patience > 0 else 0)))
                raw.patience -= end - raw.at
        elif raw.data.startswith(b"\0"):
            # Tape blocks and some servers pad a file with zeros.
            raw.take(len(raw.data) - len(raw.data.lstrip(b"\0")))
            continue
        else:
            problem = f"corrupt {codec}"
            end = frame
            raw.take(1)
        find_frame(raw, magic, begins, _PROBE[codec])
        yield Piece(frame, b"", problem=problem, lost=max(0, raw.at - end))


def _opened(frame: int, blocks: Iterator[bytes]) -> Iterator[Piece]:
    """The blocks as pieces, the first long enough to see what begins there."""
    first = b""
    opens = True
    try:
        for block in blocks:
            if not opens:
                yield Piece(frame, block)
            elif len(first := first + block) >= FIRST:
                yield Piece(frame, first, opens)
                opens = False
    except FrameError:
        if opens and first:
            yield Piece(frame, first, opens)
        raise
    if opens:
        yield Piece(frame, first, opens)


def find_frame(
    raw: RawBytes,
    magic: re.Pattern[bytes],
    begins: _Begins,
    size: int,
    probes: int = _PROBES,
) -> None:
    """Goes to the next frame that begins with a record, or to the end of the file.

    So many bytes from each magic are looked at, but not of many more than `probes`.
    """
    while raw.fill(size) or raw.data:
        for found in magic.finditer(raw.data):
            sample = raw.data[found.start() : found.start() + size]
            if len(sample) < size and raw.fill(len(raw.data) + 1):
                # Not enough is at hand to see what begins there.
                raw.take(found.start())
                break
            raw.probes += 1
            if raw.probes <= probes + (raw.at >> 10) and begins(sample):
                raw.take(found.start())
                return
        else:
            raw.take(max(1, len(raw.data) - 3))


def _gzip_begins(sample: bytes) -> bool:
    inflate = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    begun = b""
    start = 0
    try:
        for end in _LOOKS:
            begun += inflate.decompress(sample[start:end], FIRST)
            if inflate.eof or len(begun) >= FIRST:
                break
            start = end
    except zlib.error:
        pass
    return BEGINS.match(begun) is not None


def _block_begins(decode: _Decode, sample: bytes) -> bool:
    try:
        return BEGINS.match(next(decode(RawBytes(io.BytesIO(sample), 0)), b"")) is not None
    except FrameError:
        return False
