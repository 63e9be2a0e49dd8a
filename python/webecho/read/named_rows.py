"""*Named rows*: a small table as people write it by hand or by program: CSV or TSV with a header,
JSON lines, or Parquet; as it is or compressed.

Columns go by any of several names, as in `query` or `q`. What is not there is null.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, BinaryIO

import orjson

from webecho.errors import InputError
from webecho.formats import files
from webecho.formats.delimited import DIALECTS, rows
from webecho.formats.lines import BadRecord, split
from webecho.formats.packing import SHORT_WINDOW, DamagedError, unpacked
from webecho.formats.parquet import BROKEN, open_parquet, short_rows
from webecho.read.streams import readable_twice
from webecho.read.undecoded import replaced

ROWS = 65_536
# Rows of so many bytes are given at a time, if there are not as many.
_BYTES = 8 << 20
# No line of such a table is longer.
_LONGEST = 1 << 20

Columns = Mapping[str, Sequence[str]]


@dataclass
class RowCounts:
    """What became of the rows."""

    rows: int = 0
    bad: int = 0


Row = tuple[Any, ...]


def named_rows(name: str, columns: Columns, counts: RowCounts) -> Iterator[list[Row]] | None:
    """The rows some at a time, their values in the order of `columns`, each with the names by which
    it goes, the first of which must be there; None if the file has no header and is no JSON."""
    if files.kind(name) not in ("file", "stream"):
        is_folder = files.kind(name) == "folder"
        said = "is a folder; name a file in it" if is_folder else "no such file; check the spelling"
        raise InputError(f"{name}: {said}")
    first, *_ = columns
    with readable_twice(name) as there, files.open_file(there) as file:
        head = file.read(4)
        file.seek(0)
        try:
            titles = (
                open_parquet(file, name).schema_arrow.names if head == b"PAR1" else titles_of(file)
            )
        except (DamagedError, *BROKEN) as error:
            raise InputError(
                f"{name} cannot be read ({error}); check how it was made, or fetch it again"
            ) from error
    if titles is not None and place_of(titles, columns[first]) is None:
        return None
    return _read(name, columns, titles, counts)


def titles_of(file: BinaryIO) -> list[str] | None:
    """The header of a delimited file; None for JSON lines."""
    lines = split(unpacked(file, SHORT_WINDOW), _LONGEST)
    line = next((line for some in lines for line in some if line and line.strip()), b"")
    if line.lstrip().startswith(b"{"):
        return None
    found = next(rows(iter([line]), DIALECTS[dialect_of(line)]), [])
    return [*map(replaced, found)] if isinstance(found, list) else []


def dialect_of(line: bytes) -> str:
    return "tsv" if b"\t" in line else "csv"


def place_of(titles: Sequence[str], names: Sequence[str]) -> int | None:
    """Where the column is that goes by one of these names."""
    lower = [title.strip().lower() for title in titles]
    return next((lower.index(name) for name in names if name in lower), None)


def _read(
    name: str, columns: Columns, titles: list[str] | None, counts: RowCounts
) -> Iterator[list[Row]]:
    with readable_twice(name) as there, files.open_file(there) as file:
        head = file.read(4)
        file.seek(0)
        if head == b"PAR1":
            found = _of_parquet(file, name, columns, titles or [])
        elif titles is None:
            found = _of_json(unpacked(file, SHORT_WINDOW), columns)
        else:
            found = _of_text(unpacked(file, SHORT_WINDOW), columns, titles)
        held: list[Row] = []
        size = 0
        try:
            for row in found:
                counts.rows += 1
                if row is None or row[0] in (None, ""):
                    counts.bad += 1
                    continue
                held.append(row)
                size += sum(len(value) for value in row if isinstance(value, str))
                if len(held) == ROWS or size >= _BYTES:
                    yield held
                    held, size = [], 0
        except (DamagedError, *BROKEN) as error:
            raise InputError(f"{name} cannot be read ({error}); mend it") from error
        if held:
            yield held


def _of_text(blocks: Iterator[bytes], columns: Columns, titles: list[str]) -> Iterator[Row | None]:
    places = [place_of(titles, names) for names in columns.values()]
    first = next(blocks, b"")
    line = first.lstrip(b"\xef\xbb\xbf\r\n").split(b"\n", 1)[0]
    found = rows(chain([first], blocks), DIALECTS[dialect_of(line)], _LONGEST)
    next(found, None)
    for row in found:
        if isinstance(row, BadRecord):
            if row.reason != "blank":
                yield None
            continue
        yield tuple(None if at is None or at >= len(row) else replaced(row[at]) for at in places)


def _of_json(blocks: Iterator[bytes], columns: Columns) -> Iterator[Row | None]:
    for lines in split(blocks, _LONGEST):
        for line in lines:
            if line is not None and not line.strip():
                continue
            try:
                row = orjson.loads(line or b"")
            except orjson.JSONDecodeError:
                row = None
            if not isinstance(row, dict):
                yield None
                continue
            lower = {str(key).strip().lower(): value for key, value in row.items()}
            yield tuple(
                next((lower[name] for name in names if name in lower), None)
                for names in columns.values()
            )


def _of_parquet(
    file: BinaryIO, name: str, columns: Columns, titles: list[str]
) -> Iterator[Row | None]:
    places = [place_of(titles, names) for names in columns.values()]
    read = [titles[at] for at in places if at is not None]
    for batch in short_rows(file, name, read):
        lists = [
            [None] * len(batch) if at is None else batch[titles[at]].to_pylist() for at in places
        ]
        yield from zip(*lists, strict=True)
