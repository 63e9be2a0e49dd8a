"""*Limits*: how long what is read may be, so that all that is in flight keeps within its memory.

What a page takes on its way is known by its bytes: while it is read, some times as much as it is
long (a line, its decoded text, the column); while it is sketched, for the text, its tokens and
their shingles, at the worst (a page of single letters, or of Chinese) some more. So the longest
page that may be read follows from the memory, and one that is longer is skipped, counted and told,
as a page beyond `MAX_PAGE_BYTES` is. Nothing else in a result follows from it.
"""

from dataclasses import dataclass

from webecho.formats.skipped import Skipped
from webecho.read.pages import BATCH_BYTES, MAX_PAGE_BYTES

# What the process holds beside pages: the libraries, the threads' buffers, the rows of a row group.
# Measured: 45 MB when all is loaded, 75 to 95 MB while small pages are sketched and written.
BESIDE = 100 << 20
# Bytes held for each byte of a page while it is read. Measured: 4 in JSON lines, and 7 where Python
# needs 4 bytes a character; 5 in archives; CSV takes twice as much, so that its rows are half as
# long.
READING = 8
# … and while it is sketched, read again and compared. Measured: 4 to 7 with words, 10 to 15 with
# single letters, Chinese, or letters that a charset makes longer.
SKETCHING = 16
# The longest window, which a decompressor holds at once, is this part of the memory for pages.
_WINDOWS = 8
_LEAST_WINDOW = 8 << 20
_MOST_WINDOW = 1 << 31
# Python objects that one separator of a JSON line may stand for.
_OBJECT = 96

# Longer addresses and ids are none, where memory is short: tables hold thousands of them at a time.
_LONGEST_NAME = 64 << 10

_UNPACKED = 6

OVER_MEMORY = "too long for the memory"


@dataclass(frozen=True)
class Limits:
    """Bytes of the longest page, of an address or id, of a batch of pages, and of the window of a
    compressed file. `room` is for all that is in flight; None where nothing was said."""

    page: int = MAX_PAGE_BYTES
    name: int = MAX_PAGE_BYTES
    batch: int = BATCH_BYTES
    window: int = _MOST_WINDOW
    room: int | None = None

    @property
    def reading(self) -> int:
        """What may be held while a page is read, beside those that were."""
        return READING * self.page

    @property
    def unpacked(self) -> int:
        """The largest page of a Parquet file: it is held packed and unpacked, and so is the one
        before."""
        return MAX_PAGE_BYTES if self.room is None else self.room // _UNPACKED

    @property
    def footer(self) -> int:
        """The longest footer of a Parquet file, of which libraries make some ten times as much."""
        return _MOST_WINDOW if self.room is None else self.room // SKETCHING

    @property
    def reason(self) -> str:
        """Why a page that is too long is none."""
        return "too long" if self.room is None else OVER_MEMORY

    def too_long(self, place: int, what: str, url: str | None = None) -> Skipped:
        """That something at this place is longer than a page may be."""
        return Skipped(place, self.reason, what, url, failed=True)

    def over(self, place: int, detail: str, url: str | None = None) -> Skipped:
        """That something at this place takes more memory than is allowed."""
        return Skipped(place, OVER_MEMORY, detail, url, failed=True)

    def fits_line(self, line: bytes) -> bool:
        """Whether the values of a JSON line can be held, by the signs that part them."""
        if self.room is None or len(line) * _OBJECT <= self.reading:
            return True
        signs = sum(line.count(sign) for sign in (b",", b"{", b"[", b":"))
        return 4 * len(line) + _OBJECT * signs <= self.reading


USUAL = Limits()


def limits_within(memory: int | None) -> Limits:
    """The limits that follow from how much memory is allowed."""
    if memory is None:
        return USUAL
    room = max(memory - BESIDE, 16 << 20)
    page = min(MAX_PAGE_BYTES, room // SKETCHING)
    window = min(_MOST_WINDOW, max(_LEAST_WINDOW, room // _WINDOWS))
    batch = min(BATCH_BYTES, page // 2)
    return Limits(page, _LONGEST_NAME, batch, window, room)
