"""What stays of ARC files, as WARC files: each record in the new format, its block unchanged."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from webecho.formats import unreadable
from webecho.formats.arc import warc_header
from webecho.formats.frames import Piece, pieces_from
from webecho.formats.members import packed, packer
from webecho.formats.records import RecordLayout
from webecho.formats.scan import Judging, Start, starts
from webecho.formats.tape import Tape
from webecho.write.archive import Replace, fates
from webecho.write.selection import Stretch

_NAME = re.compile(r"\.arc(?=(?:\.\w+)?\Z)", re.IGNORECASE)
_APART = ".from-arc"
# Enough to see the line of a record, and the first bytes of its block.
_LOOK = 20 << 10


def warc_name(path: Path) -> Path:
    """The path with `.warc` for `.arc`."""
    return path.with_name(_NAME.sub(".warc", path.name))


def apart(path: Path) -> Path:
    """The path of an ARC file whose WARC file would have another's name."""
    return path.with_name(_NAME.sub(f"{_APART}.arc", path.name))


def own_name(path: Path) -> Path:
    """The path of an ARC file that becomes no WARC file, and needs not be told from others."""
    return path.with_name(path.name.replace(f"{_APART}.arc", ".arc"))


def is_sound(opened: Callable[[], BinaryIO], layout: RecordLayout, judge: Judging) -> bool:
    """Whether all records of the file can be read."""
    with opened() as file:
        found = starts(
            Tape(pieces_from(file, layout.codec, layout.window)(0)), judge, layout.numbering
        )
        return all(start.sound or start.length is not None for start in found)


def write_arc(
    opened: Callable[[], BinaryIO],
    layout: RecordLayout,
    judge: Judging,
    stretches: Iterable[Stretch],
    out: BinaryIO,
    replace: Replace,
) -> list[str]:
    """Writes the records that stay, and what takes the place of others, as WARC records; gives what
    could not be passed on."""
    with opened() as file, opened() as again:
        new = packer(layout.codec, file)
        data = _Data(pieces_from(file, layout.codec, layout.window)(0))
        date = unreadable.UNKNOWN_DATE
        for start, stretch, end in _spans(again, layout, judge, stretches):
            data.skip(start.at - data.at)
            if not stretch.stays and not stretch.alone:
                continue
            size = end - start.at
            made = None
            if start.sound or start.length is not None:
                head = data.peek(min(_LOOK, size))
                made = warc_header(head, start.place, size, date, start.length)
            if made is None:
                # It was no page, and must not become one by being put in order.
                made = unreadable.header(start.place, size, f"{start.place} {size}"), 0, size
            header, skipped, length = made
            if b"WARC-Type: warcinfo" in header:
                date = header.partition(b"WARC-Date: ")[2].partition(b"\r\n")[0]
            data.skip(skipped)
            if stretch.alone:
                # It was a page, and so is not too long to be held.
                whole = header + b"".join(data.take(length)) + b"\r\n\r\n"
                taken = replace(stretch, whole)
                out.write(packed(taken, new) if taken else b"")
                continue
            member = new()
            out.write(member.compress(header))
            for block in data.take(length):
                out.write(member.compress(block))
            out.write(member.compress(b"\r\n\r\n") + member.flush())
        data.skip(None)
    return data.lost


def _spans(
    file: BinaryIO, layout: RecordLayout, judge: Judging, stretches: Iterable[Stretch]
) -> Iterator[tuple[Start, Stretch, int]]:
    """Where each record begins, its stretch, and where it ends in the decompressed bytes."""
    tape = Tape(pieces_from(file, layout.codec, layout.window)(0))
    held: tuple[Start, Stretch] | None = None
    for start, stretch in fates(starts(tape, judge, layout.numbering), stretches):
        if held is not None:
            yield *held, start.at
        held = start, stretch
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
