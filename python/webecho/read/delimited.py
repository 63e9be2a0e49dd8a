"""CSV and TSV: a header with the names of the columns, then a row a page.

A row with too few or too many fields is skipped, and the rest goes on. Bytes that are not UTF-8:
see undecoded.py.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pyarrow as pa

from webecho.formats.delimited import CSV, LONGEST, Dialect, row_ends, rows
from webecho.formats.lines import BadRecord
from webecho.formats.skipped import Skipped
from webecho.read.columns import Chosen, Field, Path
from webecho.read.limits import USUAL, Limits
from webecho.read.pages import Batch
from webecho.read.rows import page_rows
from webecho.read.undecoded import as_bodies, as_strings, replaced

_ROWS = 2048
_CHARS = 4 << 20


class Delimited:
    """The form of CSV, or of TSV by its dialect."""

    format = "csv"

    def __init__(self, dialect: Dialect = CSV, limits: Limits = USUAL) -> None:
        self._dialect = dialect
        self.delimiter = dialect.delimiter
        self._limits = limits
        # Python's csv takes 4 bytes for a character, and twice that while a field grows.
        self._longest = min(LONGEST, limits.page // 2 if limits.bounded else limits.page)

    def fields(self, blocks: Iterator[bytes]) -> list[Field]:
        header = next(rows(blocks, self._dialect, self._longest), None)
        names = map(replaced, header) if isinstance(header, list) else ()
        return [Field((name,), pa.string()) for name in names]

    def records(self, blocks: Iterator[bytes], chosen: Chosen, /) -> Iterator[list[Any]]:
        found = rows(blocks, self._dialect, self._longest)
        header = next(found, None)
        if not isinstance(header, list):
            return
        header = [replaced(name) for name in header]
        if chosen.body[0] in header:
            paths = (
                *(chosen.body, chosen.url, chosen.id, chosen.date),
                *(*chosen.by, *chosen.values, *chosen.ranked),
            )
            yield from _some(found, [_index(header, path) for path in paths])
        else:
            yield [BadRecord("no header", "no row before this names the columns")]

    def row_ends(self, blocks: Iterator[bytes]) -> Iterator[int]:
        return row_ends(blocks, self._dialect, self._longest)

    def pages(self, records: list[tuple[int, Any]], chosen: Chosen) -> Batch:
        good = [(place, row) for place, row in records if not isinstance(row, BadRecord)]
        bad = [
            self._limits.too_long(place, row.detail or "")
            if row.reason == "too long"
            else Skipped(place, row.reason, row.detail, failed=row.reason != "blank")
            for place, row in records
            if isinstance(row, BadRecord)
        ]
        width = 4 + len(chosen.by) + len(chosen.values) + len(chosen.ranked)
        urls, ids, dates, *others = (
            as_strings([row[index] or None for _, row in good]) for index in range(1, width)
        )
        several = iter(others)
        body, charset = as_bodies([row[0] for _, row in good])
        return page_rows(
            pa.array([place for place, _ in good], pa.int64()),
            body,
            chosen.markup,
            url=urls if chosen.url else None,
            ids=ids if chosen.id else None,
            dates=dates if chosen.date else None,
            by=[*islice(several, len(chosen.by))],
            values=[*islice(several, len(chosen.values))],
            ranked=[*several],
            charset=charset,
            skipped=bad,
            limits=self._limits,
        )


def _index(header: list[str], path: Path | None) -> int | None:
    return header.index(path[0]) if path and path[0] in header else None


def _some(
    rows: Iterator[list[str] | BadRecord], columns: list[int | None]
) -> Iterator[list[tuple[str | None, ...] | BadRecord]]:
    """The chosen fields of the rows, some at a time."""
    held: list[tuple[str | None, ...] | BadRecord] = []
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
