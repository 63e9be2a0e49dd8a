"""*Stored table*: a table of a workspace as it lies on the disk; it has its columns also where it
has no files."""

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from webecho.errors import WorkspaceError

MAKE = "make it again, or remove it"


@dataclass(frozen=True)
class Stored:
    """The Parquet files that hold the rows, one after the other, and their columns.

    `fix` is what to do about a file that cannot be read.
    """

    files: tuple[Path, ...]
    schema: pa.Schema
    fix: str = MAKE


def one_file(file: Path, fix: str = MAKE) -> Stored:
    """A table that lies in a file of its own, and has the columns that the file says."""
    try:
        return Stored((file,), pq.read_schema(file), fix)
    except (OSError, pa.ArrowInvalid) as error:
        raise WorkspaceError(f"{file} cannot be read ({error}); {fix}") from error
