"""Rows as pages: the columns of any table become those of `PAGES`."""

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.formats.skipped import Skipped
from webecho.read.batching import joined
from webecho.read.dates import Column, timestamps
from webecho.read.dictionaries import decoded
from webecho.read.limits import USUAL, Limits
from webecho.read.pages import PAGES, Batch
from webecho.read.sort_keys import sort_keys

_BODY = PAGES.get_field_index("body")
# Offsets in a string column are 32 bits. Before addresses or ids come near that, the ones that
# can be neither are dropped.
_MANY_BYTES = 1 << 30
_LONGEST_NAME = 64 << 10
_NAMES = {"url": "an address", "id": "an id"}


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
    by: Sequence[Column] = (),
    values: Sequence[Column] = (),
    ranked: Sequence[Column] = (),
    stored_digest: Column | None = None,
    charset: Column | None = None,
    skipped: Iterable[Skipped] = (),
    limits: Limits = USUAL,
) -> Batch:
    """The rows as pages, with what was skipped among them; a body, address or id over the
    limits is so too.

    `markup` is one truth for all of them, or a column. `charset` is what bodies are known to be in;
    text is in UTF-8.
    """
    count = len(places)
    body = _body(body)
    columns = {field.name: pa.nulls(count, field.type) for field in PAGES}
    columns |= {"place": places, "body": body, "markup": markup}
    if isinstance(markup, bool):
        columns["markup"] = pa.repeat(pa.scalar(markup), count)
    if charset is not None:
        columns["charset"] = charset
    elif is_text(body.type):
        # Text that is decoded already must not be decoded again as what its <meta> says.
        columns["charset"] = pa.repeat(pa.scalar("utf-8"), count)
    if url is not None:
        columns["url"] = names(url)
    if ids is not None:
        columns["id"] = names(ids)
    if dates is not None:
        columns["fetched"] = timestamps(dates)
    for name, given, made in (
        ("by", by, names),
        ("values", values, keyed),
        ("ranked", ranked, names),
    ):
        if given:
            columns[name] = side_by_side([made(column) for column in given])
    if stored_digest is not None:
        columns["stored_digest"] = stored_digest
    schema = PAGES.set(_BODY, pa.field("body", body.type))
    pages = pa.RecordBatch.from_arrays([columns[name] for name in PAGES.names], schema=schema)
    pages, too_long = _without_too_long(pages, "body", limits.page, limits)
    for name in ("url", "id") if limits.bounded else ():
        pages, over = _without_too_long(pages, name, limits.name, limits)
        too_long = (*too_long, *over)
    everything = (*skipped, *too_long)
    return Batch(pages, tuple(sorted(everything, key=lambda skip: skip.place)))


def _without_too_long(
    pages: pa.RecordBatch, name: str, longest: int, limits: Limits
) -> tuple[pa.RecordBatch, Iterable[Skipped]]:
    if pages[name].nbytes <= longest:
        return pages, ()
    lengths = _core.byte_lengths(pages[name])
    too_long = pc.indices_nonzero(pc.greater(lengths, pa.scalar(longest))).to_pylist()
    skipped, kept, start = [], [], 0
    for row in too_long:
        place, length = pages["place"][row].as_py(), lengths[row].as_py()
        if name == "body":
            url = pages["url"][row].as_py()
            skipped.append(limits.too_long(place, f"{length} bytes", url, length))
        else:
            skipped.append(limits.over(place, f"{_NAMES[name]} of {length} bytes"))
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


def keyed(column: Column) -> Column:
    """Values to sort by as keys, unless they are keys already."""
    return column if is_bytes(column.type) else sort_keys(column)


def side_by_side(columns: Sequence[Column]) -> pa.ListArray:
    """The columns as one of lists, which have a value from each."""
    count, width = len(columns[0]), len(columns)
    # Column after column becomes row after row.
    order = np.arange(width * count).reshape(width, count).T.ravel()
    ends = pa.array(np.arange(0, width * count + 1, width, dtype=np.int32))
    return pa.ListArray.from_arrays(ends, pa.concat_arrays(columns).take(pa.array(order)))


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
