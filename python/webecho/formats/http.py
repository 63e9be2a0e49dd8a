"""The bodies of HTTP responses as they stand in archive records, decoded.

Decoding is as forgiving as browsers are: a body that is not chunked or compressed although its
header says so is taken as it is, and a body that breaks off or turns bad gives what could be
decoded before. The type of a body without a Content-Type is found as in the WHATWG's "MIME
Sniffing" (section 7.1), as far as it tells HTML, XML and text from the rest.
"""

import re
import zlib
from collections.abc import Callable, Generator

import brotli
import zstandard

from webecho import _core
from webecho.formats.decoding import WINDOW

_CHUNK = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]*)?\r?\n")

# Small enough that an error in the data loses little of what came before.
_BLOCK = 256 << 10
_STEP = 512
_PIECE = 16 << 10
# RFC 9659 asks for no more than 8 MiB; some servers are older than that.
_ZSTD_WINDOW = 128 << 20

_SNIFFED = 1445
_HTML = re.compile(
    rb"[\t\n\f\r ]*(?:<!--|<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style"
    rb"|title|b|body|br|p)[ >\t\r\n])",
    re.IGNORECASE,
)
_XML = re.compile(rb"[\t\n\f\r ]*<\?xml")
_XHTML = re.compile(rb"<!doctype html|<html", re.IGNORECASE)
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_BOMS = (b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf")


class TooLongError(Exception):
    """A body that decodes to more bytes than the limit."""


def sniff(body: bytes) -> str:
    """The media type that the first bytes look like."""
    head = body[:_SNIFFED]
    bom = next((bom for bom in _BOMS if head.startswith(bom)), b"")
    if _HTML.match(head, len(bom) if bom == b"\xef\xbb\xbf" else 0):
        return "text/html"
    if _XML.match(head):
        return "application/xhtml+xml" if _XHTML.search(head) else "text/xml"
    if head.startswith(b"%PDF-"):
        return "application/pdf"
    if head.startswith(b"%!PS-Adobe-"):
        return "application/postscript"
    return "text/plain" if bom or not _BINARY.search(head) else "application/octet-stream"


def decode(block: bytes, wanted: _core.Wanted, limit: int, window: int = _ZSTD_WINDOW) -> bytes:
    """The body without its transfer and content encodings, `TooLongError` beyond the limit, or
    where it asks for a longer window."""
    body = block[wanted.start :]
    if wanted.chunked:
        body = unchunked(body)
    for coding in reversed(wanted.codings):
        if decoder := _DECODERS.get(coding):
            body = _limited(decoder(body, min(window, _ZSTD_WINDOW)), body, limit)
    if len(body) > limit:
        raise TooLongError
    return body


def _limited(blocks: "_Blocks", body: bytes, limit: int) -> bytes:
    kept: list[bytes] = []
    total = 0
    try:
        while True:
            block = next(blocks)
            total += len(block)
            if total > limit:
                raise TooLongError
            # Of ten million empty members none is held.
            if block:
                kept.append(block)
    except StopIteration as stop:
        complete = stop.value
    # Text "decompresses" to some garbage before it breaks; compressed bytes do not look like text.
    if complete or (kept and sniff(body) == "application/octet-stream"):
        return b"".join(kept)
    return body


def unchunked(body: bytes) -> bytes:
    """The body that was sent in chunks; one that was not, as it is."""
    # All in one: chunks may be of one byte, and a list would take forty times as much.
    whole = bytearray()
    begun = False
    at = 0
    while size := _CHUNK.match(body, at):
        length = int(size[1], 16)
        chunk = body[size.end() : size.end() + length]
        at = size.end() + length
        if not begun and length and at < len(body) and body[at] not in b"\r\n":
            # It began like a chunk by chance.
            return body
        begun = True
        whole += chunk
        if not length:
            break
        at += 2 if body.startswith(b"\r\n", at) else 1
    return bytes(whole) if begun else body


# Blocks of decoded bytes, and at the end whether the encoded data were complete and right.
_Blocks = Generator[bytes, None, bool]


def _gunzipped(body: bytes, _: int) -> _Blocks:
    complete = False
    at = 0
    while body.startswith(b"\x1f\x8b", at):
        complete, at = yield from _inflated(body, zlib.MAX_WBITS | 16, at)
    return complete


def _undeflated(body: bytes, window: int) -> _Blocks:
    if body.startswith(b"\x1f\x8b"):
        return (yield from _gunzipped(body, window))
    wrapped = len(body) >= 2 and body[0] & 15 == 8 and (body[0] << 8 | body[1]) % 31 == 0
    complete, _ = yield from _inflated(body, zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS)
    return complete


def _inflated(body: bytes, wbits: int, start: int = 0) -> Generator[bytes, None, tuple[bool, int]]:
    """Blocks of what zlib inflates from `start`; at the end whether all went well, and where."""
    inflate = zlib.decompressobj(wbits)
    at = start
    given = 0
    try:
        while not inflate.eof:
            # A small piece at a time: zlib copies what it leaves over of each.
            piece = body[at : at + _PIECE]
            out = inflate.decompress(piece, _BLOCK)
            at += len(piece) - len(inflate.unused_data or inflate.unconsumed_tail)
            if not (out or inflate.eof or piece):
                return False, len(body)
            yield out
            given += len(out)
    except zlib.error:
        yield _salvaged(body[start:], wbits, given)
        return False, len(body)
    return True, at


def _salvaged(body: bytes, wbits: int, given: int) -> bytes:
    """What can be inflated after the bytes already given: an error loses what its call had."""
    inflate = zlib.decompressobj(wbits)
    kept: list[bytes] = []
    total = 0
    at, step = 0, _STEP
    while step and at < len(body):
        before = inflate.copy()
        try:
            out = inflate.decompress(body[at : at + step])
        except zlib.error:
            inflate, step = before, 1 if step > 1 else 0
            continue
        at += step
        if total + len(out) > given:
            kept.append(out[max(0, given - total) :])
        total += len(out)
    return b"".join(kept)


def _unbrotlied(body: bytes, _: int) -> _Blocks:
    stream = brotli.Decompressor()
    rest = body
    try:
        while not stream.is_finished():
            out = stream.process(rest, output_buffer_limit=_BLOCK)
            rest = b""
            if not out and stream.can_accept_more_data():
                break
            yield out
    except brotli.error:
        return False
    return bool(stream.is_finished())


def _unzstded(body: bytes, window: int) -> _Blocks:
    if not body.startswith(b"\x28\xb5\x2f\xfd"):
        return False
    decompressor = zstandard.ZstdDecompressor(max_window_size=window)
    stream = decompressor.stream_reader(body, read_across_frames=True)
    try:
        while out := stream.read(_BLOCK):
            yield out
    except zstandard.ZstdError as error:
        if WINDOW in str(error) and window < _ZSTD_WINDOW:
            raise TooLongError from error
        return False
    return True


# Whatever else servers declare, browsers take such a body as it is.
_DECODERS: dict[str, Callable[[bytes, int], _Blocks]] = {
    "gzip": _gunzipped,
    "x-gzip": _gunzipped,
    "deflate": _undeflated,
    "br": _unbrotlied,
    "zstd": _unzstded,
}
