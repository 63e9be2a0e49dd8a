"""The local engine's SQL: an embedded DuckDB within a memory budget.

Its errors become ours here and nowhere else.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from webecho.engine.protocol import Rows
from webecho.errors import MEMORY, MemoryBudgetError, WebechoError, WorkspaceError
from webecho.memory import held, mb
from webecho.run import Run
from webecho.workspace.stored import Stored

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# Below this DuckDB does not do; and so much it takes beside what it counts.
LEAST = 96 << 20
SPARE = 48 << 20


@contextmanager
def database(run: Run) -> Iterator["LocalDatabase"]:
    """A database of its own, in memory, that spills to a temporary folder."""
    with connect(run.threads, run.memory) as connection:
        yield LocalDatabase(connection, run)


@contextmanager
def connect(threads: int = 1, memory: int | None = None) -> Iterator["DuckDBPyConnection"]:
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


class LocalDatabase:
    """Tables by name in a DuckDB connection, and queries over them."""

    def __init__(self, connection: "DuckDBPyConnection", run: Run) -> None:
        self._connection = connection
        self._run = run

    def add(self, name: str, rows: Rows) -> None:
        with self._errors():
            if not isinstance(rows, Stored):
                self._connection.register(name, rows)
            elif rows.files:
                files = ", ".join(quoted(str(file)) for file in rows.files)
                query = f"SELECT * FROM read_parquet([{files}])"
                self._connection.execute(f'CREATE VIEW "{name}" AS {query}')
            else:
                self._connection.register(name, rows.schema.empty_table())

    def view(self, name: str, query: str) -> None:
        with self._errors():
            self._connection.execute(f'CREATE OR REPLACE VIEW "{name}" AS {query}')

    def keep(self, name: str, query: str) -> None:
        with self._errors():
            self._connection.execute(f'CREATE OR REPLACE TABLE "{name}" AS {query}')

    def columns(self, name: str) -> list[str]:
        with self._errors():
            return [*self._connection.sql(f'SELECT * FROM "{name}" LIMIT 0').columns]

    def table(self, query: str) -> pa.Table:
        with self._errors():
            return self._connection.sql(query).to_arrow_table()

    def batches(self, query: str, rows: int) -> pa.RecordBatchReader:
        with self._errors():
            found = self._connection.sql(query).to_arrow_reader(rows)
        return pa.RecordBatchReader.from_batches(found.schema, self._checked(found))

    def _checked(self, found: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
        with self._errors():
            yield from found

    def row(self, query: str) -> dict[str, Any]:
        [only] = self.table(query).to_pylist()
        values: dict[str, Any] = only
        return values

    @contextmanager
    def _errors(self) -> Iterator[None]:
        import duckdb

        try:
            yield
        except duckdb.OutOfMemoryException as error:
            allowed = f"the {mb(self._run.memory)} allowed" if self._run.memory else "there is"
            raise MemoryBudgetError(
                *(f"sorting and joining takes more memory than {allowed}; give ", MEMORY, " more"),
            ) from error
        except (duckdb.IOException, duckdb.InvalidInputException) as error:
            reason = str(error).splitlines()[0]
            raise WorkspaceError(
                f"a table cannot be read ({reason}); make it again, or remove it"
            ) from error
        except duckdb.Error as error:
            reason = str(error).splitlines()[0]
            raise WebechoError(f"a query failed ({reason}); please report this") from error


def quoted(text: str) -> str:
    """Text as SQL has it."""
    return "'" + text.replace("'", "''") + "'"
