"""Archive files copied less some of their records.

Kept records are copied as the bytes they are: a record goes from its place to the next one's, and
many that stand together are one stretch. That cuts a file only where a frame begins with a record.
Where a frame holds several and only some of them stay, it is decompressed, and each of those gets
a member of its own; so it is with a file that is compressed as a whole.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, takewhile
from typing import BinaryIO, Protocol

from webecho.formats.cdxj import Moved
from webecho.formats.frames import BEGINS, Piece, pieces_from
from webecho.formats.members import Packer, packed, packer
from webecho.formats.records import RecordLayout
from webecho.formats.scan import Judging, Start, starts
from webecho.formats.tape import Tape
from webecho.read.pages import MAX_PAGE_BYTES
from webecho.write.selection import Stretch

_BLOCK = 1 << 20
_ALL = range(1 << 62)
# What stands before the first record.
HEAD = Stretch(0, -1, 0, stays=True)

# Longer records are not looked at.
_LONGEST = MAX_PAGE_BYTES + (1 << 20)

# Given a record that goes and its bytes, what takes its place, if something does; it may be itself.
Replace = Callable[[Stretch, bytes], bytes | None]


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


class Copying:
    """One archive file, and what is written of it to `out`."""

    def __init__(
        self, opened: Callable[[], BinaryIO], layout: RecordLayout, judge: Judging, out: BinaryIO
    ) -> None:
        self._opened = opened
        self._file = opened()
        self._size = self._file.seek(0, 2)
        self._layout = layout
        self._judge = judge
        self._out = out
        self._pieces = pieces_from(self._file, layout.codec)
        self._packer = packer(layout.codec, self._file)
        self.moved: list[Moved] = []
        self.rewritten: list[range] = []
        self.lost: list[str] = []
        self.replaced = 0

    def close(self) -> None:
        self._file.close()

    def copy(self, stretches: Iterable[Stretch] | None, replace: Replace = lambda *_: None) -> None:
        """Copies the file less the stretches that go; all of it as it is if none are given."""
        if stretches is None:
            self._copy_range(0, self._size)
            return
        if self._layout.numbering == "stream":
            self._rewrite_whole(stretches)
            return
        rest = iter(stretches)
        at, current = 0, HEAD
        last: int | None = None
        for stretch in rest:
            if not (stretch.stays and current.stays):
                if not self._cuts(stretch.first, last):
                    self._copy_carefully(at, current, chain((stretch,), rest), replace)
                    return
                self._deal(current, at, stretch.first, replace)
                at, current = stretch.first, stretch
            last = stretch.last
        self._deal(current, at, self._size, replace)

    def _cuts(self, place: int, last: int | None) -> bool:
        """Whether a frame begins at the place, and with a record."""
        if self._layout.codec == "plain":
            return True
        if last is not None and place == last + 1:
            # Several records in a frame are counted on from its offset.
            return False
        piece = next(self._pieces(place), None)
        return piece is not None and piece.frame == place and BEGINS.match(piece.data) is not None

    def _deal(self, stretch: Stretch, start: int, end: int, replace: Replace) -> None:
        if stretch.stays:
            self._copy_range(start, end)
            return
        data = self._read(start, end) if stretch.alone else None
        made = None if data is None else replace(stretch, data)
        if made is None:
            return
        self.replaced += 1
        if made == data:
            self._copy_range(start, end)
            return
        member = packed(made, self._packer)
        self.moved.append(Moved(start, self._out.tell(), len(member), replaced=True))
        self._out.write(member)

    def _read(self, start: int, end: int) -> bytes | None:
        """The decompressed bytes of these frames; None if they are damaged or too many."""
        if self._layout.codec == "plain":
            self._file.seek(start)
            return self._file.read(end - start) if end - start <= _LONGEST else None
        parts: list[bytes] = []
        size = 0
        for piece in takewhile(lambda piece: piece.frame < end, self._pieces(start)):
            size += len(piece.data)
            if piece.problem is not None or size > _LONGEST:
                return None
            parts.append(piece.data)
        return b"".join(parts)

    def _copy_range(self, start: int, end: int) -> None:
        if end > start:
            self.moved.append(Moved(start, self._out.tell(), end - start))
        self._file.seek(start)
        while start < end and (block := self._file.read(min(_BLOCK, end - start))):
            self._out.write(block)
            start += len(block)

    def _copy_carefully(
        self, at: int, stretch: Stretch, rest: Iterator[Stretch], replace: Replace
    ) -> None:
        """Copies from an offset on by what the careful reader finds there."""
        group: list[tuple[Start, Stretch]] = []
        begin, frame_at = at, 0
        for start, fate in self._found(at, stretch, rest):
            if start.clean and group:
                self._deal_group(group, begin, start.place, frame_at, replace)
                group, begin, frame_at = [], start.place, start.frame_at
            group.append((start, fate))
        self._deal_group(group, begin, self._size, frame_at, replace)

    def _found(
        self, at: int, stretch: Stretch, rest: Iterator[Stretch]
    ) -> Iterator[tuple[Start, Stretch]]:
        with self._opened() as again:
            tape = Tape(pieces_from(again, self._layout.codec)(at))
            yield from fates(starts(tape, self._judge, self._layout.numbering, at), rest, stretch)

    def _deal_group(
        self,
        group: list[tuple[Start, Stretch]],
        begin: int,
        end: int,
        frame_at: int,
        replace: Replace,
    ) -> None:
        """Records whose frames hold nothing else, and none of which has frames of its own."""
        if len({stretch.stays for _, stretch in group}) == 1 and (
            len(group) == 1 or group[0][1].stays
        ):
            self._deal(group[0][1], begin, end, replace)
        elif any(stretch.stays for _, stretch in group):
            self.rewritten.append(range(begin, end))
            inside = takewhile(lambda piece: piece.frame < end, self._pieces(begin))
            cuts = ((start.at - frame_at, stretch.stays) for start, stretch in group)
            self._rewrite(inside, cuts)

    def _rewrite_whole(self, stretches: Iterable[Stretch]) -> None:
        """Copies a file that is compressed as a whole."""
        # Looked for once more, for after a damage places are not quite offsets.
        self.rewritten.append(_ALL)
        found = self._found(0, HEAD, iter(stretches))
        self._rewrite(self._pieces(0), ((start.at, stretch.stays) for start, stretch in found))

    def _rewrite(self, pieces: Iterator[Piece], cuts: Iterable[tuple[int, bool]]) -> None:
        """Writes what stays of some decompressed bytes, cut at these offsets."""
        rest = iter(cuts)
        upcoming = next(rest, None)
        at, stays = 0, True
        member: Packer | None = None
        for piece in pieces:
            if piece.problem is not None:
                what = f"{piece.problem}, {piece.lost} bytes could not be passed on"
                self.lost.append(f"at {piece.frame}: {what}")
            data = piece.data
            while data:
                if upcoming is not None and upcoming[0] <= at:
                    if member is not None:
                        self._out.write(member.flush())
                        member = None
                    stays, upcoming = upcoming[1], next(rest, None)
                    continue
                size = len(data) if upcoming is None else min(len(data), upcoming[0] - at)
                if stays:
                    member = member or self._packer()
                    self._out.write(member.compress(data[:size]))
                data = data[size:]
                at += size
        if member is not None:
            self._out.write(member.flush())
