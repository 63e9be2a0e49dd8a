"""The local engine's SQL: an embedded DuckDB within a memory budget."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from webecho.memory import held

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# Below this DuckDB does not do; and so much it takes beside what it counts.
LEAST = 96 << 20
SPARE = 48 << 20


@contextmanager
def connect(threads: int = 1, memory: int | None = None) -> Iterator["DuckDBPyConnection"]:
    """A database of its own, in memory, that spills to a temporary folder."""
    # Loaded when first used: it takes a tenth of a second, and many runs need no SQL.
    import duckdb

    with tempfile.TemporaryDirectory(prefix="webecho-") as folder:
        connection = duckdb.connect(":memory:")
        try:
            connection.execute(f"SET threads = {threads}")
            connection.execute("SET temp_directory = ?", [folder])
            if memory is not None:
                # What is held already, forests and tables that are handed over, counts too.
                left = max(LEAST, memory - held() - SPARE)
                connection.execute("SET memory_limit = ?", [f"{left >> 20}MiB"])
            yield connection
        finally:
            connection.close()
