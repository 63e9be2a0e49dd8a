"""The local engine's SQL: an embedded DuckDB within a memory budget."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb


@contextmanager
def connect(threads: int = 1, memory: int | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database of its own, in memory, that spills to a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="webecho-") as folder:
        connection = duckdb.connect(":memory:")
        try:
            connection.execute(f"SET threads = {threads}")
            connection.execute("SET temp_directory = ?", [folder])
            if memory is not None:
                # The rest is held by whoever asks: forests, tables that are handed over.
                connection.execute("SET memory_limit = ?", [f"{memory >> 21}MiB"])
            yield connection
        finally:
            connection.close()
