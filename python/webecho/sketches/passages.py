"""*Passage*: a chunk as a person reads it: its text as the page has it, and on which lines."""

from dataclasses import dataclass

import pyarrow as pa

from webecho import _core
from webecho.chunkings import Chunking


@dataclass(frozen=True)
class Passage:
    """A chunk, as the page table has it; lines are numbered from 1, and only those count that have
    text."""

    chunk: int
    first_line: int
    last_line: int
    # From which byte of the page's text on it stands.
    start: int
    text: str


def passages(
    sketcher: _core.Sketcher, pages: pa.RecordBatch, chunking: Chunking
) -> list[list[Passage]]:
    """The passages of each page, one for each of its chunks, in the same order; `pages` are as the
    sketcher takes them (see `content`), and those without a body have none."""
    found = sketcher.passages(pages, chunking.table)
    names = ("chunks", "first_lines", "last_lines", "starts", "texts")
    columns = (found[name].to_pylist() for name in names)
    return [
        [Passage(*each) for each in zip(*(values or () for values in row), strict=True)]
        for row in zip(*columns, strict=True)
    ]
