import gzip
import zlib

import brotli
import pytest
import zstandard

from tests.read.archives import http as response
from webecho._core import Judge, Wanted
from webecho.formats import http

ALL = Judge((200,), ("*/*",), (), 1 << 40)
PAGE = b"<!doctype html><title>Frogs</title>" + bytes(range(32, 127)) * 50


def raw_deflate(data: bytes) -> bytes:
    deflate = zlib.compressobj(wbits=-15)
    return deflate.compress(data) + deflate.flush()


def decoded(block: bytes, limit: int = 1 << 20) -> bytes:
    wanted = ALL.judge({b"warc-type": b"response"}, block, len(block))
    assert isinstance(wanted, Wanted)
    return http.decode(block, wanted, limit)


def chunked(*chunks: bytes) -> bytes:
    return b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", gzip.compress(PAGE)),
        ("x-gzip", gzip.compress(PAGE[:500]) + gzip.compress(PAGE[500:])),
        ("GZIP", gzip.compress(PAGE) + b"trailing bytes"),
        ("deflate", zlib.compress(PAGE)),
        ("deflate", raw_deflate(PAGE)),
        ("deflate", gzip.compress(PAGE)),
        ("br", brotli.compress(PAGE)),
        ("zstd", zstandard.compress(PAGE)),
        ("zstd", zstandard.compress(PAGE[:500]) + zstandard.compress(PAGE[500:])),
        ("gzip, br", brotli.compress(gzip.compress(PAGE))),
        ("deflate,gzip,zstd", zstandard.compress(gzip.compress(zlib.compress(PAGE)))),
        ("identity", PAGE),
        ("utf-8", PAGE),
    ],
)
def test_content_encodings(coding: str, body: bytes) -> None:
    assert decoded(response(body, content_encoding=coding)) == PAGE


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "gzip, br"])
@pytest.mark.parametrize("body", [PAGE, b"just a few words", b"", "ünïcode ✓".encode()])
def test_bodies_that_are_not_encoded_although_declared(coding: str, body: bytes) -> None:
    assert decoded(response(body, content_encoding=coding)) == body


@pytest.mark.parametrize(
    ("coding", "encoded"),
    [
        ("gzip", gzip.compress(b"")),
        ("deflate", zlib.compress(b"")),
        ("deflate", raw_deflate(b"")),
        ("br", brotli.compress(b"")),
    ],
)
def test_encoded_nothing_is_nothing(coding: str, encoded: bytes) -> None:
    assert decoded(response(encoded, content_encoding=coding)) == b""


@pytest.mark.parametrize(
    ("coding", "encoded"),
    [
        ("gzip", gzip.compress(PAGE)),
        ("deflate", zlib.compress(PAGE)),
        ("br", brotli.compress(PAGE)),
    ],
)
def test_truncated_bodies_give_what_can_be_decoded(coding: str, encoded: bytes) -> None:
    found = decoded(response(encoded[:-9], content_encoding=coding))
    assert PAGE.startswith(found)
    assert len(found) > 100


def test_a_body_that_turns_bad_gives_what_came_before() -> None:
    size = len(PAGE).to_bytes(2, "little")
    stored = b"\0" + size + bytes(255 - byte for byte in size) + PAGE
    broken = b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + stored + b"\xff" * 100
    assert decoded(response(broken, content_encoding="gzip")) == PAGE


def test_chunks() -> None:
    body = b"5;ext=1\r\nhello\r\n  7 \r\n, world\r\n0\r\nTrailer: x\r\n\r\n"
    assert decoded(response(body, transfer_encoding="chunked")) == b"hello, world"


def test_chunked_and_compressed() -> None:
    encoded = gzip.compress(PAGE)
    body = chunked(encoded[:10], encoded[10:11], encoded[11:])
    block = response(body, transfer_encoding="chunked", content_encoding="gzip")
    assert decoded(block) == PAGE


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"<p>not chunked</p>", b"<p>not chunked</p>"),
        (b"beef\r\nis not a length here", b"is not a length here"),
        (b"3\nis not a length here", b"3\nis not a length here"),
        (b"5\r\nhello\r\n7\r\n, wo", b"hello, wo"),
        (b"5\nhello\n1\n!\n0\n\n", b"hello!"),
        (b"5\r\nhello\r\nnonsense", b"hello"),
        (b"0\r\n\r\n", b""),
        (b"", b""),
    ],
)
def test_odd_chunks(body: bytes, expected: bytes) -> None:
    assert decoded(response(body, transfer_encoding="chunked")) == expected


@pytest.mark.parametrize(
    "encode", [gzip.compress, zlib.compress, brotli.compress, zstandard.compress]
)
def test_bombs_stop_at_the_limit(encode) -> None:
    names = {gzip.compress: "gzip", zlib.compress: "deflate", brotli.compress: "br"}
    block = response(encode(b"\0" * 5_000_000), content_encoding=names.get(encode, "zstd"))
    assert len(decoded(block, limit=5_000_000)) == 5_000_000
    with pytest.raises(http.TooLongError):
        decoded(block, limit=4_999_999)


def test_a_bomb_within_a_bomb_stops_at_the_limit() -> None:
    block = response(
        gzip.compress(gzip.compress(b"\0" * 50_000_000)), content_encoding="gzip, gzip"
    )
    with pytest.raises(http.TooLongError):
        decoded(block, limit=1_000_000)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b" \n<!DOCTYPE HTML>", "text/html"),
        (b"\xef\xbb\xbf<html>", "text/html"),
        (b"<p>", "text/html"),
        (b"<!-- x", "text/html"),
        (b"<pre>", "text/plain"),
        (b"<?xml version='1.0'?><!DOCTYPE html><html>", "application/xhtml+xml"),
        (b"<?xml version='1.0'?><rss>", "text/xml"),
        (b"%PDF-1.7 ...", "application/pdf"),
        (b"some words", "text/plain"),
        ("søme wörds".encode("latin-1"), "text/plain"),
        (b"\xff\xfeh\0i\0", "text/plain"),
        (b"\x89PNG\r\n\x1a\n\0\0", "application/octet-stream"),
        (b"", "text/plain"),
    ],
)
def test_sniffing(body: bytes, expected: str) -> None:
    assert http.sniff(body) == expected
