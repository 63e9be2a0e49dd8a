"""*Packing* of a text file or page: gzip, zstd or LZ4, known by the first bytes, or none.

What is read comes decompressed, in blocks, with memory bounded whatever the bytes expand to.
"""

import re
import zlib
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import BinaryIO, Literal

import lz4.frame
import zstandard

from webecho.formats.decoding import LZ4_MAGIC, WINDOW, ZSTD_WINDOW

_READ = 1 << 20
# Steps to a block.
_GATHERED = 16
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
# A zstd frame for the reader to skip: 0x184D2A50 to 0x184D2A5F, little-endian.
_ZSTD_SKIPPED = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18", re.DOTALL)
# Zeros, or nothing.
_PADDING = re.compile(rb"\0*")
_GZIP_STEP = 1 << 10
_MAGIC = 4  # bytes that tell the packing
# A zstd block takes at least 4 bytes and gives at most 128 KiB, so a slice of 2 KiB cannot give
# more than 64 MiB, whatever is in it.
_ZSTD_SLICE = 2 << 10
# The longest window of tables beside pages: what zstd reads unless it is told otherwise.
SHORT_WINDOW = 128 << 20
# So much goes into one gzip member or zstd frame: readers may take them in parallel.
_MEMBER = 16 << 20

# LZ4 expands at most 255 times, so this gives some 4 MiB, and a block that was begun 4 more.
_LZ4_SLICE = 16 << 10

Packing = Literal["gzip", "zstd", "lz4"]
# How hard is compressed where nobody says.
_LEVELS: Mapping[Packing, int] = {"gzip": 6, "zstd": 3, "lz4": 0}


class DamagedError(Exception):
    """Compressed data that end early or make no sense; what came before them has been given."""


def packing_of(head: bytes) -> Packing | None:
    """How a file that starts with these bytes is compressed."""
    if head.startswith(_GZIP):
        return "gzip"
    if head.startswith(LZ4_MAGIC):
        return "lz4"
    if head.startswith(_ZSTD) or _ZSTD_SKIPPED.match(head):
        return "zstd"
    return None


def unpacked(file: BinaryIO, window: int = ZSTD_WINDOW, step: int = _READ) -> Iterator[bytes]:
    """The bytes of the open file in blocks, decompressed if they are gzip, zstd or LZ4.

    Many gzip members or frames one after the other are one run of bytes. Memory stays
    bounded whatever the bytes expand to. A zstd frame that asks for a longer window is refused.
    Raises `DamagedError` after the last good block. A smaller `step` gives smaller blocks, and
    reads no more than that of a compressed file ahead of what it gives.
    """
    first = file.read(step)
    # A pipe gives what is there, which may be less than tells the packing.
    while 0 < len(first) < _MAGIC and (more := file.read(step)):
        first += more
    packing = packing_of(first)
    block = min(_READ, _GATHERED * step)
    raw = _and_then(first, file, step if packing else block)
    match packing:
        case "gzip":
            return _gathered(_gunzip(raw), block)
        case "zstd":
            return _gathered(_unzstd(raw, window), block)
        case "lz4":
            return _gathered(_unlz4(raw), block)
        case None:
            return raw


def _and_then(first: bytes, file: BinaryIO, step: int) -> Iterator[bytes]:
    block = first
    while block:
        yield block
        try:
            block = file.read(step)
        except OSError as error:
            raise DamagedError(f"cannot be read further ({error})") from error


def _gunzip(raw: Iterator[bytes]) -> Iterator[bytes]:
    member = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    begun = False
    step = _GZIP_STEP
    for block in raw:
        at = 0
        while at < len(block):
            if member.eof:
                # Tape blocks and some servers pad a file with zeros after the last member.
                padding = _PADDING.match(block, at)
                at = padding.end() if padding else at
                if at == len(block):
                    break
                member, begun = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16), False
                step = _GZIP_STEP
            begun = True
            # What is left of a slice is copied: with tiny members it must not be the whole block.
            some = block[at : at + step]
            try:
                out = member.decompress(some, _READ)
            except zlib.error as error:
                raise DamagedError(f"broken gzip data ({error})") from error
            at += len(some) - len(member.unused_data if member.eof else member.unconsumed_tail)
            step = min(2 * step, _READ)
            if out:
                yield out
    while begun and not member.eof:
        # A full output block may have left some more inside the decompressor.
        out = member.decompress(b"", _READ)
        if not out:
            raise DamagedError("gzip data end early")
        yield out


def _gathered(small: Iterator[bytes], size: int) -> Iterator[bytes]:
    held: list[bytes] = []
    count = 0
    try:
        for block in small:
            held.append(block)
            count += len(block)
            if count >= size:
                yield b"".join(held)
                held, count = [], 0
    except DamagedError:
        yield b"".join(held)
        raise
    if held:
        yield b"".join(held)


def _unzstd(raw: Iterator[bytes], window: int) -> Iterator[bytes]:
    context = zstandard.ZstdDecompressor(max_window_size=window)
    frame = context.decompressobj()
    for block in raw:
        for start in range(0, len(block), _ZSTD_SLICE):
            rest = block[start : start + _ZSTD_SLICE]
            while rest:
                if frame.eof:
                    frame = context.decompressobj()
                try:
                    out = frame.decompress(rest)
                except zstandard.ZstdError as error:
                    if WINDOW in str(error):
                        raise DamagedError(
                            f"zstd data that need a window of more than {window >> 20} MiB; allow "
                            "more memory, or compress it with a shorter one"
                        ) from error
                    raise DamagedError(f"broken zstd data ({error})") from error
                rest = frame.unused_data if frame.eof else b""
                if out:
                    yield out
    if not frame.eof:
        raise DamagedError("zstd data end early")


def _unlz4(raw: Iterator[bytes]) -> Iterator[bytes]:
    frame = lz4.frame.LZ4FrameDecompressor()
    for block in raw:
        for start in range(0, len(block), _LZ4_SLICE):
            rest = block[start : start + _LZ4_SLICE]
            while rest:
                if frame.eof:
                    frame = lz4.frame.LZ4FrameDecompressor()
                try:
                    out = frame.decompress(rest)
                except RuntimeError as error:
                    raise DamagedError(f"broken lz4 data ({error})") from error
                rest = frame.unused_data or b"" if frame.eof else b""
                if out:
                    yield out
    if not frame.eof:
        raise DamagedError("lz4 data end early")


def packed(blocks: Iterator[bytes], packing: Packing, level: int | None = None) -> Iterator[bytes]:
    """The bytes compressed, in members that depend on them and the level alone; each packing has
    its usual one."""
    held: list[bytes] = []
    count = 0
    for block in chain(blocks, (None,)):
        if block is not None:
            held.append(block)
            count += len(block)
        if block is None or count >= _MEMBER:
            # A file of nothing at all is an empty member.
            yield _member(b"".join(held), packing, _LEVELS[packing] if level is None else level)
            held, count = [], 0


def _member(data: bytes, packing: Packing, level: int) -> bytes:
    if packing == "zstd":
        return zstandard.ZstdCompressor(level, write_checksum=True).compress(data)
    if packing == "lz4":
        return bytes(
            lz4.frame.compress(
                data, compression_level=level, content_checksum=True, return_bytearray=False
            )
        )
    pack = zlib.compressobj(level, wbits=zlib.MAX_WBITS | 16)
    return pack.compress(data) + pack.flush()
