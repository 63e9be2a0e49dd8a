"""*Stored table*: a table of a workspace as it lies on the disk; it has its columns also where it
has no files."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from webecho.errors import WorkspaceError
from webecho.workspace.checksums import check_table
from webecho.workspace.table_files import without_seal

MAKE = "make it again, or remove it"


@dataclass(frozen=True)
class Stored:
    """The Parquet files that hold the rows, one after the other, and their columns.

    `fix` is what to do about a file that cannot be read.
    """

    files: tuple[Path, ...]
    schema: pa.Schema
    fix: str = MAKE

    def read(
        self, columns: Sequence[str] | None = None, rows: pc.Expression | None = None
    ) -> pa.Table:
        """The rows in memory: some columns of some of them, or all."""
        names = None if columns is None else list(columns)
        tables = [self.schema.empty_table().select(names or self.schema.names)]
        for file in self.files:
            try:
                tables.append(pq.read_table(file, columns=names, filters=rows, memory_map=False))
            except (OSError, pa.ArrowInvalid) as error:
                raise WorkspaceError(f"{file} cannot be read ({error}); {self.fix}") from error
        return pa.concat_tables(tables)


def one_file(file: Path, name: str, fix: str = MAKE) -> Stored:
    """A table that lies in a file of its own, which was sealed under this name, and has the columns
    that the file says."""
    check_table(file, name, fix)
    try:
        return Stored((file,), without_seal(pq.read_schema(file)), fix)
    except (OSError, pa.ArrowInvalid) as error:
        raise WorkspaceError(f"{file} cannot be read ({error}); {fix}") from error
