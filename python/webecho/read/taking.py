"""Single rows of Arrow tables of any types, those from which Arrow itself can take none too: views,
and values that are encoded by their runs."""

from collections.abc import Iterator, Sequence

import pyarrow as pa

from webecho.read.batching import VIEWS


def taken_rows(table: pa.Table, rows: Sequence[int]) -> pa.Table:
    """The rows at these places, ascending, in columns of the same types."""
    at = pa.array(rows, pa.int64())
    try:
        return table.take(at)
    except pa.ArrowNotImplementedError:
        columns = [taken_values(column, rows) for column in table.columns]
        return pa.Table.from_arrays(columns, schema=table.schema)


def taken_values(column: pa.ChunkedArray, rows: Sequence[int]) -> pa.ChunkedArray:
    """The same of one column."""
    at = pa.array(rows, pa.int64())
    try:
        return column.take(at)
    except pa.ArrowNotImplementedError:
        if column.type in VIEWS:
            return column.cast(VIEWS[column.type][-1]).take(at).cast(column.type)
    pieces = (column.slice(first, count) for first, count in stretches(rows))
    return pa.chunked_array([chunk for each in pieces for chunk in each.chunks], column.type)


def one_array(column: pa.ChunkedArray) -> pa.Array:
    """A column in one piece."""
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.nulls(0, column.type)


def stretches(rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Where rows follow each other: the first of them, and how many they are."""
    first = count = 0
    for row in rows:
        if count and row == first + count:
            count += 1
            continue
        if count:
            yield first, count
        first, count = row, 1
    if count:
        yield first, count
