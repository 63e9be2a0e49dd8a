"""Frames: the units in which an archive file is compressed.

A *frame* is a gzip member or a zstd frame. Archives are commonly compressed one record to a
frame, so that a record can be found again by the offset of its frame; an uncompressed file is
read as one frame. A *piece* is some decompressed bytes of one frame. Memory stays bounded
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

import zstandard

Codec = Literal["plain", "gzip", "zstd", "lz4"]

# Address, ip, date, type, what version 2 has in between, length. That the line ends with a length
# is seen first, and that its end is near before what stands in between is tried: a line made of
# many almost fields would take quadratic time.
ARC_LINE = (
    rb"([A-Za-z][A-Za-z0-9+.\-]{1,20}:(?=[^\r\n]{0,6000} -?\w{1,20}\r?\n)[^\s][^\r\n]{0,4096}?) "
    rb"(\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f]{0,4}:[0-9A-Fa-f:.]{1,40}+|-) (\d{8,18}|null|-) "
    rb"([^ \r\n]{1,256}+)(?=[^\r\n]{0,1050}+\r?\n)(?: [^\r\n]{0,1024})? (-?\w{1,20})\r?\n"
)
BEGINS = re.compile(rb"[\r\n]*(?:WARC/\d|" + ARC_LINE + rb")")

_RAW = 64 << 10
_OUT = 256 << 10
# Enough of a frame to see whether a record begins there.
_FIRST = 4 << 10
_GZIP = re.compile(rb"\x1f\x8b\x08")
# The second is a frame for the reader to skip: 0x184D2A50 to 0x184D2A5F, little-endian.
_ZSTD = re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18")
# The one that holds the dictionary of a .warc.zst file, by that format's specification.
_DICTIONARY = b"\x5d\x2a\x4d\x18"
_MAX_DICTIONARY = 64 << 20
_ZSTD_BLOCK = 128 << 10
# What `zstd --long=31` writes.
_ZSTD_WINDOW = 1 << 31
# Inflating what is no deflate data goes unnoticed for some hundred bytes, so the next frame may
# begin before the place where the damage shows.
_LOOK_BACK = 32 << 10
# Of a file made of damaged frames no more than this is looked at twice.
_PATIENCE = 64 << 20
# So much is needed to see what begins with a frame; of zstd, its whole first block.
_PROBE = {"gzip": _FIRST, "zstd": 160 << 10}
# Looking costs some 10 µs, so of a file made of bytes that look like frames not all are looked at:
# these, and one more for each KiB.
_PROBES = 1 << 14
# An error loses what its call had inflated, so a member is looked at in steps; it is mostly the
# first that tells.
_LOOKS = (128, 512, 1 << 10, _FIRST)
_STEP = 256


@dataclass(frozen=True, slots=True)
class Piece:
    """Some bytes of the frame at offset `frame`, or the problem that ended it."""

    frame: int
    data: bytes
    opens: bool = False
    problem: str | None = None
    lost: int = 0


class _DamageError(Exception):
    """A frame that cannot be decompressed further, after all that can be has been given."""


class _Raw:
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
            more = self._file.read(max(_RAW, count - len(self.data)))
            if not more:
                return False
            self.data += more
        return True

    def take(self, count: int) -> bytes:
        taken, self.data = self.data[:count], self.data[count:]
        self.at += len(taken)
        return taken


_Decode = Callable[[_Raw], Iterator[bytes]]
# Whether a frame that begins with a record begins with these bytes.
_Begins = Callable[[bytes], bool]


def codec_of(file: BinaryIO) -> Codec:
    """How the file is compressed, by its first bytes."""
    file.seek(0)
    head = file.read(_RAW)
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    if head.startswith(b"\x04\x22\x4d\x18"):
        return "lz4"
    if _ZSTD.match(head):
        return "zstd"
    # Its first bytes may be damaged.
    if b"WARC/" not in head and _GZIP.search(head):
        return "gzip"
    return "plain"


def pieces(file: BinaryIO, start: int, codec: Codec) -> Iterator[Piece]:
    """The frames from offset `start` on, in pieces; the first piece of a frame `opens` it."""
    return pieces_from(file, codec)(start)


def pieces_from(file: BinaryIO, codec: Codec) -> Callable[[int], Iterator[Piece]]:
    """What gives the `pieces` from an offset on; whoever goes to many loads a dictionary once."""
    match codec:
        case "gzip":
            return lambda start: _frames(_Raw(file, start), codec, _GZIP, _member, _gzip_begins)
        case "zstd":
            decode = partial(_zstd_frame, _decompressor(file))
            begins = partial(_zstd_begins, decode)
            return lambda start: _frames(_Raw(file, start), codec, _ZSTD, decode, begins)
        case "lz4":
            return lambda _: _lz4(file)
        case "plain":
            return partial(_plain, file)


def _plain(file: BinaryIO, start: int) -> Iterator[Piece]:
    file.seek(start)
    opens = True
    while data := file.read(_OUT):
        yield Piece(start, data, opens)
        opens = False


def _lz4(file: BinaryIO) -> Iterator[Piece]:
    # Imported where it is needed: fastwarc warns of its own names when it is imported.
    from fastwarc.stream_io import Lz4Reader

    file.seek(0)
    reader = Lz4Reader(file)
    opens = True
    try:
        while data := reader.read(_OUT):
            yield Piece(0, data, opens)
            opens = False
    except OSError:
        yield Piece(0, b"", problem="corrupt lz4")
        return
    # Lz4Reader does not tell a file that breaks off; a whole one ends with four zero bytes, and
    # perhaps a checksum.
    file.seek(max(0, file.seek(0, io.SEEK_END) - 8))
    end = file.read()
    if not end.endswith(b"\0\0\0\0") and not end.startswith(b"\0\0\0\0"):
        yield Piece(0, b"", problem="truncated lz4")


def _frames(
    raw: _Raw, codec: Codec, magic: re.Pattern[bytes], decode: _Decode, begins: _Begins
) -> Iterator[Piece]:
    while raw.fill(4) or raw.data:
        frame = raw.at
        if magic.match(raw.data):
            try:
                yield from _opened(frame, decode(raw))
                continue
            except _DamageError as damage:
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
        _find_frame(raw, magic, begins, _PROBE[codec])
        yield Piece(frame, b"", problem=problem, lost=max(0, raw.at - end))


def _opened(frame: int, blocks: Iterator[bytes]) -> Iterator[Piece]:
    """The blocks as pieces, the first long enough to see what begins there."""
    first = b""
    opens = True
    try:
        for block in blocks:
            if not opens:
                yield Piece(frame, block)
            elif len(first := first + block) >= _FIRST:
                yield Piece(frame, first, opens)
                opens = False
    except _DamageError:
        if opens and first:
            yield Piece(frame, first, opens)
        raise
    if opens:
        yield Piece(frame, first, opens)


def _find_frame(raw: _Raw, magic: re.Pattern[bytes], begins: _Begins, size: int) -> None:
    """Goes to the next frame that begins with a record, or to the end of the file."""
    while raw.fill(size) or raw.data:
        for found in magic.finditer(raw.data):
            sample = raw.data[found.start() : found.start() + size]
            if len(sample) < size and raw.fill(len(raw.data) + 1):
                # Not enough is at hand to see what begins there.
                raw.take(found.start())
                break
            raw.probes += 1
            if raw.probes <= _PROBES + (raw.at >> 10) and begins(sample):
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
            begun += inflate.decompress(sample[start:end], _FIRST)
            if inflate.eof or len(begun) >= _FIRST:
                break
            start = end
    except zlib.error:
        pass
    return BEGINS.match(begun) is not None


def _zstd_begins(decode: _Decode, sample: bytes) -> bool:
    try:
        return BEGINS.match(next(decode(_Raw(io.BytesIO(sample), 0)), b"")) is not None
    except _DamageError:
        return False


def _member(raw: _Raw) -> Iterator[bytes]:
    start = raw.at
    given = 0
    inflate = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    while not inflate.eof:
        more = raw.fill(1)
        try:
            out = inflate.decompress(raw.data, _OUT if given else _FIRST)
        except zlib.error:
            out, end = _salvaged(raw, start, given)
            raw.seek(end)
            if out:
                yield out
            raise _DamageError("corrupt gzip") from None
        rest = inflate.unused_data if inflate.eof else inflate.unconsumed_tail
        raw.take(len(raw.data) - len(rest))
        given += len(out)
        if out:
            yield out
        elif not more and not inflate.eof:
            raise _DamageError("truncated gzip")


def _salvaged(raw: _Raw, start: int, given: int) -> tuple[bytes, int]:
    """What the gzip member at `start` holds after `given` bytes until it breaks, and where.

    An error loses what its call had inflated, so the last steps are small ones.
    """
    inflate = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    bad = raw.at
    raw.seek(start)
    total = 0
    kept = []
    step = _RAW
    while step and raw.fill(1):
        if raw.at >= bad and step == _RAW:
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


def _decompressor(file: BinaryIO) -> zstandard.ZstdDecompressor:
    """A decompressor with the dictionary from the head of the file, if there is one."""
    found = dictionary(file)
    if found is None:
        return zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
    return zstandard.ZstdDecompressor(dict_data=found, max_window_size=_ZSTD_WINDOW)


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


def _zstd_frame(decompressor: zstandard.ZstdDecompressor, raw: _Raw) -> Iterator[bytes]:
    # Block by block, so that a call gives at most one block, and a frame's end is known exactly.
    def feed(count: int) -> bytes:
        if not raw.fill(count):
            raise _DamageError("truncated zstd")
        try:
            return frame.decompress(raw.take(count))
        except zstandard.ZstdError:
            raise _DamageError("corrupt zstd") from None

    frame = decompressor.decompressobj()
    if _ZSTD.match(raw.data) and raw.data[1:4] == b"\x2a\x4d\x18":
        if not raw.fill(8):
            raise _DamageError("truncated zstd")
        raw.seek(raw.at + 7 + int.from_bytes(raw.data[4:8], "little"))
        if not raw.fill(1):
            raise _DamageError("truncated zstd")
        raw.take(1)
        return
    raw.fill(18)
    try:
        size = zstandard.frame_header_size(raw.data[:18])
        checksum = zstandard.get_frame_parameters(raw.data[:18]).has_checksum
    except zstandard.ZstdError:
        raise _DamageError("corrupt zstd") from None
    feed(size)
    last = False
    while not last:
        if not raw.fill(3):
            raise _DamageError("truncated zstd")
        block = int.from_bytes(raw.data[:3], "little")
        last, kind, size = bool(block & 1), block >> 1 & 3, block >> 3
        if kind == 3 or size > _ZSTD_BLOCK:
            raise _DamageError("corrupt zstd")
        yield feed(3 + (1 if kind == 1 else size))
    if checksum:
        feed(4)
