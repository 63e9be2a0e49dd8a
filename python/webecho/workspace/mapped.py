"""Columns in mapped files: they are of any length and need no memory of their own."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webecho.workspace.scratch import temporary_file

# Rows that are worked on at a time where there are many; fewer are not worth a file.
BLOCK = 1 << 16


def by_blocks(work: Callable[..., pa.Array], *columns: pa.Array | pa.ChunkedArray) -> pa.Array:
    """What `work` makes of columns of one length, a value for each row or for some of them: where
    rows are many, some at a time, and mapped."""
    count = len(columns[0])
    if count <= BLOCK:
        return work(*map(whole, columns))
    starts = range(0, count, BLOCK)
    return mapped_column(work(*(whole(c.slice(start, BLOCK)) for c in columns)) for start in starts)


def whole(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """A column in one piece."""
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def mapped_column(arrays: Iterable[pa.Array]) -> pa.Array:
    """The values of at least one array of numbers in a file that is mapped into memory; of truth
    values, which are a bit each, they are held."""
    kind: pa.DataType | None = None
    valid: list[pa.Array] = []
    held: list[pa.Array] = []
    total = 0
    with temporary_file() as file:
        for array in arrays:
            kind = array.type
            if pa.types.is_boolean(kind):
                held.append(array)
                continue
            valid.append(array.is_valid())
            values = array.fill_null(0) if array.null_count else array
            width = kind.bit_width // 8
            if len(values):
                piece = values.buffers()[1].slice(values.offset * width, len(values) * width)
                file.write(piece)
            total += len(values)
        assert kind is not None
        if held:
            return pa.concat_arrays(held)
        if not total:
            return pa.array([], kind)
        file.flush()
        with pa.memory_map(file.name) as memory:
            buffer = memory.read_buffer()
    return with_nulls(pa.Array.from_buffers(kind, total, [None, buffer]), valid)


def mapped_table(tables: Iterable[pa.Table], schema: pa.Schema) -> pa.Table:
    """The rows of all tables in a file that is mapped into memory."""
    with temporary_file() as file:
        with pa.ipc.new_file(file, schema) as writer:
            for table in tables:
                writer.write_table(table)
        file.flush()
        with pa.memory_map(file.name) as memory, pa.ipc.open_file(memory) as stored:
            return stored.read_all()


def mapped_zeros(count: int, kind: type[np.generic]) -> np.ndarray[Any, Any]:
    """Zeros that can be written to, mapped where they are many. All of the file is written before:
    where it has holes the disk may be full when they are filled, and the process would be
    killed."""
    if count <= BLOCK:
        return np.zeros(count, kind)
    with temporary_file() as file:
        some = bytes(BLOCK * np.dtype(kind).itemsize)
        for start in range(0, count, BLOCK):
            file.write(some[: (count - start) * np.dtype(kind).itemsize])
        file.flush()
        return np.memmap(file.name, kind, "r+", shape=(count,))


def flagged(count: int, pages: pa.Array | pa.ChunkedArray) -> pa.Array:
    """For each of so many pages whether it is one of these, which may have numbers beyond."""
    flags = np.zeros(count, np.bool_)
    for some in pages.chunks if isinstance(pages, pa.ChunkedArray) else [pages]:
        for start in range(0, len(some), BLOCK):
            numbers = some.slice(start, BLOCK).to_numpy()
            flags[numbers[(numbers >= 0) & (numbers < count)]] = True
    return pa.array(flags)


def mapped_values(arrays: Iterable[pa.Array]) -> pa.Array:
    """The values of all arrays in a file that is mapped into memory and goes away by itself."""
    total = 0
    with temporary_file() as file:
        for values in arrays:
            total += len(values)
            if len(values):
                file.write(values.buffers()[1].slice(values.offset * 8, len(values) * 8))
        file.flush()
        if not total:
            return pa.array([], pa.int64())
        # The name is gone when the block ends; the mapping holds the content.
        with pa.memory_map(file.name) as memory:
            buffer = memory.read_buffer()
        return pa.Array.from_buffers(pa.int64(), total, [None, buffer])


def mapped_numbers(columns: Iterable[pa.Array]) -> pa.Array:
    """Whole numbers, one after the other."""
    valid: list[pa.Array] = [pa.array([], pa.bool_())]

    def values() -> Iterator[pa.Array]:
        for column in columns:
            valid.append(column.is_valid())
            yield pc.fill_null(column, 0)

    return with_nulls(mapped_values(values()), valid)


def mapped_texts(columns: Iterable[pa.Array]) -> pa.Array:
    """Texts of any length, one after the other."""
    valid: list[pa.Array] = [pa.array([], pa.bool_())]
    with temporary_file() as file:
        total = 0

        def ends() -> Iterator[pa.Array]:
            nonlocal total
            yield pa.array([0], pa.int64())
            for column in columns:
                valid.append(column.is_valid())
                texts = pc.fill_null(column, "").cast(pa.large_string())
                first, last = bounds(texts)
                if last > first:
                    file.write(texts.buffers()[2].slice(first, last - first))
                yield pc.add(pc.cumulative_sum(pc.binary_length(texts)), total)
                total += last - first

        offsets = mapped_values(ends())
        file.flush()
        data = pa.py_buffer(b"")
        if total:
            with pa.memory_map(file.name) as memory:
                data = memory.read_buffer()
    count = len(offsets) - 1
    texts = pa.Array.from_buffers(pa.large_string(), count, [None, offsets.buffers()[1], data])
    return with_nulls(texts, valid)


def bounds(texts: pa.Array) -> tuple[int, int]:
    """Where the bytes of the first text begin in their buffer, and where those of the last end."""
    count = texts.offset + len(texts) + 1
    offsets = pa.Array.from_buffers(pa.int64(), count, [None, texts.buffers()[1]])
    return offsets[texts.offset].as_py(), offsets[count - 1].as_py()


def with_nulls(values: pa.Array, valid: list[pa.Array]) -> pa.Array:
    """The values, null where they are not valid: a bit each, and that is all that is held."""
    bits = pa.concat_arrays(valid)
    if bits.false_count == 0:
        return values
    return pa.Array.from_buffers(
        values.type, len(values), [bits.buffers()[1], *values.buffers()[1:]]
    )
