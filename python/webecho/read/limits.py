"""*Limits*: how long what is read may be, so that all that is in flight keeps within its memory.

What a page takes on its way is known by its bytes: while it is read, some times as much as it is
long (a line, its decoded text, the column); while it is sketched, for the text, its tokens and
their shingles, at the worst (a page of single letters, or of Chinese) some more. So the longest
page that may be read follows from the memory, and one that is longer is skipped, counted and told,
as a page beyond `MAX_PAGE_BYTES` is.

What is skipped follows from the longest page alone, which a workspace keeps among its settings: so
it is the same whatever the memory of the run that goes on with it.
"""

import re
from dataclasses import dataclass

from webecho.formats.skipped import Skipped
from webecho.read.pages import BATCH_BYTES, MAX_PAGE_BYTES

# What the process holds beside pages: the libraries, the threads' buffers, the rows of a row group.
# Measured: 45 MB when all is loaded, 75 to 95 MB while small pages are sketched and written.
BESIDE_PAGES = 100 << 20
# Bytes held for each byte of a page while it is read. Measured: 4 in JSON lines, and 7 where Python
# needs 4 bytes a character; 5 in archives; CSV takes twice as much, so that its rows are half as
# long.
READING_TIMES = 8
# … and while it is sketched, read again and compared. Measured: 4 to 7 with words, 10 to 15 with
# single letters, Chinese, or letters that a charset makes longer.
SKETCHING_TIMES = 16
_LEAST_ROOM = 16 << 20
_LEAST_FOOTER = 1 << 20
# The longest window, which a decompressor holds at once, is this part of the memory for pages.
_WINDOWS = 8
_LEAST_WINDOW = 8 << 20
_MOST_WINDOW = 1 << 31
# Python objects that one separator of a JSON line may stand for.
_OBJECT = 96

# Longer addresses and ids are none, where memory is short: tables hold thousands of them at a time.
_LONGEST_NAME = 64 << 10

_UNPACKED = 6
_MB = 1_000_000
_ENOUGH = re.compile(r"; ([0-9]+MB) of memory is enough$")

OVER_MEMORY = "too long for the memory"


@dataclass(frozen=True)
class Limits:
    """Bytes of the longest page, of an address or id, and of the window of a compressed file, which
    are `bounded` where the memory was when reading began. A batch, and the `room` for all that is
    in flight, change no result; None where nothing was said of the memory."""

    page: int = MAX_PAGE_BYTES
    name: int = MAX_PAGE_BYTES
    window: int = _MOST_WINDOW
    bounded: bool = False
    batch: int = BATCH_BYTES
    room: int | None = None

    @property
    def longest(self) -> int | None:
        """The longest page, where that is bounded."""
        return self.page if self.bounded else None

    @property
    def reading(self) -> int:
        """What may be held while a page is read, beside those that were."""
        return READING_TIMES * self.page

    @property
    def in_flight(self) -> int:
        """What the longest page takes, at the worst."""
        return SKETCHING_TIMES * self.page

    @property
    def unpacked(self) -> int:
        """The largest page of a Parquet file: it is held packed and unpacked, and so is the one
        before."""
        return self.in_flight // _UNPACKED if self.bounded else MAX_PAGE_BYTES

    @property
    def footer(self) -> int:
        """The longest footer of a Parquet file, of which libraries make some ten times as much."""
        return max(self.page, _LEAST_FOOTER) if self.bounded else _MOST_WINDOW

    @property
    def reason(self) -> str:
        """Why a page that is too long is none."""
        return OVER_MEMORY if self.bounded else "too long"

    def too_long(
        self, place: int, what: str, url: str | None = None, length: int | None = None
    ) -> Skipped:
        """That something at this place is longer than a page may be, and of which length it is if
        that is known."""
        detail = what if length is None or not self.bounded else with_enough(what, length)
        return Skipped(place, self.reason, detail, url, failed=True)

    def over(self, place: int, detail: str, url: str | None = None) -> Skipped:
        """That something at this place takes more memory than is allowed."""
        return Skipped(place, OVER_MEMORY, detail, url, failed=True)

    def fits_line(self, line: bytes) -> bool:
        """Whether the values of a JSON line can be held, by the signs that part them."""
        if not self.bounded or len(line) * _OBJECT <= self.reading:
            return True
        signs = sum(line.count(sign) for sign in (b",", b"{", b"[", b":"))
        return 4 * len(line) + _OBJECT * signs <= self.reading


USUAL = Limits()


def limits_within(memory: int | None) -> Limits:
    """The limits that follow from how much memory is allowed."""
    return limits_of(longest_page(memory), memory)


def longest_page(memory: int | None) -> int | None:
    """Bytes of the longest page for which so much memory is enough; None is as long as ever."""
    return None if memory is None else min(MAX_PAGE_BYTES, _room(memory) // SKETCHING_TIMES)


def limits_of(longest: int | None, memory: int | None) -> Limits:
    """The limits with which pages of up to `longest` bytes are read; None is as long as ever."""
    if longest is None and memory is None:
        return USUAL
    room = None if memory is None else _room(memory)
    batch = BATCH_BYTES if room is None else min(BATCH_BYTES, room // (2 * SKETCHING_TIMES))
    if longest is None:
        return Limits(batch=batch, room=room)
    window = min(_MOST_WINDOW, max(_LEAST_WINDOW, SKETCHING_TIMES * longest // _WINDOWS))
    return Limits(longest, _LONGEST_NAME, window, True, batch, room)


def memory_for(longest: int | None) -> int:
    """The least memory that is enough for pages of this length."""
    return BESIDE_PAGES + SKETCHING_TIMES * (MAX_PAGE_BYTES if longest is None else longest)


def unpacking(size: int) -> int:
    """The longest page of the limits that allow Parquet pages of so many bytes."""
    return -(-_UNPACKED * size // SKETCHING_TIMES)


def with_enough(detail: str, longest: int) -> str:
    """What is said of something that takes too much memory, with how much is enough for it, as for
    pages of this length, if any is."""
    if longest > MAX_PAGE_BYTES:
        return detail
    return f"{detail}; {-(-memory_for(longest) // _MB)}MB of memory is enough"


def enough(detail: str) -> str | None:
    """How much memory that says to be enough, if it does."""
    found = _ENOUGH.search(detail)
    return found and found[1]


def _room(memory: int) -> int:
    return max(memory - BESIDE_PAGES, _LEAST_ROOM)
