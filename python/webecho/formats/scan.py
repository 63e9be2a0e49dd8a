"""The careful reader of records: any bytes at all, to their end, every byte accounted for.

What does not read as a record is passed over up to the next thing that does, and given as one
failed record. A record ends where its length says, but never later than where a new frame
begins with a record.
"""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from webecho._core import Judge, Wanted
from webecho.formats.frames import ARC_LINE, BEGINS, Piece
from webecho.read.pages import Skipped

# A record's header, names in lower case.
Fields = dict[bytes, bytes]
# What a place is: see records.py.
Numbering = Literal["offset", "frame", "stream"]

_MAX_HEADER = 1 << 20
_MAX_LINE = 16 << 10
_STEP = 256 << 10
_BLANK = re.compile(rb"[\r\n\0 \t]*")
# How lines end, and how a header ends, in a header whose first line ends in LF or in CRLF. In the
# latter a lone LF is a line's end only where it evidently is.
_LF = re.compile(rb"\n"), re.compile(rb"\n\r?\n")
_CRLF = re.compile(rb"\r\n|\n(?=(?:WARC|Content)-[A-Za-z-]+[ \t]*:)"), re.compile(rb"\r\n\r\n")
_CRLF_LINE = re.compile(rb"[^\n]*\r\n")
_VERSION = re.compile(rb"WARC/\d+(?:\.\d+)?\s*\Z")
_LENGTH = re.compile(rb"\+?\d{1,18}\Z")
_ARC = re.compile(ARC_LINE)
_NEXT_WARC = re.compile(rb"\n(?=WARC/\d)")
_NEXT = re.compile(rb"\n(?=WARC/\d|" + ARC_LINE + rb")")
# In a block whose length is wrong the next record is looked for, but in all of a file in no more
# bytes than this: else a file made for the purpose would take quadratic time.
_PATIENCE = 256 << 20


@dataclass(frozen=True, slots=True)
class Found:
    """A record that is wanted, with its block."""

    place: int
    wanted: Wanted
    block: bytes


@dataclass(frozen=True, slots=True)
class Start:
    """Where a record begins: its place, its offset in the decompressed bytes and its frame's.

    `clean` says that nothing of the record before stands in its frame: a file can be cut there.
    """

    place: int
    at: int
    frame_at: int
    clean: bool


class Judging(Protocol):
    """Decides which records are pages; `Judge` does, others may only look on."""

    def judge(self, fields: Fields, head: bytes, length: int) -> Wanted | tuple[Any, ...]: ...


class Tape:
    """The decompressed bytes of a file, up to a wall, and where the frames begin in it.

    A *wall* is what a record cannot go beyond: a damaged spot, or a frame that begins with a
    record. What stands behind it is not seen before it is crossed.
    """

    def __init__(self, source: Iterator[Piece]) -> None:
        self._source = source
        self._frames: deque[tuple[int, int]] = deque()
        self._searched: dict[re.Pattern[bytes], int] = {}
        self.data = bytearray()
        self.at = 0
        self.wall: Piece | None = None
        self.ended = False
        self.crossed = -1
        self.arc = False
        self.patience = _PATIENCE

    def fill(self, count: int) -> bool:
        """Whether so many bytes stand before the next wall; then `data` holds them."""
        while len(self.data) < count and self.wall is None and not self.ended:
            piece = next(self._source, None)
            if piece is None:
                self.ended = True
            elif piece.problem is not None or (piece.opens and BEGINS.match(piece.data)):
                self.wall = piece
            else:
                self._append(piece)
        return len(self.data) >= count

    def _append(self, piece: Piece) -> None:
        if piece.opens:
            self._frames.append((self.at + len(self.data), piece.frame))
        self.data += piece.data

    def cross(self) -> None:
        """Goes beyond the wall, which is the next thing there is."""
        if self.wall is not None and self.wall.problem is None:
            self.crossed = self.at + len(self.data)
            self._append(self.wall)
        self.wall = None

    def peek(self, count: int) -> bytes:
        """The next bytes, so many or as many as stand before the wall."""
        self.fill(count)
        with memoryview(self.data) as view:
            return bytes(view[:count])

    def find(self, pattern: re.Pattern[bytes]) -> re.Match[bytes] | None:
        """The first match of a pattern for up to four bytes in `data`."""
        # Where it was looked for in vain is not looked at again: headers without end would take
        # quadratic time.
        start = max(0, self._searched.get(pattern, 0) - self.at)
        found = pattern.search(self.data, start)
        if found is None:
            self._searched[pattern] = self.at + max(start, len(self.data) - 3)
        return found

    def skip(self, count: int) -> int:
        """Goes on by so many bytes, or up to the next wall; gives the number."""
        passed = 0
        while passed < count and self.fill(1):
            step = min(count - passed, len(self.data))
            del self.data[:step]
            self.at += step
            passed += step
        return passed

    def skip_blank(self) -> None:
        while self.fill(1):
            blank = _BLANK.match(self.data)
            if blank is None or not blank.end():
                return
            self.skip(blank.end())

    def frame(self) -> int:
        """The offset of the frame that the next byte is in."""
        while len(self._frames) > 1 and self._frames[1][0] <= self.at:
            self._frames.popleft()
        return self._frames[0][1] if self._frames else 0

    def frame_start(self) -> int:
        """The offset, in the decompressed bytes, of the frame that the next byte is in."""
        self.frame()
        return self._frames[0][0] if self._frames else 0

    @property
    def corrupt(self) -> bool:
        """Whether the next thing is that the frame turns out to be corrupt."""
        if self.wall is None or self.data or self.wall.frame != self.frame():
            return False
        return self.wall.problem is not None and self.wall.problem.startswith("corrupt")

    def begins_frame(self) -> bool:
        """Whether the next byte, if there is one, is the first of its frame."""
        self.frame()
        return not self.data or self._frames[0][0] == self.at


class _Places:
    """Numbers records by their places, which always grow."""

    def __init__(self, numbering: Numbering, start: int) -> None:
        self._numbering = numbering
        self._start = start
        self._frame = -1
        self._last = -1
        self.start = Start(-1, 0, 0, clean=True)

    def next(self, tape: Tape) -> int:
        damaged = tape.wall if not tape.data else None
        frame = damaged.frame if damaged is not None else tape.frame()
        match self._numbering:
            case "offset":
                place = self._start + tape.at
            case "stream":
                place = tape.at
            case "frame":
                place = frame if frame != self._frame else 0
        is_new, self._frame = frame != self._frame, frame
        self._last = max(place, self._last + 1)
        frame_at = tape.at if damaged is not None else tape.frame_start()
        opens = frame_at in (tape.at, tape.crossed) and is_new and self._last == frame
        clean = opens if self._numbering == "frame" else self._numbering == "offset"
        self.start = Start(self._last, tape.at, frame_at, clean)
        return self._last


def scan(
    tape: Tape, judge: Judging, numbering: Numbering, start: int = 0
) -> Iterator[Found | Skipped]:
    """All records on the tape, which begins at offset `start` of its file."""
    return _scan(tape, judge, _Places(numbering, start))


def starts(tape: Tape, judge: Judging, numbering: Numbering, start: int = 0) -> Iterator[Start]:
    """Where those records begin; the same judge gives the same ones as `scan`."""
    places = _Places(numbering, start)
    for _ in _scan(tape, judge, places):
        yield places.start


def _scan(tape: Tape, judge: Judging, places: _Places) -> Iterator[Found | Skipped]:
    while True:
        tape.skip_blank()
        if not tape.data:
            if tape.wall is None:
                return
            place = places.next(tape) if tape.wall.problem is not None else -1
            if problem := _cross_damage(tape):
                yield Skipped(place, *problem, failed=True)
            else:
                tape.cross()
            continue
        place = places.next(tape)
        fields = _header(tape)
        if fields is None:
            yield _no_record(tape, place)
            continue
        length = fields.get(b"content-length", b"").strip()
        if not _LENGTH.match(length):
            tape.skip_blank()
            passed = 0 if BEGINS.match(tape.data) else _resynchronise(tape)
            yield Skipped(place, "bad length", f"{passed} bytes", failed=True)
            continue
        yield _record(tape, place, fields, int(length), judge)


def _header(tape: Tape) -> Fields | None:
    """The header of the record that begins here, which is then passed, or None if none does."""
    tape.fill(_MAX_LINE)
    if tape.data.startswith(b"WARC/"):
        return _warc_header(tape)
    line = _ARC.match(tape.data)
    return None if line is None else _arc_header(tape, line)


def _warc_header(tape: Tape) -> Fields | None:
    size = _MAX_LINE
    line_end, header_end = _CRLF if _CRLF_LINE.match(tape.data) else _LF
    while (end := tape.find(header_end)) is None:
        size *= 4
        if size > _MAX_HEADER or not tape.fill(len(tape.data) + 1):
            return None
        tape.fill(size)
    version, *lines = line_end.split(tape.peek(end.start()))
    if not _VERSION.match(version):
        return None
    tape.skip(end.end())
    fields: dict[bytes, bytes] = {}
    name = b""
    for line in lines:
        if line[:1] in (b" ", b"\t"):
            # A long value goes on in the next line.
            if name:
                fields[name] = (fields[name] + b" " + line.strip()).strip()
            continue
        spelt, colon, value = line.partition(b":")
        if not colon:
            continue
        name = spelt.strip().lower()
        if name in fields:
            name = b""
        else:
            fields[name] = value.strip()
    return fields


def _arc_header(tape: Tape, line: re.Match[bytes]) -> Fields:
    tape.arc = True
    url, ip, date, kind, length = line.groups()
    tape.skip(line.end())
    fields = {
        b"warc-type": b"filedesc" if url.startswith(b"filedesc:") else b"response",
        b"warc-target-uri": url,
        b"warc-ip-address": ip,
        b"content-type": kind,
        b"content-length": length,
    }
    if len(date) >= 14:
        year, rest = date[:4], [date[i : i + 2] for i in range(4, 14, 2)]
        fields[b"warc-date"] = b"%b-%b-%bT%b:%b:%bZ" % (year, *rest)
    return fields


def _no_record(tape: Tape, place: int) -> Skipped:
    reason = "bad header" if tape.data.startswith(b"WARC/") else "stray bytes"
    detail = f"{_resynchronise(tape)} bytes"
    if not tape.data:
        if tape.ended:
            reason = "unread rest"
        elif problem := _cross_damage(tape):
            reason, detail = problem[0], f"{detail}, {problem[1]}"
    return Skipped(place, reason, detail, failed=True)


def _cross_damage(tape: Tape) -> tuple[str, str] | None:
    """Crosses the wall if it is a damage, as one damage is one failed record; gives its story."""
    if tape.wall is None or tape.wall.problem is None:
        return None
    story = tape.wall.problem, f"{tape.wall.lost} bytes unread"
    tape.cross()
    return story


def _resynchronise(tape: Tape) -> int:
    """Goes to the next line that looks like a record's first, or to a wall; gives the bytes."""
    pattern, kept = (_NEXT, _MAX_LINE) if tape.arc else (_NEXT_WARC, 16)
    passed = 0
    while True:
        whole = not tape.fill(_STEP)
        found = pattern.search(tape.data)
        if found is not None:
            return passed + tape.skip(found.end())
        if whole:
            return passed + tape.skip(len(tape.data))
        passed += tape.skip(len(tape.data) - kept)


def _record(tape: Tape, place: int, fields: Fields, length: int, judge: Judging) -> Found | Skipped:
    """The record whose header has just been passed."""
    verdict = _judged(tape, place, fields, length, judge)
    held = length if isinstance(verdict, Wanted) else min(length, _STEP)
    tape.fill(held + _MAX_LINE)
    end = length
    if length == held and not _ends_well(tape, length):
        end = _swallowed(tape, length) or length
    block = tape.peek(end) if isinstance(verdict, Wanted) else b""
    passed = tape.skip(end)
    reason, detail = "truncated", f"{passed}, not {length} bytes"
    if end < length:
        reason = "bad length"
    elif passed < length:
        if problem := _cross_damage(tape):
            reason, detail = problem[0], f"{detail}, {problem[1]}"
    else:
        tape.skip_blank()
        if not tape.corrupt:
            return Found(place, verdict, block) if isinstance(verdict, Wanted) else verdict
        # All bytes are there, but their checksum says that they are not the right ones.
        reason, detail = _cross_damage(tape) or (reason, detail)
    if isinstance(verdict, Wanted):
        whole = _by_http_length(verdict, block)
        if whole is not None and reason in ("truncated", "bad length"):
            return Found(place, verdict, whole)
        return Skipped(place, reason, detail, verdict.url, failed=True)
    return Skipped(place, reason, detail, verdict.url, verdict.location, failed=True)


def _judged(
    tape: Tape, place: int, fields: Fields, length: int, judge: Judging
) -> Wanted | Skipped:
    verdict = judge.judge(fields, tape.peek(min(length, Judge.HEAD)), length)
    return verdict if isinstance(verdict, Wanted) else Skipped(place, *verdict)


def _by_http_length(wanted: Wanted, block: bytes) -> bytes | None:
    """The block up to where the HTTP header says that it ends, if it goes so far.

    Files whose line ends were changed have records that are shorter than their headers say.
    """
    if not wanted.length:
        return None
    end = wanted.start + wanted.length
    return block[:end] if end <= len(block) and not block[end:].strip() else None


def _ends_well(tape: Tape, length: int) -> bool:
    """Whether the block is followed by a record, or by nothing."""
    if len(tape.data) < length:
        return False
    follows = _BLANK.sub(b"", tape.data[length : length + _MAX_LINE], count=1)
    return not follows or BEGINS.match(follows) is not None


def _swallowed(tape: Tape, length: int) -> int | None:
    """Where in a block of wrong length the next record begins, if it does."""
    if tape.patience < 0:
        return None
    # The record may begin with the last bytes of the block.
    found = (_NEXT if tape.arc else _NEXT_WARC).search(tape.data, 0, length + len(b"WARC/1"))
    tape.patience -= min(length, len(tape.data)) if found is None else found.end()
    return None if found is None else found.end()
