"""The careful reader of records: any bytes at all, to their end, every byte accounted for.

What does not read as a record is passed over up to the next thing that does, and given as one
failed record. A record ends where its length says, but never later than where a new frame
begins with a record.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from webecho._core import Judge, Wanted
from webecho.formats.arc import ARC_LINE, arc_fields
from webecho.formats.frames import BEGINS
from webecho.formats.headers import LENGTH, WARC, Fields, warc_fields
from webecho.formats.skipped import Skipped
from webecho.formats.tape import BLANK, Tape

# What a place is: see records.py.
Numbering = Literal["offset", "frame", "stream"]

_MAX_HEADER = 1 << 20
_MAX_LINE = 16 << 10
_STEP = 256 << 10
# How lines end, and how a header ends, in a header whose first line ends in LF or in CRLF. In the
# latter a lone LF is a line's end only where it evidently is; programs that took the header for
# text made CRCRLF of its ends.
_LF = re.compile(rb"\n"), re.compile(rb"\n\r?\n")
_CRLF = (
    re.compile(rb"\r{1,2}\n|\n(?=(?:WARC|Content)-[A-Za-z-]+[ \t]*:)"),
    re.compile(rb"\r\n\r{1,2}\n"),
)
_CRLF_LINE = re.compile(rb"[^\n]*\r\n")
_VERSION = re.compile(WARC + rb"/\d+(?:\.\d+)?\s*\Z")
_BEGINS_WARC = re.compile(WARC + rb"/")
_ARC = re.compile(ARC_LINE)
_NEXT_WARC = re.compile(rb"\n(?=" + WARC + rb"/\d)")
_NEXT = re.compile(rb"\n(?=" + WARC + rb"/\d|" + ARC_LINE + rb")")


@dataclass(frozen=True, slots=True)
class WantedRecord:
    """A record that is wanted, with its block; `cut` where its length is wrong, and that of the
    HTTP header tells where the block ends."""

    place: int
    wanted: Wanted
    block: bytes
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Start:
    """Where a record begins: its place, its offset in the decompressed bytes and its frame's.

    `clean` says that nothing of the record before stands in its frame: a file can be cut there.
    One that is not `sound` failed, or does not end where its header says; then `length` is what
    its header should say, where that is known.
    """

    place: int
    at: int
    frame_at: int
    clean: bool
    sound: bool = True
    length: int | None = None


class Judging(Protocol):
    """Decides which records are pages; `Judge` does, others may only look on."""

    def judge(self, fields: Fields, head: bytes, length: int) -> Wanted | tuple[Any, ...]: ...


class _Places:
    """Numbers records by their places, which always grow."""

    def __init__(self, numbering: Numbering, start: int) -> None:
        self._numbering = numbering
        self._start = start
        self._frame = -1
        self._last = -1
        self.start = Start(-1, 0, 0, clean=True)

    def damaged(self) -> None:
        """Notes that the record does not end where its header says, or is none."""
        self.start = replace(self.start, sound=False)

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
) -> Iterator[WantedRecord | Skipped]:
    """All records on the tape, which begins at offset `start` of its file."""
    return _scan(tape, judge, _Places(numbering, start))


def starts(tape: Tape, judge: Judging, numbering: Numbering, start: int = 0) -> Iterator[Start]:
    """Where those records begin; the same judge gives the same ones as `scan`."""
    places = _Places(numbering, start)
    for found in _scan(tape, judge, places):
        if isinstance(found, WantedRecord) and found.cut:
            yield replace(places.start, length=len(found.block))
        else:
            yield places.start


def _scan(tape: Tape, judge: Judging, places: _Places) -> Iterator[WantedRecord | Skipped]:
    while True:
        tape.skip_blank()
        if not tape.data:
            if tape.wall is None:
                return
            place = places.next(tape) if tape.wall.problem is not None else -1
            if problem := _cross_damage(tape):
                places.damaged()
                yield Skipped(place, *problem, failed=True)
            else:
                tape.cross()
            continue
        place = places.next(tape)
        fields = _header(tape)
        if fields is None:
            places.damaged()
            yield _no_record(tape, place)
            continue
        length = fields.get(b"content-length", b"").strip()
        if not LENGTH.match(length):
            tape.skip_blank()
            passed = 0 if BEGINS.match(tape.data) else _resynchronise(tape)
            places.damaged()
            yield Skipped(place, "bad length", f"{passed} bytes", failed=True)
            continue
        judged = _judged(tape, place, fields, int(length), judge)
        found = _record(tape, place, judged, int(length))
        if found is not judged and (isinstance(found, Skipped) or found.cut):
            places.damaged()
        yield found


def _header(tape: Tape) -> Fields | None:
    """The header of the record that begins here, which is then passed, or None if none does."""
    tape.fill(_MAX_LINE)
    if _BEGINS_WARC.match(tape.data):
        return _warc_header(tape)
    line = _ARC.match(tape.data)
    if line is None:
        return None
    tape.arc = True
    # Before they are passed: the match looks into the tape.
    fields = arc_fields(line)
    tape.skip(line.end())
    return fields


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
    return warc_fields(lines)


def _no_record(tape: Tape, place: int) -> Skipped:
    reason = "bad header" if _BEGINS_WARC.match(tape.data) else "stray bytes"
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


def _record(
    tape: Tape, place: int, judged: Wanted | Skipped, length: int
) -> WantedRecord | Skipped:
    """The record whose header has just been passed and judged."""
    held = length if isinstance(judged, Wanted) else min(length, _STEP)
    tape.fill(held + _MAX_LINE)
    end = length
    if length == held and not _ends_well(tape, length):
        end = _swallowed(tape, length) or length
    block = tape.peek(end) if isinstance(judged, Wanted) else b""
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
            return WantedRecord(place, judged, block) if isinstance(judged, Wanted) else judged
        # All bytes are there, but their checksum says that they are not the right ones.
        reason, detail = _cross_damage(tape) or (reason, detail)
    if isinstance(judged, Wanted):
        whole = _by_http_length(judged, block)
        if whole is not None and reason in ("truncated", "bad length"):
            return WantedRecord(place, judged, whole, cut=True)
        return Skipped(place, reason, detail, judged.url, failed=True)
    return Skipped(place, reason, detail, judged.url, judged.location, failed=True)


def _judged(
    tape: Tape, place: int, fields: Fields, length: int, judge: Judging
) -> Wanted | Skipped:
    judged = judge.judge(fields, tape.peek(min(length, Judge.HEAD)), length)
    return judged if isinstance(judged, Wanted) else Skipped(place, *judged)


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
    follows = BLANK.sub(b"", tape.data[length : length + _MAX_LINE], count=1)
    return not follows or BEGINS.match(follows) is not None


def _swallowed(tape: Tape, length: int) -> int | None:
    """Where in a block of wrong length the next record begins, if it does."""
    if tape.patience < 0:
        return None
    # The record may begin with the last bytes of the block.
    found = (_NEXT if tape.arc else _NEXT_WARC).search(tape.data, 0, length + len(b"WARC/1"))
    tape.patience -= min(length, len(tape.data)) if found is None else found.end()
    return None if found is None else found.end()
