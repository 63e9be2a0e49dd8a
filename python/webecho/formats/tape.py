"""*Tape*: the decompressed bytes of an archive file, as the careful reader goes along them."""

import re
from collections import deque
from collections.abc import Iterator

from webecho.formats.frames import BEGINS, Piece

BLANK = re.compile(rb"[\r\n\0 \t]*")
# In a block whose length is wrong the next record is looked for, but in all of a file in no more
# bytes than this: else a file made for the purpose would take quadratic time.
_PATIENCE = 256 << 20


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
        """The first match of a pattern for up to five bytes in `data`."""
        # Where it was looked for in vain is not looked at again: headers without end would take
        # quadratic time.
        start = max(0, self._searched.get(pattern, 0) - self.at)
        found = pattern.search(self.data, start)
        if found is None:
            self._searched[pattern] = self.at + max(start, len(self.data) - 4)
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
            blank = BLANK.match(self.data)
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
