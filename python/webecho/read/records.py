"""Records of WARC and ARC files, and their places.

A *record* is a header and a *block* of as many bytes as the header says. Two readers share the
work. fastwarc reads what is in order, several times faster than Python can; but it stops at what
is broken or unusual, at times without a word, and knows no ARC. So a record of its counts only
once the next one follows where it should, and from the last one that counts the careful reader
(scan.py) goes on to the end of the file.

The *place* of a record is
- in a file that is not compressed, its offset;
- where the first frame holds one record, as a `.warc.gz` should be, the offset of its frame
  (should a later frame hold several, the others are counted on from that number);
- where the first frame holds several, as in a file compressed as a whole, the offset in the
  decompressed bytes. There one cannot go to a place, only read up to it.
"""

import re
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, BinaryIO, cast

from fastwarc.warc import ArchiveIterator, WarcRecordType

from webecho.read.frames import BEGINS, Codec, codec_of, pieces
from webecho.read.judge import HEAD, NO_PAGES, Fields
from webecho.read.pages import MAX_PAGE_BYTES, Skipped
from webecho.read.scan import TOO_LONG, Found, Judge, Numbering, Tape, scan

_RECENT = 8
_MAGIC = {"gzip": b"\x1f\x8b\x08", "plain": b"WARC/"}
_NAME = re.compile(rb"[a-z0-9-]+\Z")
_MERGED = re.compile(rb"[\r\n]|(?:warc|content)-[a-z-]+[ \t]*:")
# Names that need not be looked at twice.
_FAMILIAR = frozenset(
    b"warc-type warc-record-id warc-date warc-target-uri warc-ip-address warc-payload-digest "
    b"warc-block-digest warc-concurrent-to warc-warcinfo-id warc-truncated warc-refers-to "
    b"warc-refers-to-target-uri warc-refers-to-date warc-profile warc-page-id warc-trec-id "
    b"warc-identified-payload-type content-type content-length".split()
)
# For these not even their headers need to cross over from Rust.
_NO_PAGES = {
    int(getattr(WarcRecordType, kind)): kind for kind in NO_PAGES if hasattr(WarcRecordType, kind)
}


@dataclass(frozen=True)
class _Layout:
    codec: Codec
    numbering: Numbering
    arc: bool


def records(file: BinaryIO, judge: Judge, after: int = -1) -> Iterator[Found | Skipped]:
    """The records of the file whose places are greater than `after`."""
    layout = _layout(file)
    if layout.codec in _MAGIC and layout.numbering != "stream" and not layout.arc:
        start = after if _at(file, layout, after) else 0
        after = yield from _swift(file, start, layout.codec, judge, after)
    tape = _at(file, layout, after)
    start = 0 if tape is None else after
    if tape is None:
        tape = Tape(pieces(file, 0, layout.codec))
    for record in scan(tape, judge, layout.numbering, start):
        if record.place > after:
            yield record


class Stream:
    """A file in which one cannot go to a place, read again in many calls for ascending places.

    A call goes on where the one before ended; to begin at the front each time would be quadratic.
    """

    def __init__(self, file: BinaryIO, judge: Judge) -> None:
        self._file = file
        self._judge = judge
        self._rest: Iterator[Found | Skipped] = iter(())
        self._reached: int | None = None

    def at(self, places: Sequence[int]) -> Iterator[Found | Skipped]:
        if self._reached is None or (places and places[0] <= self._reached):
            self._rest, self._reached = records(self._file, self._judge), -1
        wanted = set(places)
        while self._reached < max(wanted, default=-1):
            record = next(self._rest, None)
            if record is None:
                return
            self._reached = record.place
            if record.place in wanted:
                yield record


def is_stream(file: BinaryIO) -> bool:
    """Whether one cannot go to a place in the file, only read up to it."""
    return _layout(file).numbering == "stream"


def records_at(file: BinaryIO, judge: Judge, places: Sequence[int]) -> Iterator[Found | Skipped]:
    """The records at these places, which ascend; where there is none, none is given."""
    layout = _layout(file)
    rest = deque(places)
    while rest and (tape := _at(file, layout, rest[0])) is not None:
        yield from islice(scan(tape, judge, layout.numbering, rest.popleft()), 1)
    if not rest:
        return
    wanted = set(rest)
    for record in records(file, judge):
        if record.place in wanted:
            yield record
        if record.place >= rest[-1]:
            return


def _layout(file: BinaryIO) -> _Layout:
    codec = codec_of(file)
    tape = Tape(pieces(file, 0, codec))
    first = next(scan(tape, _no_pages, "stream"), None)
    if codec == "plain":
        return _Layout(codec, "offset", tape.arc)
    tape.skip_blank()
    single = codec != "lz4" and (first is None or tape.begins_frame())
    return _Layout(codec, "frame" if single else "stream", tape.arc)


def _no_pages(place: int, _fields: Fields, _head: bytes) -> Skipped:
    return Skipped(place, "")


def _at(file: BinaryIO, layout: _Layout, place: int) -> Tape | None:
    """The tape from this place on, if one can go there and find a record."""
    if place < 0 or layout.numbering == "stream":
        return None
    source = pieces(file, place, layout.codec)
    piece = next(source, None)
    if piece is None or piece.frame != place or not BEGINS.match(piece.data):
        return None
    return Tape(chain([piece], source))


class _Watched:
    """A file that is read through, and remembers what it has just given."""

    def __init__(self, file: BinaryIO, start: int) -> None:
        file.seek(start)
        self._file = file
        self._at = start
        self._recent: deque[tuple[int, bytes]] = deque(maxlen=_RECENT)

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self._recent.append((self._at, data))
        self._at += len(data)
        return data

    def tell(self) -> int:
        return self._at

    def held(self, offset: int, magic: bytes) -> bool:
        """Whether these bytes were at this offset, not long ago."""
        for start, data in reversed(self._recent):
            if start <= offset < start + len(data):
                found = data[offset - start : offset - start + len(magic)]
                return magic.startswith(found)
        return False


def _swift(
    file: BinaryIO, start: int, codec: Codec, judge: Judge, after: int
) -> Generator[Found | Skipped, None, int]:
    """What fastwarc reads well; gives the place of the last such record in the end."""
    watched = _Watched(file, start)
    magic = _MAGIC[codec]
    pending: Found | Skipped | None = None
    try:
        for record in ArchiveIterator(cast(BinaryIO, watched), parse_http=False):
            place = record.stream_pos
            # fastwarc gives records that do not begin a frame some other offset.
            if not watched.held(place, magic) or (pending and place <= pending.place):
                break
            if pending is not None and pending.place > after:
                yield pending
                after = pending.place
            pending = _judged(record, place, judge)
            if pending is None:
                break
    except OSError:
        # What is wrong, and what is left, the careful reader will find out.
        pass
    return after


def _is_plain(fields: Fields, length: int) -> bool:
    """Whether both readers are sure to understand the header in the same way.

    Where a line ends in some other way than the rest, fastwarc takes two lines for one.
    """
    if fields.get(b"content-length") != b"%d" % length:
        return False
    if not fields.keys() <= _FAMILIAR and not all(map(_NAME.match, fields)):
        return False
    values = b" ".join(fields.values()).lower()
    # The expression is slow, and hardly ever needed.
    suspect = b"warc-" in values or b"content-" in values or b"\n" in values or b"\r" in values
    return not suspect or _MERGED.search(values) is None


def _judged(record: Any, place: int, judge: Judge) -> Found | Skipped | None:
    length = record.content_length
    if length and (kind := _NO_PAGES.get(int(record.record_type))):
        return Skipped(place, kind)
    fields = {name.lower(): value for name, value in reversed(record.headers.items_bytes())}
    if not _is_plain(fields, length):
        return None
    head = record.reader.read(HEAD)
    verdict = judge(place, fields, head)
    if isinstance(verdict, Skipped):
        return verdict
    if length > MAX_PAGE_BYTES:
        return Skipped(place, TOO_LONG, f"{length} bytes", verdict.url, failed=True)
    return Found(place, verdict, head + record.reader.read() if length > HEAD else head)
