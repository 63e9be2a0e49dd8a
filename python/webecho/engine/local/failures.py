"""What DuckDB says when it fails, as errors of ours: which file, and what to do about it."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from webecho.errors import MEMORY, MemoryBudgetError, WebechoError, WorkspaceError
from webecho.memory import mb
from webecho.workspace.stored import Stored

# How messages begin, by what they are about; the last two are what dirt in a Parquet page makes.
OF_MEMORY, OF_DISK = "Out of Memory Error", "IO Error"
OF_FILES = (OF_DISK, "Invalid Input Error", "Invalid Error", "TProtocolException")
# The disk, and not the memory, was too small for what had to be spilled.
SPILLED = "max_temp_directory_size"


def translated(text: str, stored: Iterable[Stored], memory: int | None) -> WebechoError:
    """The error of ours that a failure is: `stored` are the tables on the disk that may have been
    read, and `memory` is what was allowed."""
    reason = text.splitlines()[0] if text else "without a word"
    if text.startswith(OF_MEMORY) and SPILLED not in text:
        allowed = f"the {mb(memory)} allowed" if memory else "there is"
        return MemoryBudgetError(
            f"sorting and joining takes more memory than {allowed}; give ", MEMORY, " more"
        )
    if text.startswith(OF_FILES):
        for table in stored:
            for file in table.files:
                if (why := unreadable(file, reason)) is not None:
                    return WorkspaceError(f"{file} cannot be read ({why}); {table.fix}")
    if text.startswith((OF_MEMORY, OF_DISK)):
        return WebechoError(
            f"sorting and joining cannot go on ({reason}); make room in {tempfile.gettempdir()}, "
            "or name another folder with TMPDIR"
        )
    return WebechoError(f"a query failed ({reason}); please report this")


def unreadable(file: Path, reason: str) -> str | None:
    """Why a file cannot be read: the reason that names it, else what is found when it is read."""
    if str(file) in reason:
        return reason
    try:
        with pq.ParquetFile(file, pre_buffer=False) as parquet:
            for _ in parquet.iter_batches(1024):
                pass
    except (OSError, pa.ArrowInvalid) as error:
        return str(error).splitlines()[0]
    return None
