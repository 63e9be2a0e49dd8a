"""The captures of an archive file as lines of a CDXJ index, which pywb and others look pages up in.

A line has the sort key of the address, the time, and a JSON object that says where the record
stands. Only where each record can be gone to by itself has an index a meaning.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from webecho.formats.frames import pieces
from webecho.formats.headers import Fields
from webecho.formats.records import RecordLayout
from webecho.formats.scan import starts
from webecho.formats.surt import surt
from webecho.formats.tape import Tape

_INDEXED = (b"response", b"resource", b"revisit")
_STATUS = re.compile(rb"HTTP/\d[^ ]* +(\d{3})")
_TYPE = re.compile(rb"\r?\ncontent-type[ \t]*:[ \t]*([^;\s]+)", re.IGNORECASE)
_HTTP_END = re.compile(rb"\r?\n\r?\n")


class _Seen:
    """Judges nothing, but keeps the header and the beginning of the block."""

    def __init__(self) -> None:
        self.fields: Fields = {}
        self.head = b""

    def judge(
        self, fields: Fields, head: bytes, _length: int
    ) -> tuple[str, str | None, str | None, str | None, bool]:
        self.fields, self.head = fields, head
        return "unwanted", None, None, None, False


@dataclass(frozen=True)
class Indexed:
    """What an index says of one record."""

    fields: Fields
    head: bytes
    offset: int
    length: int


def capture_lines(file: BinaryIO, layout: RecordLayout, name: str) -> Iterator[bytes]:
    """A line for each capture of the file, which the index knows by this name, in its order."""
    for each in _records(file, layout):
        line = _line(each, name)
        if line is not None:
            yield line


def _records(file: BinaryIO, layout: RecordLayout) -> Iterator[Indexed]:
    seen = _Seen()
    size = file.seek(0, 2)
    held: tuple[Fields, bytes, int] | None = None
    tape = Tape(pieces(file, 0, layout.codec, layout.window))
    for start in starts(tape, seen, layout.numbering):
        if held is not None:
            yield Indexed(*held, start.place - held[2])
        held = (seen.fields, seen.head, start.place) if start.sound and start.clean else None
        seen.fields, seen.head = {}, b""
    if held is not None:
        yield Indexed(*held, size - held[2])


def _line(record: Indexed, name: str) -> bytes | None:
    fields = record.fields
    kind = fields.get(b"warc-type", b"").lower()
    url = fields.get(b"warc-target-uri", b"").strip(b"<>").decode("utf-8", "replace")
    time = re.sub(rb"\D", b"", fields.get(b"warc-date", b""))[:14].decode()
    if kind not in _INDEXED or not url or len(time) < 14 or url.startswith("urn:webecho:"):
        return None
    status = _STATUS.match(record.head)
    end = _HTTP_END.search(record.head)
    typed = _TYPE.search(record.head, 0, end.start() if end else 0) if status else None
    # Of what is no HTTP response the record itself tells the type.
    mime = (typed[1] if typed else None) if status else fields.get(b"content-type")
    mime = b"warc/revisit" if kind == b"revisit" else mime
    said = {
        "url": url,
        "mime": None if mime is None else mime.decode("utf-8", "replace"),
        "status": status[1].decode() if status else None,
        "digest": fields.get(b"warc-payload-digest", b"").decode("utf-8", "replace") or None,
        "length": str(record.length),
        "offset": str(record.offset),
        "filename": name,
    }
    told = {field: value for field, value in said.items() if value is not None}
    return f"{surt(url)} {time} {json.dumps(told)}\n".encode()
