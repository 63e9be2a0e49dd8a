"""Records of WARC and ARC files, and their places.

A *record* is a header and a *block* of as many bytes as the header says. Two readers share the
work. The swift one, in Rust, reads what is in order, and ends where it is not. From there the
careful reader (scan.py) goes on to the end of the file.

The *place* of a record is
- in a file that is not compressed, its offset;
- where the first frame holds one record, as a `.warc.gz` should be, the offset of its frame
  (should a later frame hold several, the others are counted on from that number);
- where the first frame holds several, as in a file compressed as a whole, the offset in the
  decompressed bytes. There one cannot go to a place, only read up to it.
"""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import BinaryIO

from webecho._core import Judge, SwiftReader
from webecho.formats.arc import warc_header
from webecho.formats.decoding import ZSTD_WINDOW
from webecho.formats.frames import BEGINS, Codec, codec_of, pieces
from webecho.formats.headers import Fields
from webecho.formats.scan import Numbering, Start, WantedRecord, scan, starts
from webecho.formats.skipped import Skipped
from webecho.formats.tape import Tape
from webecho.formats.unreadable import UNKNOWN_DATE

_NO_PAGES = Judge((), (), (), 0)
_HEADER = 64 << 10
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,18})[ \t]*\r\n", re.IGNORECASE)
_Skip = tuple[str, str | None, str | None, str | None, bool]


@dataclass(frozen=True)
class RecordLayout:
    """How a file holds its records."""

    codec: Codec
    numbering: Numbering
    arc: bool
    # The longest window that its frames may need.
    window: int = ZSTD_WINDOW


def swift_reader(
    file: BinaryIO, judge: Judge, after: int = -1, window: int = ZSTD_WINDOW
) -> SwiftReader | None:
    """The swift reader for the records whose places are greater than `after`, if it may do."""
    layout = layout_of(file, window)
    if layout.codec not in ("gzip", "plain") or layout.numbering == "stream" or layout.arc:
        return None
    start = after if _at(file, layout, after) else 0
    file.seek(start)
    return SwiftReader(file, start, layout.codec == "gzip", judge, after)


def records(
    file: BinaryIO, judge: Judge, after: int = -1, window: int = ZSTD_WINDOW
) -> Iterator[WantedRecord | Skipped]:
    """The records whose places are greater than `after`, by the careful reader."""
    layout = layout_of(file, window)
    tape = _at(file, layout, after)
    start = 0 if tape is None else after
    if tape is None:
        tape = Tape(pieces(file, 0, layout.codec, layout.window))
    for record in scan(tape, judge, layout.numbering, start):
        if record.place > after:
            yield record


class Stream:
    """A file in which one cannot go to a place, read again in many calls for ascending places.

    A call goes on where the one before ended; to begin at the front each time would be quadratic.
    """

    def __init__(self, file: BinaryIO, judge: Judge, window: int = ZSTD_WINDOW) -> None:
        self._file = file
        self._judge = judge
        self._window = window
        self._rest: Iterator[WantedRecord | Skipped] = iter(())
        self._reached: int | None = None

    def close(self) -> None:
        self._file.close()

    def at(self, places: Sequence[int]) -> Iterator[WantedRecord | Skipped]:
        if self._reached is None or (places and places[0] <= self._reached):
            self._rest = records(self._file, self._judge, window=self._window)
            self._reached = -1
        wanted = set(places)
        while self._reached < max(wanted, default=-1):
            record = next(self._rest, None)
            if record is None:
                return
            self._reached = record.place
            if record.place in wanted:
                yield record


def is_stream(file: BinaryIO, window: int = ZSTD_WINDOW) -> bool:
    """Whether one cannot go to a place in the file, only read up to it."""
    return layout_of(file, window).numbering == "stream"


def frames_near(file: BinaryIO, size: int, end: int, window: int = ZSTD_WINDOW) -> list[int]:
    """Places about so many bytes apart, up to the end of the file, at which a frame begins with
    what looks like a record, if one can go to places in it.

    Bytes that look like that may stand within a record, say of an archive that was crawled: whoever
    reads up to there finds a record, or finds out that there is none.
    """
    found: list[int] = []
    layout = layout_of(file, window)
    if layout.numbering != "frame":
        return found
    for start in range(size, end, size):
        if found and start <= found[-1]:
            continue
        for piece in pieces(file, start, layout.codec, layout.window):
            if piece.opens and piece.problem is None and BEGINS.match(piece.data):
                found.append(piece.frame)
                break
    return found


def records_at(
    file: BinaryIO, judge: Judge, places: Sequence[int], window: int = ZSTD_WINDOW
) -> Iterator[WantedRecord | Skipped]:
    """The records at these places, which ascend; where there is none, none is given."""
    layout = layout_of(file, window)
    rest = deque(places)
    while rest and (tape := _at(file, layout, rest[0])) is not None:
        yield from islice(scan(tape, judge, layout.numbering, rest.popleft()), 1)
    if not rest:
        return
    wanted = set(rest)
    for record in records(file, judge, window=window):
        if record.place in wanted:
            yield record
        if record.place >= rest[-1]:
            return


class Noted:
    """Judges nothing, but keeps the header it was shown."""

    def __init__(self) -> None:
        self.fields: Fields = {}

    def judge(self, fields: Fields, _head: bytes, _length: int) -> _Skip:
        self.fields = fields
        return "unwanted", None, None, None, False


def headers(file: BinaryIO, layout: RecordLayout) -> Iterator[tuple[Start, Fields]]:
    """Where all records begin, and their headers; that of what is no record is empty."""
    noted = Noted()
    for start in starts(
        Tape(pieces(file, 0, layout.codec, layout.window)), noted, layout.numbering
    ):
        yield start, noted.fields
        noted.fields = {}


def record_at(file: BinaryIO, layout: RecordLayout, place: int, longest: int) -> bytes | None:
    """The bytes of the record at the place with its two line ends, an ARC record as the WARC record
    that it becomes; None if there is none.

    The record may still be anything: damaged, or less than its header says.
    """
    tape = _up_to(file, layout, place) if layout.numbering == "stream" else _at(file, layout, place)
    if tape is None:
        return None
    tape.fill(1)
    tape.cross()
    head = tape.peek(_HEADER)
    if layout.arc:
        made = warc_header(head, place, longest, UNKNOWN_DATE)
        if made is None:
            return None
        header, skipped, length = made
        return header + tape.peek(skipped + length)[skipped:] + b"\r\n\r\n"
    end = head.find(b"\r\n\r\n")
    length_field = _LENGTH.search(head, 0, end + 2)
    size = end + 8 + int(length_field[1]) if length_field else 0
    return tape.peek(size) if end >= 0 and 0 < size <= longest else None


def _up_to(file: BinaryIO, layout: RecordLayout, place: int) -> Tape | None:
    """The tape from this place of a file in which one can only read up to it."""
    tape = Tape(pieces(file, 0, layout.codec, layout.window))
    while tape.at < place:
        if not tape.skip(place - tape.at):
            if tape.wall is None:
                return None
            tape.cross()
    return tape


def layout_of(file: BinaryIO, window: int = ZSTD_WINDOW) -> RecordLayout:
    """How the file is compressed and numbered, by its first record; frames of it that need a longer
    window are not read."""
    codec = codec_of(file)
    tape = Tape(pieces(file, 0, codec, window))
    first = next(scan(tape, _NO_PAGES, "stream"), None)
    if codec == "plain":
        return RecordLayout(codec, "offset", tape.arc, window)
    tape.skip_blank()
    single = first is None or tape.begins_frame()
    return RecordLayout(codec, "frame" if single else "stream", tape.arc, window)


def _at(file: BinaryIO, layout: RecordLayout, place: int) -> Tape | None:
    """The tape from this place on, if one can go there and find a record."""
    if place < 0 or layout.numbering == "stream":
        return None
    source = pieces(file, place, layout.codec, layout.window)
    piece = next(source, None)
    if piece is None or piece.frame != place or not BEGINS.match(piece.data):
        return None
    return Tape(chain([piece], source))
