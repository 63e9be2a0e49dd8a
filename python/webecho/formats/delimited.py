"""Rows of CSV and TSV files, the header first.

Fields may be quoted and hold line breaks, so a row may take many lines. A quote that is not closed
takes rows with it, up to the next quote, the longest field that there may be, or the end of the
file; that is one bad row, which says which lines it took. Quotes that are not doubled inside quotes
are forgiven if the row is whole within its line.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from webecho.formats.lines import BadRecord, split
from webecho.formats.packing import DamagedError

# Python's csv holds a field with 4 bytes a character: this is 256 MiB.
LONGEST = 64 << 20


@dataclass
class _Lines:
    """The lines for Python's csv, and what happened while it asked for them."""

    blocks: Iterator[bytes]
    longest: int
    line: str = ""
    taken: int = 0
    too_long: bool = False
    ended: bool = False
    damage: str | None = None

    def __iter__(self) -> Iterator[str]:
        try:
            for lines in split(self.blocks, self.longest):
                for line in lines:
                    self.taken += 1
                    self.too_long |= line is None
                    self.line = (line or b"").decode("utf-8", "replace") + "\n"
                    yield self.line
        except DamagedError as error:
            self.damage = str(error)
        self.ended = True


def rows(
    blocks: Iterator[bytes], delimiter: str | None, longest: int = LONGEST
) -> Iterator[list[str] | BadRecord]:
    """The header, then the rows; without a delimiter given, as the header shows it."""
    return _rows(_Lines(blocks, longest), delimiter)


def row_ends(
    blocks: Iterator[bytes], delimiter: str | None, longest: int = LONGEST
) -> Iterator[int]:
    """After how many lines the header ends, and then each row."""
    lines = _Lines(blocks, longest)
    for _ in _rows(lines, delimiter):
        yield lines.taken


def _rows(source: _Lines, delimiter: str | None) -> Iterator[list[str] | BadRecord]:
    csv.field_size_limit(source.longest)
    lines = iter(source)
    top = next((line for line in lines if line.strip()), "")
    sign = delimiter or _delimiter(top)
    reader = csv.reader(chain((top,), lines), delimiter=sign, strict=True)
    width = None
    while True:
        line, source.too_long = reader.line_num + 1, False
        try:
            row = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            where = f"lines {line} to {reader.line_num}"
            if source.ended:
                yield BadRecord("unclosed quote", where)
                continue
            row = _forgiven(source.line, sign) if reader.line_num == line else []
            if not row or len(row) != width:
                yield BadRecord("bad CSV", f"{where}: {error}")
                continue
        width = len(row) if width is None else width
        if source.too_long:
            yield BadRecord("too long", f"a line of over {source.longest} bytes")
        elif not row:
            yield BadRecord("blank")
        elif len(row) != width:
            yield BadRecord("wrong number of fields", f"{len(row)}, where the header has {width}")
        else:
            yield row
    if source.damage:
        yield BadRecord("broken compression", source.damage)


def _forgiven(line: str, sign: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=sign), [])
    except csv.Error:
        return []


def _delimiter(header: str) -> str:
    return next((sign for sign in (",", ";", "\t") if sign in header), ",")
