"""*Mutation*: a file of which something is changed, by chance from a seed: bytes, lines, values, or
the same below what it is packed with."""

import gzip
import io
import random
import re
import zipfile
from collections.abc import Callable

import zstandard

from tests.odd_json import changed, changed_bytes, odd

Change = Callable[[bytes, random.Random], bytes]

# What formats are made of, to stand where nobody expects it.
PIECES = (
    *(
        b"\n",
        b"\r\n",
        b"\r",
        b"\n\n",
        b"\0",
        b'"',
        b'""',
        b"'",
        b",",
        b"\t",
        b"{",
        b"}",
        b"[",
        b"]",
    ),
    *(
        b":",
        b"\\",
        b"\\u0000",
        b"\\ud800",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"\xfe\xff",
        b"\x1f\x8b\x08",
    ),
    *(b"\x28\xb5\x2f\xfd", b"\x50\x2a\x4d\x18\xff\xff\xff\xff", b"PK\x03\x04", b"PK\x05\x06"),
    *(b"PAR1", b"ARROW1\0\0", b"\xff\xff\xff\xff", b"WARC/1.0\r\n", b"WARC/1.1\n", b"\r\n\r\n"),
    *(
        b"Content-Length: 99999999999999999999\r\n",
        b"Content-Length: -1\r\n",
        b"Content-Length: 0\r\n",
    ),
    *(b"HTTP/1.1 200 OK\r\n\r\n", b"Transfer-Encoding: chunked\r\n", b"Content-Encoding: gzip\r\n"),
    *(b"Content-Encoding: br, deflate, gzip, zstd\r\n", b"WARC-Type: revisit\r\n", b"ffffffff\r\n"),
    *(b"<script>", b"<!--", b"<![CDATA[", b"&#xffffffff;", b"<meta charset=utf-16>", b"\x1b$B"),
    *(
        b"http://",
        b"//[::",
        b"%zz",
        b"NaN",
        b"1e999",
        b"-0",
        b"null",
        b"9999-99-99",
        b"\xed\xa0\x80",
    ),
)
NUMBER = re.compile(rb"\d+")
NUMBERS = (
    *(b"0", b"-1", b"1", b"255", b"256", b"65535", b"65536", b"2147483647", b"2147483648"),
    *(b"4294967295", b"4294967296", b"9223372036854775807", b"9223372036854775808", b"9" * 30),
    *(b"18446744073709551616", b"1e400", b"0x10", b"9" * 5000, b"+5", b"1_0", b"\xd9\xa3"),
)


def insert(data: bytes, by: random.Random) -> bytes:
    at = by.randrange(len(data) + 1)
    return data[:at] + by.choice(PIECES) * by.choice((1, 1, 1, 2, 50)) + data[at:]


def replace_number(data: bytes, by: random.Random) -> bytes:
    found = [each.span() for each in NUMBER.finditer(data)]
    if not found:
        return insert(data, by)
    start, end = by.choice(found)
    return data[:start] + by.choice(NUMBERS) + data[end:]


def move_lines(data: bytes, by: random.Random) -> bytes:
    """Lines that are gone, there twice, elsewhere, or joined."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return by.choice(PIECES)
    at = by.randrange(len(lines))
    match by.randrange(5):
        case 0:
            del lines[at]
        case 1:
            lines.insert(by.randrange(len(lines) + 1), lines[at])
        case 2:
            lines[at] = lines[at].rstrip(b"\r\n")
        case 3:
            lines.insert(at, b"\n" * by.choice((1, 3, 1000)))
        case _:
            by.shuffle(lines)
    return b"".join(lines)


def cut(data: bytes, by: random.Random) -> bytes:
    return data[: by.randrange(len(data) + 1)]


def change_value(data: bytes, by: random.Random) -> bytes:
    """Of a line of JSON."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return odd(by).encode("utf-8", "surrogatepass")
    at = by.randrange(len(lines))
    text = changed(lines[at].decode("utf-8", "surrogateescape").rstrip("\n"), by)
    lines[at] = text.encode("utf-8", "surrogatepass" if text.isascii() else "replace") + b"\n"
    return b"".join(lines)


def swap_ends(data: bytes, by: random.Random) -> bytes:
    """One part of it in the place of another."""
    one, two = sorted((by.randrange(len(data) + 1), by.randrange(len(data) + 1)))
    return data[one:two] + data[:one] + data[two:]


BINARY: tuple[Change, ...] = (changed_bytes, changed_bytes, changed_bytes, cut, insert, swap_ends)
TEXT: tuple[Change, ...] = (
    *(changed_bytes, insert, insert, replace_number, replace_number, move_lines, cut, swap_ends),
)
JSON: tuple[Change, ...] = (*TEXT, change_value, change_value, change_value, change_value)


def any_of(changes: tuple[Change, ...]) -> Change:
    """One or some of these, one after the other."""

    def change(data: bytes, by: random.Random) -> bytes:
        for _ in range(by.choice((1, 1, 1, 2, 4))):
            data = by.choice(changes)(data, by)
        return data

    return change


def in_gzip(inner: Change) -> Change:
    """What is packed, or how."""

    def change(data: bytes, by: random.Random) -> bytes:
        if by.random() < 0.4:
            return any_of(BINARY)(data, by)
        text = inner(gzip.decompress(data), by)
        # Some readers take members apart.
        at = by.randrange(len(text) + 1)
        parts = (text[:at], text[at:]) if by.random() < 0.5 else (text,)
        return b"".join(gzip.compress(part, 1, mtime=0) for part in parts)

    return change


def in_zstd(inner: Change) -> Change:
    def change(data: bytes, by: random.Random) -> bytes:
        if by.random() < 0.4:
            return any_of(BINARY)(data, by)
        unpacked = zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True).read()
        text = inner(unpacked, by)
        at = by.randrange(len(text) + 1)
        parts = (text[:at], text[at:]) if by.random() < 0.5 else (text,)
        return b"".join(zstandard.ZstdCompressor(1).compress(part) for part in parts)

    return change


def by_members(members: Callable[[bytes], list[bytes]], inner: Change) -> Change:
    """A record of a packed archive, which keeps the others as they are."""

    def change(data: bytes, by: random.Random) -> bytes:
        if by.random() < 0.3:
            return any_of(BINARY)(data, by)
        found = members(data)
        at = by.randrange(len(found))
        found[at] = gzip.compress(inner(gzip.decompress(found[at]), by), 1, mtime=0)
        if by.random() < 0.2:
            by.shuffle(found)
        return b"".join(found)

    return change


def parquet(data: bytes, by: random.Random) -> bytes:
    """All of a Parquet file, its footer, or its pages alone."""
    kind = by.random()
    if kind < 0.3:
        return any_of(BINARY)(data, by)
    length = int.from_bytes(data[-8:-4], "little")
    start = len(data) - 8 - length
    pages = bytearray(data[4:start])
    if not pages:
        return cut(data, by)
    if kind < 0.6:
        footer = any_of(BINARY)(data[start:-8], by)
        return data[:start] + footer + len(footer).to_bytes(4, "little") + data[-4:]
    for _ in range(by.choice((1, 1, 2, 8, 64))):
        at = by.randrange(len(pages))
        count = by.choice((1, 1, 2, 4, 16))
        odd_bytes = (by.randbytes(count), b"\xff" * count, b"\0" * count)
        # As long as it was: footers say where pages are.
        pages[at : at + count] = by.choice(odd_bytes)[: len(pages) - at]
    return data[:4] + bytes(pages) + data[start:]


def in_zip(inner: Change) -> Change:
    """A member of a zip file, or all of it."""

    def change(data: bytes, by: random.Random) -> bytes:
        if by.random() < 0.3:
            return any_of(BINARY)(data, by)
        made = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(data)) as packed, zipfile.ZipFile(made, "w") as new:
            chosen = by.choice(packed.namelist())
            for info in packed.infolist():
                content = packed.read(info)
                if info.filename == chosen:
                    pack = in_gzip(inner) if content.startswith(b"\x1f\x8b") else inner
                    content = pack(content, by)
                new.writestr(info.filename, content)
        return made.getvalue()

    return change
