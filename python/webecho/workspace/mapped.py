"""Columns in mapped files: they are of any length and need no memory of their own."""

from collections.abc import Iterable, Iterator

import pyarrow as pa
import pyarrow.compute as pc

from webecho.workspace.scratch import temporary_file


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
