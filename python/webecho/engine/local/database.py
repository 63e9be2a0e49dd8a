"""The local engine's SQL: an embedded DuckDB within a memory budget.

Its errors become ours here and nowhere else.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from webecho.engine.local.failures import translated
from webecho.engine.protocol import Rows
from webecho.memory import held
from webecho.run import Run
from webecho.workspace.scratch import temporary_folder
from webecho.workspace.stored import Stored

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# Below this DuckDB does not do; and so much it takes beside what it counts.
LEAST = 96 << 20
SPARE = 48 << 20


@contextmanager
def database(run: Run) -> Iterator["LocalDatabase"]:
    """A database of its own, in memory, that spills to a temporary folder."""
    # Loaded when first used: it takes a tenth of a second, and many runs need no SQL.
    import duckdb

    with temporary_folder() as folder:
        connection = duckdb.connect(":memory:")
        try:
            connection.execute(f"SET threads = {run.threads}")
            connection.execute("SET temp_directory = ?", [str(folder)])
            if run.memory is not None:
                # What is held already, forests and tables that are handed over, counts too.
                left = max(LEAST, run.memory - held() - SPARE)
                connection.execute("SET memory_limit = ?", [f"{left >> 20}MiB"])
            yield LocalDatabase(connection, run)
        finally:
            connection.close()


class LocalDatabase:
    """Tables by name in a DuckDB connection, and queries over them."""

    def __init__(self, connection: "DuckDBPyConnection", run: Run) -> None:
        self._connection = connection
        self._run = run
        # How each name is removed, the tables that lie on the disk, and what readers raised.
        self._names: dict[str, str] = {}
        self._stored: list[Stored] = []
        self._raised: list[BaseException] = []

    def add(self, name: str, rows: Rows) -> None:
        if isinstance(rows, Stored) and rows.files:
            rows.check()
            self._stored.append(rows)
            files = ", ".join(quoted(str(file)) for file in rows.files)
            # A folder may be called `page=7`, and that is no column.
            self.view(name, f"SELECT * FROM read_parquet([{files}], hive_partitioning = false)")
            return
        if isinstance(rows, Stored):
            rows = rows.read()
        elif isinstance(rows, pa.RecordBatchReader):
            rows = pa.RecordBatchReader.from_batches(rows.schema, self._noted(rows))
        with self._errors():
            self._drop(name)
            self._connection.register(name, rows)
            self._names[name] = "VIEW"

    def view(self, name: str, query: str) -> None:
        with self._errors():
            self._drop(name)
            self._connection.execute(f"CREATE TEMP VIEW {identifier(name)} AS {query}")
            self._names[name] = "VIEW"

    def keep(self, name: str, query: str) -> None:
        # Under another name at first: the query may be over what has the name now.
        new = identifier(f"{name} made")
        with self._errors():
            self._connection.execute(f"CREATE TEMP TABLE {new} AS {query}")
            self._drop(name)
            self._connection.execute(f"ALTER TABLE {new} RENAME TO {identifier(name)}")
            self._names[name] = "TABLE"

    def _drop(self, name: str) -> None:
        kind = self._names.pop(name, None)
        if kind is not None:
            self._connection.execute(f"DROP {kind} {identifier(name)}")
            self._connection.unregister(name)

    def columns(self, name: str) -> list[str]:
        with self._errors():
            return [*self._connection.sql(f"SELECT * FROM {identifier(name)} LIMIT 0").columns]

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

    def _noted(self, rows: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
        """The same rows; what goes wrong while they are made is kept, for DuckDB hands on no more
        than its text."""
        try:
            yield from rows
        except BaseException as error:
            self._raised.append(error)
            raise

    @contextmanager
    def _errors(self) -> Iterator[None]:
        import duckdb

        try:
            yield
        # Batches that fail midway come to us by way of Arrow, which makes an OSError of all.
        except (duckdb.Error, OSError) as error:
            if self._raised:
                raise self._raised[0] from None
            raise translated(str(error), self._stored, self._run.memory) from error


def quoted(text: str) -> str:
    """Text as SQL has it."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """A name as SQL has it."""
    return '"' + name.replace('"', '""') + '"'
