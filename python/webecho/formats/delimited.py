"""Rows of CSV and TSV files, the header first.

Fields may be quoted and hold line breaks, so a row may take many lines. A quote that is not closed
takes rows with it, up to the next quote, the longest field that there may be, or the end of the
file; that is one bad row, which says which lines it took. Quotes that are not doubled inside quotes
are forgiven if the row is whole within its line.

In TSV a quote may be data like any other character. It is taken for quoting where the header is
quoted, or where all fields in the file's beginning that begin with a quote are quoted by the rules.
"""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain

from webecho.formats.lines import BadRecord, split
from webecho.formats.packing import DamagedError

# So much of a file tells whether quotes are quotes.
_TOLD_BY = 1 << 20
_QUOTED = re.compile(r'(?:^|\t)"', re.MULTILINE)
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
                    # As `read/undecoded.py` has it: rows are parted alike for all who ask.
                    self.line = (line or b"").decode("utf-8", "surrogateescape") + "\n"
                    yield self.line
        except DamagedError as error:
            self.damage = str(error)
        self.ended = True


@dataclass(frozen=True)
class Dialect:
    """What parts the fields, None if the header is to show it, and whether quotes are quotes, None
    if the file's beginning is to show it."""

    delimiter: str | None = None
    quoted: bool | None = True


CSV = Dialect()
# By the name of the format.
DIALECTS = {
    "csv": CSV,
    "tsv": Dialect("\t", None),
    "tsv-plain": Dialect("\t", False),
    "tsv-quoted": Dialect("\t", True),
}


def rows(
    blocks: Iterator[bytes], dialect: Dialect = CSV, longest: int = LONGEST
) -> Iterator[list[str] | BadRecord]:
    """The header, then the rows; bytes that are not UTF-8 are lone surrogates in them."""
    return _rows(*_begun(blocks, dialect, longest))


def row_ends(
    blocks: Iterator[bytes], dialect: Dialect = CSV, longest: int = LONGEST
) -> Iterator[int]:
    """After how many lines the header ends, and then each row."""
    lines, settled = _begun(blocks, dialect, longest)
    for _ in _rows(lines, settled):
        yield lines.taken


def _begun(blocks: Iterator[bytes], dialect: Dialect, longest: int) -> tuple[_Lines, Dialect]:
    """The lines, and the dialect with what the file's beginning tells of it."""
    if dialect.quoted is not None:
        return _Lines(blocks, longest), dialect
    held: list[bytes] = []
    count = 0
    ended: DamagedError | bool = False
    try:
        while count < _TOLD_BY and not ended:
            block = next(blocks, None)
            ended = block is None
            held += () if block is None else (block,)
            count += len(block or b"")
    except DamagedError as damage:
        ended = damage
    beginning = b"".join(held)[:_TOLD_BY].decode("utf-8", "replace").removeprefix("\ufeff")
    lines = _Lines(_resumed(held, blocks, ended), longest)
    return lines, replace(dialect, quoted=_are_quotes(beginning, bool(ended)))


def _resumed(
    held: list[bytes], blocks: Iterator[bytes], ended: DamagedError | bool
) -> Iterator[bytes]:
    yield from held
    if isinstance(ended, DamagedError):
        raise ended
    yield from blocks


def _are_quotes(beginning: str, whole: bool) -> bool:
    """Whether all fields of a TSV that begin with a quote are quoted by the rules."""
    if beginning.lstrip().startswith('"'):
        return True
    if not _QUOTED.search(beginning):
        return False
    csv.field_size_limit(LONGEST)
    try:
        lines = (f"{line}\n" for line in beginning.split("\n"))
        found = list(csv.reader(lines, delimiter="\t", strict=True))
    except csv.Error:
        return False
    # The last row may be cut off.
    widths = {len(row) for row in (found if whole else found[:-1]) if row}
    return len(widths) == 1


def _rows(source: _Lines, dialect: Dialect) -> Iterator[list[str] | BadRecord]:
    found = _quoted_rows(source, dialect.delimiter) if dialect.quoted else _plain_rows(source)
    yield from found
    if source.damage:
        yield BadRecord("broken compression", source.damage)


def _plain_rows(source: _Lines) -> Iterator[list[str] | BadRecord]:
    """The rows of a TSV in which quotes are data."""
    width = None
    for line in source:
        row = line[:-1].removesuffix("\r").split("\t")
        if width is None and not line.strip():
            continue
        width = len(row) if width is None else width
        yield _judged(row if line.strip() else [], width, source)
        source.too_long = False


def _judged(row: list[str], width: int, source: _Lines) -> list[str] | BadRecord:
    if source.too_long:
        return BadRecord("too long", f"a line of over {source.longest} bytes")
    if not row:
        return BadRecord("blank")
    if len(row) != width:
        return BadRecord("wrong number of fields", f"{len(row)}, where the header has {width}")
    return row


def _quoted_rows(source: _Lines, delimiter: str | None) -> Iterator[list[str] | BadRecord]:
    csv.field_size_limit(source.longest)
    lines = iter(source)
    top = next((line for line in lines if line.strip()), "")
    sign = delimiter or delimiter_of(top)
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
        yield _judged(row, width, source)


def _forgiven(line: str, sign: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=sign), [])
    except csv.Error:
        return []


def delimiter_of(header: str) -> str:
    return next((sign for sign in (",", ";", "\t") if sign in header), ",")
