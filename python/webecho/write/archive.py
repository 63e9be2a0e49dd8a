"""Archive files copied less some of their records.

Kept records are copied as the bytes they are: a record goes from its place to the next one's, and
many that stand together are one stretch. That cuts a file only where a frame begins with a record.
Where a frame holds several and only some of them stay, it is decompressed, and each of those gets
a member of its own; so it is with a file that is compressed as a whole.

What is damaged stays as it is while what stands beside it stays. Where that goes, the damaged bytes
could be taken for the end of another record, or swallow the next one: they are then *mended*,
which is to say put into a record of their own.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, takewhile
from typing import BinaryIO, Protocol

from webecho.formats.cdxj import Moved
from webecho.formats.frames import BEGINS, Piece, pieces_from
from webecho.formats.members import Packer, packed, packer
from webecho.formats.records import RecordLayout
from webecho.formats.scan import Judging, Start, starts
from webecho.formats.tape import Tape
from webecho.formats.unreadable import lengthened, wrapped
from webecho.read.pages import MAX_PAGE_BYTES
from webecho.write.selection import Stretch

_BLOCK = 1 << 20
# Most headers are shorter than the first; one that is longer than the second is looked at with
# more care.
_HEADS = 4 << 10, 64 << 10
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_LENGTH = re.compile(rb"\ncontent-length[ \t]*:[ \t]*(\d{1,18})[ \t]*\r?\n", re.IGNORECASE)
_BLANK = b"\r\n\0 \t"
_RECORD_ENDS = b"\r\n\r\n", b"\n\n"
_ALL = range(1 << 62)
# What stands before the first record.
HEAD = Stretch(0, -1, 0, stays=True)

# What a record may have beside its page.
_HEADERS = 1 << 20

# Given a record that goes and its bytes, what takes its place, if something does; it may be itself.
# What cannot be read has no bytes, and stays.
Replace = Callable[[Stretch, bytes | None], bytes | None]


class ArchiveSource(Protocol):
    """A source whose pages are records of archive files."""

    @property
    def name(self) -> str: ...

    def judge(self) -> Judging:
        """What decides which of its records are pages."""


def fates(
    found: Iterable[Start], stretches: Iterable[Stretch], stretch: Stretch = HEAD
) -> Iterator[tuple[Start, Stretch]]:
    """The records, each with the stretch it belongs to; the first may belong to one before them."""
    rest = iter(stretches)
    upcoming = next(rest, None)
    for start in found:
        while upcoming is not None and upcoming.first <= start.place:
            stretch, upcoming = upcoming, next(rest, None)
        yield start, stretch


@dataclass(frozen=True, slots=True)
class Portion:
    """A record, the stretch it belongs to, and whether it is to be mended."""

    start: Start
    stretch: Stretch
    mend: bool = False

    @property
    def whole(self) -> bool:
        """Whether it is written as it is."""
        return self.stretch.stays and not self.mend

    @property
    def absent(self) -> bool:
        """Whether it goes, and nothing takes its place."""
        return not self.stretch.stays and not self.stretch.alone


def portions(found: Iterable[tuple[Start, Stretch]], touched: bool) -> Iterator[Portion]:
    """The records, of which those that are not sound are to be mended if one beside them goes;
    `touched` says that one before the first went."""
    run: list[Portion] = []
    for start, stretch in found:
        if stretch.stays and not start.sound:
            run.append(Portion(start, stretch))
            continue
        mend = touched or not stretch.stays
        yield from (replace(each, mend=mend) for each in run)
        yield Portion(start, stretch)
        run, touched = [], not stretch.stays
    yield from (replace(each, mend=touched) for each in run)


def mended(start: Start, data: bytes) -> bytes:
    """A record that others can read which holds the same."""
    right = None if start.length is None else lengthened(data, start.length)
    return wrapped(data, start.place) if right is None else right


class Copying:
    """One archive file, and what is written of it to `out`."""

    def __init__(
        self,
        opened: Callable[[], BinaryIO],
        layout: RecordLayout,
        judge: Judging,
        out: BinaryIO,
        longest: int = MAX_PAGE_BYTES,
    ) -> None:
        """Records that are longer than pages may be are not looked at as a whole."""
        self._opened = opened
        self.longest = longest + _HEADERS
        self._file = opened()
        self._size = self._file.seek(0, 2)
        self._layout = layout
        self._judge = judge
        self._out = out
        self._pieces = pieces_from(self._file, layout.codec, layout.window)
        self._packer = packer(layout.codec, self._file)
        # The last bytes that were written.
        self._tail = b""
        self.moved: list[Moved] = []
        self.rewritten: list[range] = []
        self.lost: list[str] = []

    def close(self) -> None:
        self._file.close()

    def copy(self, stretches: Iterable[Stretch] | None, replace: Replace = lambda *_: None) -> None:
        """Copies the file less the stretches that go; all of it as it is if none are given."""
        if stretches is None:
            self._copy_range(0, self._size)
            return
        if self._layout.numbering == "stream":
            self._rewrite_whole(stretches, replace)
            return
        rest = iter(stretches)
        at, current = 0, HEAD
        last: int | None = None
        for stretch in rest:
            if not (stretch.stays and current.stays):
                if not self._cuts(stretch.first, last, current.stays):
                    self._copy_carefully(at, current, chain((stretch,), rest), replace)
                    return
                self._deal(current, at, stretch.first, replace)
                at, current = stretch.first, stretch
            last = stretch.last
        self._deal(current, at, self._size, replace)

    def _cuts(self, place: int, last: int | None, stays: bool) -> bool:
        """Whether the file can be cut at the place: a frame begins there, and with a record, and
        the last record before it, if that stays, ends there."""
        if self._layout.codec == "plain":
            self._file.seek(place)
            begins = BEGINS.match(self._file.read(_HEADS[0])) is not None
            return begins and not (stays and last is not None and not self._ends(last, place))
        if last is not None and place == last + 1:
            # Several records in a frame are counted on from its offset.
            return False
        piece = next(self._pieces(place), None)
        return piece is not None and piece.frame == place and BEGINS.match(piece.data) is not None

    def _ends(self, place: int, end: int) -> bool:
        """Whether the record at the place ends where the next one begins, by what it says."""
        for most in _HEADS:
            self._file.seek(place)
            head = self._file.read(min(most, end - place))
            header_end = _HEADER_END.search(head)
            if header_end is not None:
                length = _LENGTH.search(head, 0, header_end.end())
                if length is None:
                    return False
                self._file.seek(place + header_end.end() + int(length[1]))
                gap = end - self._file.tell()
                return 0 <= gap <= most and not self._file.read(gap).strip(_BLANK)
        return False

    def _deal(self, stretch: Stretch, start: int, end: int, replace: Replace) -> None:
        if stretch.stays:
            self._copy_range(start, end)
            return
        if not stretch.alone:
            return
        data = self._read(start, end)
        made = replace(stretch, data)
        if made is not None and made != data:
            self._end_record()
            member = packed(made, self._packer)
            self.moved.append(Moved(start, self._out.tell(), len(member), replaced=True))
            self.write(member)
        elif made is not None or data is None:
            self._copy_range(start, end)

    def _read(self, start: int, end: int) -> bytes | None:
        """The decompressed bytes of these frames; None if they are damaged or too many."""
        if self._layout.codec == "plain":
            self._file.seek(start)
            return self._file.read(end - start) if end - start <= self.longest else None
        parts: list[bytes] = []
        size = 0
        for piece in takewhile(lambda piece: piece.frame < end, self._pieces(start)):
            size += len(piece.data)
            if piece.problem is not None or size > self.longest:
                return None
            parts.append(piece.data)
        return b"".join(parts)

    def _copy_range(self, start: int, end: int) -> None:
        if end > start:
            self.moved.append(Moved(start, self._out.tell(), end - start))
        self._file.seek(start)
        while start < end and (block := self._file.read(min(_BLOCK, end - start))):
            self.write(block)
            start += len(block)

    def _copy_carefully(
        self, at: int, stretch: Stretch, rest: Iterator[Stretch], replace: Replace
    ) -> None:
        """Copies from an offset on by what the careful reader finds there."""
        group: list[Portion] = []
        begin, frame_at = at, 0
        for portion in self._found(at, stretch, rest):
            start = portion.start
            if start.clean and group:
                self._deal_group(group, begin, start.place, frame_at, replace)
                group, begin, frame_at = [], start.place, start.frame_at
            group.append(portion)
        self._deal_group(group, begin, self._size, frame_at, replace)

    def _found(self, at: int, stretch: Stretch, rest: Iterator[Stretch]) -> Iterator[Portion]:
        with self._opened() as again:
            tape = Tape(pieces_from(again, self._layout.codec, self._layout.window)(at))
            found = fates(starts(tape, self._judge, self._layout.numbering, at), rest, stretch)
            # Before a stretch that stays, if it is not the first, stood one that went.
            yield from portions(found, touched=stretch.stays and at > 0)

    def _deal_group(
        self, group: list[Portion], begin: int, end: int, frame_at: int, replace: Replace
    ) -> None:
        """Records whose frames hold nothing else, and none of which has frames of its own."""
        if all(each.whole for each in group):
            self._copy_range(begin, end)
        elif len(group) == 1:
            [only] = group
            if only.mend:
                self._mend(only.start, begin, end)
            else:
                self._deal(only.stretch, begin, end, replace)
        elif not all(each.absent for each in group):
            self.rewritten.append(range(begin, end))
            inside = takewhile(lambda piece: piece.frame < end, self._pieces(begin))
            self._rewrite(inside, group, frame_at, replace)

    def _mend(self, start: Start, begin: int, end: int) -> None:
        data = self._read(begin, end)
        if data is None:
            # What cannot be decompressed begins no record, and ends before the next frame.
            self._copy_range(begin, end)
        elif data.strip(_BLANK):
            self._end_record()
            member = packed(mended(start, data), self._packer)
            if start.length is not None:
                self.moved.append(Moved(begin, self._out.tell(), len(member)))
            self.write(member)

    def _end_record(self) -> None:
        """Ends the record that was written last, where its own end stood in bytes beyond its
        length, which are damaged or gone."""
        if self._layout.codec == "plain" and self._tail and not self._tail.endswith(_RECORD_ENDS):
            self.write(b"\r\n\r\n")

    def _rewrite_whole(self, stretches: Iterable[Stretch], replace: Replace) -> None:
        """Copies a file that is compressed as a whole."""
        # Looked for once more, for after a damage places are not quite offsets.
        self.rewritten.append(_ALL)
        self._rewrite(self._pieces(0), self._found(0, HEAD, iter(stretches)), 0, replace)

    def _rewrite(
        self,
        pieces: Iterator[Piece],
        found: Iterable[Portion],
        frame_at: int,
        replace: Replace,
    ) -> None:
        """Writes what stays of some decompressed bytes, the first of which is at `frame_at`."""
        rest = iter(found)
        upcoming = next(rest, None)
        at = frame_at
        record = _Record(self, None, replace)
        for piece in pieces:
            if piece.problem is not None:
                what = f"{piece.problem}, {piece.lost} bytes could not be passed on"
                self.lost.append(f"at {piece.frame}: {what}")
            data = piece.data
            while data:
                if upcoming is not None and upcoming.start.at <= at:
                    record.finish()
                    record = _Record(self, upcoming, replace)
                    upcoming = next(rest, None)
                    continue
                size = len(data) if upcoming is None else min(len(data), upcoming.start.at - at)
                record.write(data[:size])
                data = data[size:]
                at += size
        record.finish()

    def new_member(self) -> Packer:
        return self._packer()

    def write(self, data: bytes) -> None:
        self._out.write(data)
        self._tail = (self._tail + data[-4:])[-4:]


class _Record:
    """One record of several in a frame, on its way to a member of its own; what stands before the
    first is no portion, and stays."""

    def __init__(self, copying: Copying, portion: Portion | None, replace: Replace) -> None:
        self._copying = copying
        self._portion = portion
        self._replace = replace
        self._member: Packer | None = None
        self._stays = portion is None or portion.stretch.stays
        # What must be seen as a whole before it is written.
        self._held: list[bytes] | None = None
        if portion is not None and not portion.whole and not portion.absent:
            self._held = []

    def write(self, data: bytes) -> None:
        if self._held is not None:
            self._held.append(data)
            if sum(map(len, self._held)) > self._copying.longest:
                self._give_up(self._held)
        elif self._stays:
            self._member = self._member or self._copying.new_member()
            self._copying.write(self._member.compress(data))

    def _give_up(self, held: list[bytes]) -> None:
        """Writes as it is what is too long to be seen as a whole."""
        if self._portion is not None and not self._portion.mend:
            self._replace(self._portion.stretch, None)
        self._held, self._stays = None, True
        self.write(b"".join(held))

    def finish(self) -> None:
        if self._held is not None and self._portion is not None:
            made = self._made(self._portion, b"".join(self._held))
            if made is not None:
                self._copying.write(packed(made, self._copying.new_member))
        elif self._member is not None:
            self._copying.write(self._member.flush())

    def _made(self, portion: Portion, data: bytes) -> bytes | None:
        if portion.mend:
            return mended(portion.start, data) if data.strip(_BLANK) else None
        return self._replace(portion.stretch, data)
