"""*Stored table*: a table of a workspace as it lies on the disk; it has its columns also where it
has no files."""

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from webecho.errors import WorkspaceError


@dataclass(frozen=True)
class Stored:
    """The Parquet files that hold the rows, one after the other, and their columns.

    `fix` is what to do about a file that cannot be read.
    """

    files: tuple[Path, ...]
    schema: pa.Schema
    fix: str = "make it again, or remove it"


def one_file(file: Path) -> Stored:
    """A table that lies in a file of its own."""
    try:
        return Stored((file,), pq.read_schema(file))
    except (OSError, pa.ArrowInvalid) as error:
        raise WorkspaceError(
            f"{file} cannot be read ({error}); make it again, or remove it"
        ) from error
