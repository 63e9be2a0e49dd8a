"""*Passage*: a chunk as a person reads it: its text as the page has it, and on which lines."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from webecho import _core
from webecho.chunkings import Chunking

# What stands between two passages that do not meet.
GAP = "\n"
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Passages:
    """A page's text, and for each of its chunks, as the page table has them, where it stands: on
    which lines, numbered from 1, of which only those count that have text, and from which byte of
    the text on and up to which. The texts of sliding chunks together would be many times the
    page's; so they are cut when they are read."""

    text: bytes
    chunks: Numbers
    first_lines: Numbers
    last_lines: Numbers
    starts: Numbers
    ends: Numbers

    def __len__(self) -> int:
        return len(self.chunks)

    def lines(self, at: int, count: int = 1) -> tuple[int, int]:
        """The first and the last line of so many passages from this one on."""
        return int(self.first_lines[at]), int(self.last_lines[at + count - 1])

    def cut(self, at: int, count: int = 1) -> str:
        """The text of so many passages from this one on: what two of them have in common comes
        once."""
        starts = self.starts[at : at + count]
        reached = np.maximum.accumulate(self.ends[at : at + count])
        breaks = np.flatnonzero(starts[1:] > reached[:-1])
        firsts, lasts = starts[[0, *(breaks + 1)]], reached[[*breaks, count - 1]]
        pieces = zip(firsts.tolist(), lasts.tolist(), strict=True)
        return GAP.join(self.text[first:last].decode() for first, last in pieces)


def passages(sketcher: _core.Sketcher, pages: pa.RecordBatch, chunking: Chunking) -> list[Passages]:
    """The passages of each page, one for each of its chunks, in the same order; `pages` are as the
    sketcher takes them (see `content`), and those without a body have none."""
    found = sketcher.passages(pages, chunking.table)
    names = ("chunks", "first_lines", "last_lines", "starts", "ends")
    nothing = np.array([], np.int64)
    made = []
    for row, text in enumerate(found["text"]):
        lists = [found[name][row].values for name in names]
        columns = [nothing if each is None else each.to_numpy() for each in lists]
        made.append(Passages((text.as_py() or "").encode(), *columns))
    return made
