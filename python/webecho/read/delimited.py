"""CSV and TSV: a header with the names of the columns, then a row a page.

Fields may be quoted and hold line breaks, so a row may take many lines. A row with too few or too
many fields is skipped, and the rest goes on. A quote that is not closed takes rows with it, up to
the next quote, the longest field that there may be, or the end of the file; that is one skipped
row, which says which lines it took. Quotes that are not doubled inside quotes are forgiven if the
row is whole within its line.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import pyarrow as pa

from webecho.formats.files import DamagedError
from webecho.read.columns import Chosen, Field, Path
from webecho.read.lines import Bad, split
from webecho.read.pages import Batch, Skipped
from webecho.read.rows import page_rows

# Python's csv holds a field with 4 bytes a character: this is 256 MiB.
_LONGEST = 64 << 20
_ROWS = 2048
_CHARS = 4 << 20


class Delimited:
    """The form of CSV, or with a tab given as the delimiter, of TSV."""

    format = "csv"

    def __init__(self, delimiter: str | None = None) -> None:
        self._delimiter = delimiter

    def fields(self, blocks: Iterator[bytes]) -> list[Field]:
        header = next(_rows(_Lines(blocks), self._delimiter), None)
        return [Field((name,), pa.string()) for name in header] if isinstance(header, list) else []

    def records(self, blocks: Iterator[bytes], chosen: Chosen, /) -> Iterator[list[Any]]:
        rows = _rows(_Lines(blocks), self._delimiter)
        header = next(rows, None)
        if not isinstance(header, list):
            return
        if chosen.body[0] in header:
            paths = (
                *(chosen.body, chosen.url, chosen.id, chosen.date),
                *(chosen.by, chosen.value),
            )
            yield from _some(rows, [_index(header, path) for path in paths])
        else:
            yield [Bad("no header", "no row before this names the columns")]

    def ends(self, blocks: Iterator[bytes]) -> Iterator[int]:
        """After how many lines the header ends, and then each record."""
        lines = _Lines(blocks)
        for _ in _rows(lines, self._delimiter):
            yield lines.taken

    def pages(self, records: list[tuple[int, Any]], chosen: Chosen) -> Batch:
        good = [(place, row) for place, row in records if not isinstance(row, Bad)]
        bad = [
            Skipped(place, row.reason, row.detail, failed=row.reason != "blank")
            for place, row in records
            if isinstance(row, Bad)
        ]
        urls, ids, dates, by, values = (
            pa.array([row[index] or None for _, row in good], pa.string()) for index in range(1, 6)
        )
        return page_rows(
            pa.array([place for place, _ in good], pa.int64()),
            pa.array([row[0] for _, row in good], pa.large_string()),
            chosen.markup,
            url=urls if chosen.url else None,
            ids=ids if chosen.id else None,
            dates=dates if chosen.date else None,
            by=by if chosen.by else None,
            values=values if chosen.value else None,
            skipped=bad,
        )


def _index(header: list[str], path: Path | None) -> int | None:
    return header.index(path[0]) if path and path[0] in header else None


@dataclass
class _Lines:
    """The lines for Python's csv, and what happened while it asked for them."""

    blocks: Iterator[bytes]
    line: str = ""
    taken: int = 0
    too_long: bool = False
    ended: bool = False
    damage: str | None = None

    def __iter__(self) -> Iterator[str]:
        try:
            for lines in split(self.blocks, _LONGEST):
                for line in lines:
                    self.taken += 1
                    self.too_long |= line is None
                    self.line = (line or b"").decode("utf-8", "replace") + "\n"
                    yield self.line
        except DamagedError as error:
            self.damage = str(error)
        self.ended = True


def _rows(source: _Lines, delimiter: str | None) -> Iterator[list[str] | Bad]:
    """The header, then the rows."""
    csv.field_size_limit(_LONGEST)
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
                yield Bad("unclosed quote", where)
                continue
            row = _forgiven(source.line, sign) if reader.line_num == line else []
            if not row or len(row) != width:
                yield Bad("bad CSV", f"{where}: {error}")
                continue
        width = len(row) if width is None else width
        if source.too_long:
            yield Bad("too long", f"a line of over {_LONGEST} bytes")
        elif not row:
            yield Bad("blank")
        elif len(row) != width:
            yield Bad("wrong number of fields", f"{len(row)}, where the header has {width}")
        else:
            yield row
    if source.damage:
        yield Bad("broken compression", source.damage)


def _forgiven(line: str, sign: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=sign), [])
    except csv.Error:
        return []


def _delimiter(header: str) -> str:
    return next((sign for sign in (",", ";", "\t") if sign in header), ",")


def _some(
    rows: Iterator[list[str] | Bad], columns: list[int | None]
) -> Iterator[list[tuple[str | None, ...] | Bad]]:
    """The chosen fields of the rows, some at a time."""
    held: list[tuple[str | None, ...] | Bad] = []
    chars = 0
    for row in rows:
        if isinstance(row, list):
            chars += sum(map(len, row))
            held.append(tuple(None if at is None else row[at] for at in columns))
        else:
            held.append(row)
        if len(held) == _ROWS or chars >= _CHARS:
            yield held
            held, chars = [], 0
    if held:
        yield held
