"""Parquet files: opened so that memory stays bounded, and their row groups."""

from collections.abc import Container, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from webecho.formats import files

# Rows are decoded in small steps and then gathered, for a step is in memory whatever its length,
# and the average tells little: long pages may stand together, and a dictionary (by the writers'
# usual limit, of values of up to 1 MiB) may stand for far more than its column chunk has. Measured:
# steps of 128 rows cost 0.24 s for a million rows, of 8,192 rows 0.1 s.
STEP_BYTES = 4 << 20
STEP_ROWS = 128
# How much of a column chunk is fetched at a time, instead of all of it.
_FETCH = 1 << 20
_FETCH_REMOTE = 8 << 20

# What Arrow raises for bytes that are not what they should be.
BROKEN = (pa.ArrowException, OSError, ValueError, MemoryError)


class Writer(pq.ParquetWriter):  # type: ignore[misc]
    """One that says nothing when it is let go of after a failure, which was raised already."""

    def __del__(self) -> None:
        with suppress(Exception):
            super().__del__()


def open_parquet(raw: BinaryIO, name: str) -> pq.ParquetFile:
    """The open file of this name as Parquet; raises one of `BROKEN` if it is none."""
    # Fetching each column chunk bit by bit, not whole, is what keeps memory bounded when a
    # row group is huge.
    fetch = _FETCH_REMOTE if files.is_remote(name) else _FETCH
    return pq.ParquetFile(raw, buffer_size=fetch, pre_buffer=False, page_checksum_verification=True)


@dataclass(frozen=True)
class RowGroup:
    """A row group of a file: its first row, and the row after its last."""

    file: pq.ParquetFile
    number: int
    first: int
    end: int

    @property
    def bytes(self) -> int:
        """How many bytes of the file it takes, or by what the file says of it would."""
        group = self.file.metadata.row_group(self.number)
        columns = (group.column(index) for index in range(group.num_columns))
        return sum(max(column.total_compressed_size, 0) for column in columns)

    def step(self, names: Container[str]) -> int:
        """How many rows of the columns of these names are decoded at a time."""
        group = self.file.metadata.row_group(self.number)
        columns = [group.column(index) for index in range(group.num_columns)]
        size = sum(c.total_uncompressed_size for c in columns if c.path_in_schema in names)
        average = max(size // max(group.num_rows, 1), 1)
        return int(max(min(STEP_ROWS, STEP_BYTES // average), 1))


def row_groups(file: pq.ParquetFile) -> Iterator[RowGroup]:
    """The row groups of a file."""
    end = 0
    for number in range(file.metadata.num_row_groups):
        first, end = end, end + file.metadata.row_group(number).num_rows
        yield RowGroup(file, number, first, end)
