"""*Stored table*: a table of a workspace as it lies on the disk; it has its columns also where it
has no files."""

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa


@dataclass(frozen=True)
class Stored:
    """The Parquet files that hold the rows, one after the other, and their columns.

    `fix` is what to do about a file that cannot be read.
    """

    files: tuple[Path, ...]
    schema: pa.Schema
    fix: str = "make it again, or remove it"
