"""*Stored table*: a table of a workspace as it lies on the disk; it has its columns also where it
has no files. A file that cannot be read is named, with what to do about it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from webecho.errors import WebechoError, WorkspaceError
from webecho.workspace.checksums import check_table
from webecho.workspace.mirror import fetch
from webecho.workspace.table_files import without_seal

MAKE = "make it again, or remove it"


@dataclass(frozen=True)
class InStore:
    """Parts that lie in a store, with their checksums, and what fetches and checks them; `checked`
    are those that somebody has checked, here or where they lie."""

    checksums: Mapping[Path, str]
    check: Callable[[], None]
    checked: set[Path]

    def unchecked(self) -> list[tuple[Path, str]]:
        return [(file, one) for file, one in self.checksums.items() if file not in self.checked]


@dataclass(frozen=True)
class Stored:
    """The Parquet files that hold the rows, one after the other, and their columns.

    `fix` is what to do about a file that cannot be read.
    """

    files: tuple[Path, ...]
    schema: pa.Schema
    fix: str = MAKE
    in_store: "InStore | None" = None

    def check(self) -> None:
        """Brings files here that lie in a store, and refuses those that are not what was written;
        others were looked at before."""
        if self.in_store is not None:
            self.in_store.check()

    def read(
        self, columns: Sequence[str] | None = None, rows: pc.Expression | None = None
    ) -> pa.Table:
        """The rows, in memory: some columns of some of them, or all."""
        self.check()
        names = None if columns is None else list(columns)
        tables = [self.schema.empty_table().select(names or self.schema.names)]
        for file in self.files:
            with readable(file, self.fix):
                tables.append(pq.read_table(file, columns=names, filters=rows, memory_map=False))
        return pa.concat_tables(tables)


def one_file(file: Path, name: str, fix: str = MAKE) -> Stored:
    """A table that lies in a file of its own, which was sealed under this name, and has the columns
    that the file says."""
    check_table(file, name, fix)
    return Stored((file,), without_seal(read_schema(file, fix)), fix)


@contextmanager
def readable(file: Path, fix: str, kind: type[WebechoError] = WorkspaceError) -> Iterator[None]:
    """Names the file, and what to do about it, if it cannot be read in the block."""
    fetch(file)
    try:
        yield
    except FileNotFoundError as error:
        raise kind(f"{file} is missing; {fix}") from error
    except (OSError, pa.ArrowInvalid) as error:
        raise kind(f"{file} cannot be read ({error}); {fix}") from error


def read_schema(file: Path, fix: str, kind: type[WebechoError] = WorkspaceError) -> pa.Schema:
    """The columns of a Parquet file."""
    with readable(file, fix, kind):
        return pq.read_schema(file)


def read_batches(file: Path, fix: str, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Some columns of a Parquet file, some rows at a time."""
    with readable(file, fix), pq.ParquetFile(file, pre_buffer=False) as parquet:
        yield from parquet.iter_batches(columns=[*columns])


def read_file(
    file: Path,
    fix: str = MAKE,
    columns: Sequence[str] | None = None,
    kind: type[WebechoError] = WorkspaceError,
) -> pa.Table:
    """The rows of a Parquet file, in memory; of these columns, if it has them all."""
    # `read_table` would first load what reads whole folders.
    with readable(file, fix, kind), pq.ParquetFile(file, pre_buffer=False) as parquet:
        for name in columns or ():
            if name not in parquet.schema_arrow.names:
                raise pa.ArrowInvalid(f"it has no column {name}")
        found = parquet.read(columns)
    return found.replace_schema_metadata(without_seal(found.schema).metadata)
