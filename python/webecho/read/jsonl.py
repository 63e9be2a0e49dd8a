"""JSON lines: one object a line, its keys the columns.

One broken line is skipped and the rest goes on. What strict JSON forbids but crawls contain is
read nevertheless: halves of surrogate pairs, NaN, bytes that are not UTF-8 (see undecoded.py).
"""

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import orjson
import pyarrow as pa

from webecho.formats.lines import BadRecord, split
from webecho.formats.packing import DamagedError
from webecho.formats.skipped import Skipped
from webecho.read.columns import Chosen, Field, Path
from webecho.read.dates import FETCHED, Column, timestamp, timestamps
from webecho.read.limits import OVER_MEMORY, USUAL, Limits
from webecho.read.pages import Batch
from webecho.read.rows import page_rows
from webecho.read.sort_keys import sort_key
from webecho.read.undecoded import as_bodies, as_text, encoded

# The columns are chosen by the first objects, of which there must be one in the first bytes.
_LOOK_ROWS = 100
_LOOK_BYTES = 16 << 20
# From here on a float no longer tells two integers apart.
_EXACT = float(1 << 53)

_TYPES: dict[type, pa.DataType] = {
    str: pa.string(),
    bool: pa.bool_(),
    int: pa.int64(),
    float: pa.float64(),
    list: pa.list_(pa.null()),
    dict: pa.struct([]),
    type(None): pa.null(),
}


class JsonLines:
    """The form of JSON lines."""

    format = "jsonl"
    delimiter = None

    def __init__(self, limits: Limits = USUAL) -> None:
        self._limits = limits

    def fields(self, blocks: Iterator[bytes]) -> list[Field]:
        seen: dict[Path, set[pa.DataType]] = {}
        rows = looked = 0
        try:
            for lines in split(blocks, self._limits.page):
                for line in lines:
                    row = _parsed(line) if line and self._limits.fits_line(line) else None
                    if isinstance(row, dict):
                        rows += 1
                        _note(row, (), seen)
                    looked += len(line or b"")
                    if rows == _LOOK_ROWS or looked > _LOOK_BYTES:
                        return _fields(seen)
        except DamagedError:
            pass
        return _fields(seen)

    def records(self, blocks: Iterator[bytes], _: Chosen, /) -> Iterator[list[Any]]:
        try:
            for lines in split(blocks, self._limits.page):
                yield [self._held(line) for line in lines] if self._limits.bounded else lines
        except DamagedError as error:
            yield [BadRecord("broken compression", str(error))]

    def _held(self, line: bytes | None) -> bytes | BadRecord | None:
        if line is None or self._limits.fits_line(line):
            return line
        return BadRecord(OVER_MEMORY, f"a line of {len(line)} bytes with many values")

    def row_ends(self, _: Iterator[bytes]) -> None:
        return None

    def pages(self, records: list[tuple[int, Any]], chosen: Chosen) -> Batch:
        return _batch(records, chosen, self._limits)


def _note(row: dict[str, Any], above: Path, seen: dict[Path, set[pa.DataType]]) -> None:
    for key, value in row.items():
        path = (*above, key)
        seen.setdefault(path, set()).add(_TYPES[type(value)])
        if isinstance(value, dict) and len(path) < 8:
            _note(value, path, seen)


def _fields(seen: dict[Path, set[pa.DataType]]) -> list[Field]:
    fields = []
    for path in sorted(seen, key=len):
        kinds = seen[path] - {pa.null()}
        kind = pa.string() if pa.string() in kinds else min(kinds, key=str, default=None)
        fields.append(Field(path, kind))
    return fields


def _parsed(line: bytes) -> Any:
    """The value of the line; raises no error but gives None for what is not JSON at all."""
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        pass
    try:
        return _mended(json.loads(line.decode("utf-8", "replace")))
    except (ValueError, RecursionError):
        return None


def _odd(line: bytes, path: Path) -> tuple[Any, Any]:
    """What is not strict JSON, as far as it is JSON at all, and the body in it: bytes, if it is
    text of which not all can be decoded."""
    row = _parsed(line)
    body = _at(row, path)
    if not isinstance(body, str) or "\ufffd" not in body:
        return row, body
    try:
        text = line.decode()
    except UnicodeDecodeError:
        found = _at(json.loads(as_text(line)), path)
        return row, encoded(found) if isinstance(found, str) else body
    found = _at(json.loads(text), path)
    return row, found.encode("utf-8", "surrogatepass") if isinstance(found, str) else body


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_mended(key): _mended(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_mended(inner) for inner in value]
    return value


def _at(row: Any, path: Path) -> Any:
    for key in path:
        row = row.get(key) if isinstance(row, dict) else None
    return row


def _batch(lines: list[tuple[int, Any]], chosen: Chosen, limits: Limits) -> Batch:
    """The pages of these lines."""
    places: list[int] = []
    bodies: list[str | bytes | None] = []
    urls: list[str | None] = []
    ids: list[str | None] = []
    dates: list[Any] = []
    by: list[list[str | None]] = [[] for _ in chosen.by]
    ranked: list[list[str | None]] = [[] for _ in chosen.ranked]
    values: list[list[bytes | None]] = [[] for _ in chosen.values]
    texts = (*zip(chosen.by, by, strict=True), *zip(chosen.ranked, ranked, strict=True))
    skipped: list[Skipped] = []
    loads, url, key, date = orjson.loads, chosen.url, chosen.id, chosen.date
    flat = chosen.body[0] if len(chosen.body) == 1 else None
    for place, line in lines:
        try:
            row = loads(line or b"")
            body = row.get(flat) if flat else _at(row, chosen.body)
        except (orjson.JSONDecodeError, AttributeError):
            # What strict JSON forbids takes twice the memory to read.
            if isinstance(line, bytes) and limits.bounded and 2 * len(line) > limits.page:
                skipped.append(limits.over(place, f"{len(line)} bytes that are no strict JSON"))
                continue
            row, body = _odd(line, chosen.body) if isinstance(line, bytes) else (None, None)
        if not isinstance(row, dict) or not (body is None or isinstance(body, str | bytes)):
            skipped.append(_why(place, line, row, body, chosen, limits))
            continue
        places.append(place)
        bodies.append(body)
        if url is not None:
            value = _at(row, url)
            urls.append(value if isinstance(value, str) else None)
        if key is not None:
            own: Any = _at(row, key)
            ids.append(own if isinstance(own, str) else _name(own, line, key))
        if date is not None:
            dates.append(_at(row, date))
        for path, column in texts:
            text = _at(row, path)
            column.append(text if isinstance(text, str) else _name(text, line, path))
        for path, keys in zip(chosen.values, values, strict=True):
            keys.append(sort_key(_exactly(_at(row, path), line, path)))
    body_column, charset = as_bodies(bodies)
    return page_rows(
        pa.array(places, pa.int64()),
        body_column,
        chosen.markup,
        url=pa.array(urls, pa.string()) if url is not None else None,
        ids=pa.array(ids, pa.string()) if key is not None else None,
        dates=_dates(dates) if date is not None else None,
        by=[pa.array(column, pa.string()) for column in by],
        values=[pa.array(column, pa.binary()) for column in values],
        ranked=[pa.array(column, pa.string()) for column in ranked],
        charset=charset,
        skipped=skipped,
        limits=limits,
    )


def _why(
    place: int, line: bytes | BadRecord | None, row: Any, body: Any, chosen: Chosen, limits: Limits
) -> Skipped:
    if isinstance(line, BadRecord):
        return Skipped(place, line.reason, line.detail, failed=True)
    if line is None:
        return limits.too_long(place, f"a line of over {limits.page} bytes")
    if not line.strip():
        return Skipped(place, "blank")
    if isinstance(row, dict):
        detail = f"{'.'.join(chosen.body)} is a {type(body).__name__}, not text"
        return Skipped(place, "not text", detail, failed=True)
    wrong = _complaint(line) if row is None else f"a {type(row).__name__}, not an object"
    return Skipped(place, "bad JSON", wrong, failed=True)


def _complaint(line: bytes) -> str | None:
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return str(error)
    return "null, not an object"


def _name(value: Any, line: bytes | None, key: Path) -> str | None:
    """An id that is no string as one; objects and lists are no ids."""
    if value is None or isinstance(value, dict | list):
        return None
    value = _exactly(value, line, key)
    return json.dumps(float(value) if isinstance(value, Decimal) else value)


def _exactly(value: Any, line: bytes | None, key: Path) -> Any:
    """The value as it is written: orjson makes a whole number of over 64 bits a float, and no float
    has more than 17 digits."""
    if isinstance(value, float) and abs(value) >= _EXACT and line:
        try:
            row = json.loads(line.decode("utf-8", "replace"), parse_float=Decimal)
        except (ValueError, RecursionError):
            return value
        return _at(row, key)
    return value


def _dates(values: list[Any]) -> Column:
    if all(value is None or isinstance(value, str) for value in values):
        return timestamps(pa.array(values, pa.string()))
    return pa.array([timestamp(value) for value in values], FETCHED)
