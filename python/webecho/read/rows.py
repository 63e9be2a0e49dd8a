"""Rows as pages: the columns of any table become those of `PAGES`."""

from collections.abc import Iterable
from math import isnan
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.formats.skipped import Skipped
from webecho.read.batching import joined
from webecho.read.dates import Column, timestamp, timestamps
from webecho.read.dictionaries import decoded
from webecho.read.pages import MAX_PAGE_BYTES, PAGES, Batch

_BODY = PAGES.get_field_index("body")
# Offsets in a string column are 32 bits. Before addresses or ids come near that, the ones that
# can be neither are dropped.
_MANY_BYTES = 1 << 30
_LONGEST_NAME = 64 << 10


def is_text(kind: pa.DataType) -> bool:
    """Whether values of this type are decoded text."""
    types = pa.types
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def is_bytes(kind: pa.DataType) -> bool:
    """Whether values of this type are bytes."""
    types = pa.types
    return bool(
        types.is_binary(kind)
        or types.is_large_binary(kind)
        or types.is_binary_view(kind)
        or types.is_fixed_size_binary(kind)
    )


def page_rows(
    places: Column,
    body: Column,
    markup: Column,
    url: Column | None = None,
    ids: Column | None = None,
    dates: Column | None = None,
    by: Column | None = None,
    values: Column | None = None,
    stored_digest: Column | None = None,
    skipped: Iterable[Skipped] = (),
    longest: int = MAX_PAGE_BYTES,
) -> Batch:
    """The rows as pages, with what was skipped among them; a body over the longest is so too.

    `markup` is one truth for all of them, or a column.
    """
    count = len(places)
    body = _body(body)
    columns = {field.name: pa.nulls(count, field.type) for field in PAGES}
    columns |= {"place": places, "body": body, "markup": markup}
    if isinstance(markup, bool):
        columns["markup"] = pa.repeat(pa.scalar(markup), count)
    if is_text(body.type):
        # Text that is decoded already must not be decoded again as what its <meta> says.
        columns["charset"] = pa.repeat(pa.scalar("utf-8"), count)
    if url is not None:
        columns["url"] = names(url)
    if ids is not None:
        columns["id"] = names(ids)
    if dates is not None:
        columns["fetched"] = timestamps(dates)
    if by is not None:
        columns["by"] = names(by)
    if values is not None:
        columns["value"] = numbers(values)
    if stored_digest is not None:
        columns["stored_digest"] = stored_digest
    schema = PAGES.set(_BODY, pa.field("body", body.type))
    pages = pa.RecordBatch.from_arrays([columns[name] for name in PAGES.names], schema=schema)
    pages, too_long = _without_too_long(pages, longest)
    everything = (*skipped, *too_long)
    return Batch(pages, tuple(sorted(everything, key=lambda skip: skip.place)))


def _without_too_long(
    pages: pa.RecordBatch, longest: int
) -> tuple[pa.RecordBatch, Iterable[Skipped]]:
    if pages.column(_BODY).nbytes <= longest:
        return pages, ()
    lengths = _core.byte_lengths(pages.column(_BODY))
    too_long = pc.indices_nonzero(pc.greater(lengths, pa.scalar(longest))).to_pylist()
    skipped, kept, start = [], [], 0
    for row in too_long:
        place, url = (pages.column(name)[row].as_py() for name in ("place", "url"))
        skipped.append(Skipped(place, "too long", f"{lengths[row]} bytes", url, failed=True))
        kept.append(pages.slice(start, row - start))
        start = row + 1
    # Not filtered, which views cannot be.
    kept = [some for some in (*kept, pages.slice(start)) if some.num_rows]
    return joined(kept or [pages.slice(0, 0)]), skipped


def _body(column: Column) -> Column:
    kind = column.type
    if pa.types.is_dictionary(kind):
        return _body(decoded(column))
    if isinstance(kind, pa.BaseExtensionType):
        return _body(column.storage)
    if pa.types.is_null(kind):
        return column.cast(pa.large_string())
    if pa.types.is_fixed_size_binary(kind):
        return column.cast(pa.large_binary())
    return column


def names(column: Column) -> Column:
    """Addresses or ids of any type as valid strings."""
    kind = column.type
    if pa.types.is_string(kind):
        return column if _valid(column) else _repaired(column)
    if isinstance(kind, pa.BaseExtensionType):
        return names(column.storage)
    if pa.types.is_dictionary(kind):
        return names(decoded(column))
    if is_text(kind) or is_bytes(kind):
        if column.nbytes > _MANY_BYTES:
            column = column.cast(pa.large_binary())
            lengths: Column = pc.binary_length(column)
            short = pc.less_equal(lengths, pa.scalar(_LONGEST_NAME))
            column = pc.if_else(short, column, pa.scalar(None, pa.large_binary()))
        return _repaired(column)
    try:
        return column.cast(pa.string())
    except pa.ArrowException:
        return pa.array([None if v is None else str(v) for v in column.to_pylist()], pa.string())


def numbers(column: Column) -> Column:
    """Values to sort by as numbers: dates as seconds, text as the number or date it is."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        return numbers(decoded(column))
    if pa.types.is_boolean(kind):
        return column.cast(pa.int8()).cast(pa.float64())
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return column.cast(pa.float64(), safe=False)
    if is_text(kind):
        return pa.array([number(value) for value in column.to_pylist()], pa.float64())
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        return pc.divide(timestamps(column).cast(pa.int64()).cast(pa.float64()), 1e6)
    return pa.nulls(len(column), pa.float64())


def number(value: Any) -> float | None:
    """A value to sort by, if it is a number, or text that is one or a date."""
    if not isinstance(value, str | int | float):
        return None
    try:
        found = float(value)
    except ValueError:
        date = timestamp(value)
        return None if date is None else date.timestamp()
    except OverflowError:
        return None
    return None if isnan(found) else found


def _valid(column: Column) -> bool:
    try:
        column.validate(full=True)
    except pa.ArrowException:
        return False
    return True


def _repaired(column: Column) -> Column:
    try:
        return column.cast(pa.large_binary()).cast(pa.string())
    except pa.ArrowException:
        raw = column.cast(pa.large_binary()).to_pylist()
        texts = [None if v is None else v.decode("utf-8", "backslashreplace") for v in raw]
        return pa.array(texts, pa.string())


def numbers_from(first: int, count: int) -> pa.Array:
    """So many numbers in a row, made without a Python number for each."""
    start = pa.scalar(first - 1, pa.int64())
    return pc.add(pc.cumulative_sum(pa.repeat(pa.scalar(1, pa.int64()), count)), start)
