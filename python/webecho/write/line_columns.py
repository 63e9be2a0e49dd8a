"""More columns for the records of text files: keys of JSON objects, fields of CSV rows. All else of
a record stays the bytes it was; one that is no page stays as it is."""

import csv
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import chain, islice, pairwise
from typing import Any, Protocol

import orjson

from webecho.errors import InputError, setting
from webecho.formats.delimited import delimiter_of
from webecho.formats.lines import BOM
from webecho.formats.packing import DamagedError
from webecho.write.annotations import RowFeed
from webecho.write.selection import GoneRows

# Records whose columns are looked up at a time.
_SOME = 1024
PREFIX = setting("prefix")


class ColumnsSource(Protocol):
    """A text file whose records have columns."""

    @property
    def name(self) -> str: ...

    @property
    def delimiter(self) -> str | None:
        """What parts the fields of a row, where that is said."""

    @property
    def id_path(self) -> tuple[str, ...] | None:
        """Where in a JSON object the id stands."""

    def row_ends(self, blocks: Iterator[bytes]) -> Iterator[int] | None: ...


def with_columns(
    source: ColumnsSource,
    blocks: Iterator[bytes],
    again: Iterator[bytes],
    gone: Iterator[range],
    feed: RowFeed,
    lost: list[str],
) -> Iterator[bytes]:
    """The records that stay, with more columns; `again` are the blocks once more, to tell where
    rows end."""
    going, ends = GoneRows(gone), source.row_ends(again)
    records = _records(_whole(blocks, source.name, lost), ends)
    first = next(records, None)
    if first is None:
        return
    place, line = first
    if line.startswith(BOM):
        yield BOM
        line = line.removeprefix(BOM)
    sign: str | None = None
    if ends is None:
        records = chain([(place, line)], records)
    else:
        header = line.decode("utf-8", "replace").lstrip()
        sign = source.delimiter or delimiter_of(header)
        yield _header(
            line, next(csv.reader(io.StringIO(header), delimiter=sign)), sign, feed, source
        )
    while some := [*islice(records, _SOME)]:
        start = next((at for at, _ in some if at is not None), 0)
        places = [start + offset for offset in range(len(some))]
        rows = feed.rows(start, len(some)).to_pylist()
        stay = {row for each in going.staying(start, start + len(some)) for row in range(*each)}
        for (at, record), row, number in zip(some, rows, places, strict=True):
            if at is None or number in stay:
                if _is_none(row):
                    yield record
                elif sign is None:
                    yield _more_keys(record, row, source, number)
                else:
                    yield _more_fields(record, row, sign)


def _is_none(row: dict[str, Any]) -> bool:
    return all(value is None for value in row.values())


def _whole(blocks: Iterator[bytes], name: str, lost: list[str]) -> Iterator[bytes]:
    """Lines with their ends."""
    rest: list[bytes] = []
    try:
        for block in blocks:
            *lines, last = block.split(b"\n")
            for line in lines:
                yield b"".join((*rest, line, b"\n"))
                rest = []
            rest.append(last)
    except DamagedError as error:
        lost.append(f"{name}: {error}; what comes after could not be passed on")
    if any(rest):
        yield b"".join(rest)


def _records(
    lines: Iterator[bytes], ends: Iterator[int] | None
) -> Iterator[tuple[int | None, bytes]]:
    """Records with their places; the header, and what follows the last row, has none."""
    if ends is None:
        yield from enumerate(lines)
        return
    place: int | None = None
    for start, end in pairwise(chain([0], ends)):
        yield place, b"".join(islice(lines, end - start))
        place = 0 if place is None else place + 1
    yield from ((None, line) for line in lines)


def _ending(record: bytes) -> tuple[bytes, bytes]:
    """A record, and its line end."""
    body = record.rstrip(b"\r\n")
    return body, record[len(body) :]


def _header(
    record: bytes, there: list[str], sign: str, feed: RowFeed, source: ColumnsSource
) -> bytes:
    for name in feed.schema.names:
        if name in there:
            raise taken(source.name, name)
    body, end = _ending(record)
    return body + _fields(feed.schema.names, sign) + end


def taken(source: str, name: str) -> InputError:
    """Nothing that was there is replaced."""
    return InputError(
        f"{source}: has a column {name} already; name the new ones otherwise with ", PREFIX
    )


def _more_fields(record: bytes, row: dict[str, Any], sign: str) -> bytes:
    body, end = _ending(record)
    texts = ["" if value is None else _text(_plain(value)) for value in row.values()]
    return body + _fields(texts, sign) + end


def _more_keys(record: bytes, row: dict[str, Any], source: ColumnsSource, place: int) -> bytes:
    body, end = _ending(record)
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError:
        # As the reader does with what strict JSON forbids.
        found = json.loads(body.decode("utf-8", "replace"))
    for name in row:
        if name in found:
            raise taken(f"{source.name}, line {place + 1}", name)
    values = {name: _like_id(_plain(value), name, found, source) for name, value in row.items()}
    added = json.dumps(values, ensure_ascii=False)[1:-1].encode()
    return body.rstrip()[:-1].rstrip() + (b", " if found else b"") + added + b"}" + end


def _like_id(value: Any, name: str, found: dict[str, Any], source: ColumnsSource) -> Any:
    """The id of another row as a number where this row's is one."""
    if not name.endswith("kept_id") or not isinstance(value, str) or source.id_path is None:
        return value
    own: Any = found
    for key in source.id_path:
        own = own.get(key) if isinstance(own, dict) else None
    is_number = isinstance(own, int) and not isinstance(own, bool)
    return int(value) if is_number and value.lstrip("-").isdecimal() else value


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return value


def _text(value: Any) -> str:
    return json.dumps(value) if isinstance(value, bool) else str(value)


def _fields(texts: list[str], delimiter: str) -> bytes:
    if delimiter == "\t":
        # Where quotes are data they would be data here too.
        return "".join(f"\t{' '.join(text.split())}" for text in texts).encode()
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="").writerow(texts)
    return (delimiter + out.getvalue()).encode()
