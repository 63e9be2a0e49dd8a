"""ARC files as WARC files: each record of the old format as one of the new, its block unchanged.

An HTTP response becomes a `response`, any other document a `resource`, the description of the file
its `warcinfo`. Bytes that are no record become a `resource` under an address of our own, so that
nothing is missing. Ids are made from address, date and place, and are the same each time.
"""

import re
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from webecho.formats.frames import ARC_LINE, Piece, pieces_from
from webecho.formats.members import packer
from webecho.formats.records import Layout
from webecho.formats.scan import Judging, Start, Tape, starts
from webecho.write.archive import fates
from webecho.write.verdicts import Run

_LINE = re.compile(rb"[\r\n]*" + ARC_LINE)
_LENGTH = re.compile(rb"\+?\d{1,18}\Z")
_HTTP = re.compile(rb"HTTP/\d")
_TYPE = re.compile(rb"[\w.+-]+/[\w.+-]+\Z")
_NAME = re.compile(r"\.arc(?=(?:\.\w+)?\Z)", re.IGNORECASE)
# Enough to see the line of a record, and the first bytes of its block.
_LOOK = 20 << 10
_UNKNOWN_DATE = b"1970-01-01T00:00:00Z"


def warc_name(path: Path) -> Path:
    """The path with `.warc` for `.arc`."""
    return path.with_name(_NAME.sub(".warc", path.name))


def write_arc(
    opened: Callable[[], BinaryIO],
    layout: Layout,
    judge: Judging,
    runs: Iterable[Run],
    out: BinaryIO,
) -> list[str]:
    """Writes the records that stay as WARC records; gives what could not be passed on."""
    with opened() as file, opened() as again:
        new = packer(layout.codec, file)
        data = _Data(pieces_from(file, layout.codec)(0))
        date = _UNKNOWN_DATE
        for start, stays, end in _spans(again, layout, judge, runs):
            data.skip(start.at - data.at)
            if not stays:
                continue
            head = data.peek(min(_LOOK, end - start.at))
            header, skipped, length = _header(head, start.place, end - start.at, date)
            if b"WARC-Type: warcinfo" in header:
                date = header.partition(b"WARC-Date: ")[2].partition(b"\r\n")[0]
            member = new()
            out.write(member.compress(header))
            data.skip(skipped)
            for block in data.take(length):
                out.write(member.compress(block))
            out.write(member.compress(b"\r\n\r\n") + member.flush())
        data.skip(None)
    return data.lost


def _spans(
    file: BinaryIO, layout: Layout, judge: Judging, runs: Iterable[Run]
) -> Iterator[tuple[Start, bool, int]]:
    """Where each record begins, whether it stays, and where it ends in the decompressed bytes."""
    tape = Tape(pieces_from(file, layout.codec)(0))
    held: tuple[Start, bool] | None = None
    for start, run in fates(starts(tape, judge, layout.numbering), runs):
        if held is not None:
            yield *held, start.at
        held = start, run.stays
    if held is not None:
        yield *held, tape.at


class _Data:
    """The decompressed bytes of a file from its front, and what of them is lost."""

    def __init__(self, pieces: Iterator[Piece]) -> None:
        self._pieces = pieces
        self._held = b""
        self.at = 0
        self.lost: list[str] = []

    def _fill(self, count: int) -> bool:
        while len(self._held) < count:
            piece = next(self._pieces, None)
            if piece is None:
                return False
            if piece.problem is not None:
                what = f"{piece.problem}, {piece.lost} bytes could not be passed on"
                self.lost.append(f"at {piece.frame}: {what}")
            self._held += piece.data
        return True

    def peek(self, count: int) -> bytes:
        self._fill(count)
        return self._held[:count]

    def take(self, count: int | None) -> Iterator[bytes]:
        """The next bytes, so many or all."""
        while (count is None or count > 0) and self._fill(1):
            block, self._held = self._held[:count], b"" if count is None else self._held[count:]
            count = None if count is None else count - len(block)
            self.at += len(block)
            yield block

    def skip(self, count: int | None) -> None:
        for _ in self.take(count):
            pass


def _header(head: bytes, place: int, size: int, otherwise: bytes) -> tuple[bytes, int, int]:
    """The WARC header for a record, how many bytes to leave out, and the length of its block."""
    line = _LINE.match(head)
    if line is None or not _LENGTH.match(line[5]):
        url = b"urn:webecho:unreadable:%d" % place
        kind, content, ip, date, skipped, length = (
            b"resource", b"application/octet-stream", b"-", otherwise, 0, size,
        )  # fmt: skip
        whole = size
    else:
        url, ip, written, content, said = line.groups()
        skipped, whole = line.end(), int(said)
        length = min(whole, size - skipped)
        date = _date(written) or otherwise
        kind = b"resource"
        if url.startswith(b"filedesc:"):
            kind = b"warcinfo"
        elif _HTTP.match(head, skipped) and length:
            kind, content = b"response", b"application/http; msgtype=response"
        elif not _TYPE.match(content):
            content = b"application/octet-stream"
    name = f"{url.decode('utf-8', 'replace')} {date.decode()} {place}"
    lines = [
        b"WARC/1.0",
        b"WARC-Type: " + kind,
        b"WARC-Record-ID: <urn:uuid:%b>" % str(uuid.uuid5(uuid.NAMESPACE_URL, name)).encode(),
        b"WARC-Date: " + date,
    ]
    if kind == b"warcinfo":
        lines.append(b"WARC-Filename: " + url.removeprefix(b"filedesc:").lstrip(b"/"))
    else:
        lines.append(b"WARC-Target-URI: " + url)
        if ip not in (b"-", b"0.0.0.0"):
            lines.append(b"WARC-IP-Address: " + ip)
    if length < whole:
        lines.append(b"WARC-Truncated: unspecified")
    lines += [b"Content-Type: " + content, b"Content-Length: %d" % length, b"", b""]
    return b"\r\n".join(lines), skipped, length


def _date(digits: bytes) -> bytes | None:
    """The date of an ARC line in the way of WARC, if it is one."""
    padded = (digits + b"0101000000"[max(len(digits) - 4, 0) :])[:14].decode()
    with suppress(ValueError):
        return datetime.strptime(padded, "%Y%m%d%H%M%S").strftime("%Y-%m-%dT%H:%M:%SZ").encode()
    return None
