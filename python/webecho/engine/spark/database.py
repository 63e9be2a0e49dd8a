"""The Spark engine's SQL: temporary views of a session of its own. Its errors become ours here."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from webecho.engine.protocol import Rows
from webecho.engine.spark.failures import spark_errors
from webecho.engine.spark.kept_rows import KeptRows, kept_rows
from webecho.engine.spark.parquet_files import hadoop_path, reader
from webecho.engine.spark.session import is_local, sibling
from webecho.engine.spark.stores import places
from webecho.engine.spark.streaming import streamed
from webecho.engine.spark.tasks import spread
from webecho.workspace.scratch import temporary_folder
from webecho.workspace.stored import Stored

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Spark has no numbers without a sign: each becomes one that holds all its values.
SIGNED = {
    pa.uint8(): pa.int16(),
    pa.uint16(): pa.int32(),
    pa.uint32(): pa.int64(),
    pa.uint64(): pa.decimal128(20, 0),
}
# Rows in memory beyond this go by way of files, of which each executor reads its share.
IN_MEMORY = 64 << 20


@contextmanager
def database(session: "SparkSession") -> Iterator["SparkDatabase"]:
    """A database of its own on the cluster of a session. What it holds is let go at the end."""
    with temporary_folder() as folder:
        found = SparkDatabase(sibling(session), folder)
        try:
            yield found
        finally:
            found.close()


class SparkDatabase:
    """Tables by name in a session of Spark, and queries over them."""

    def __init__(self, session: "SparkSession", folder: Path) -> None:
        self._session = session
        self._folder = folder
        self._kept: dict[str, KeptRows] = {}
        self._held: list[DataFrame] = []
        self._stored: list[Stored] = []
        self._written = 0

    def close(self) -> None:
        for kept in self._kept.values():
            kept.let_go()
        for frame in self._held:
            frame.unpersist()

    @property
    def session(self) -> "SparkSession":
        """That which its frames are of."""
        return self._session

    def hold(self, frame: "DataFrame") -> "DataFrame":
        """The same rows, which executors hold from when they are first asked for until the end."""
        self._held.append(frame.persist())
        return self._held[-1]

    def add(self, name: str, rows: Rows) -> None:
        with self._errors():
            self.frame(rows).createOrReplaceTempView(called(name))
            self._forget(name)

    def frame(self, rows: Rows) -> "DataFrame":
        """Rows without a name; executors read those that lie on the disk."""
        if isinstance(rows, Stored):
            if rows.files and not any(map(passed_over, rows.files)):
                self._stored.append(rows)
                far = places(self._session, rows)
                if far is None:
                    rows.check()
                return self._files(far or [*map(hadoop_path, rows.files)], rows.schema)
            rows = rows.read()
        if not is_local(self._session.sparkContext.master, java_runs=True):
            # No file of the driver's is there for executors: it hands the rows over itself.
            table = rows.read_all() if isinstance(rows, pa.RecordBatchReader) else rows
            return spread(self._session, signed(table), 1 + table.nbytes // IN_MEMORY)
        if isinstance(rows, pa.RecordBatchReader):
            return self._spooled(rows)
        if rows.nbytes > IN_MEMORY:
            return self._spooled(rows.to_reader())
        return self._session.createDataFrame(signed(rows))

    def _files(self, files: list[str], schema: pa.Schema) -> "DataFrame":
        """The rows of Parquet files."""
        from pyspark.sql.pandas.types import from_arrow_schema

        # What the columns are is known: no job is needed to look.
        known = reader(self._session).schema(from_arrow_schema(signed_schema(schema)))
        return known.parquet(*files)

    def _spooled(self, rows: pa.RecordBatchReader) -> "DataFrame":
        """Rows that come once, by way of a file."""
        schema = signed_schema(rows.schema)
        file = self._free("rows.parquet")
        with pq.ParquetWriter(file, schema) as writer:
            for batch in rows:
                writer.write_table(signed(pa.Table.from_batches([batch])))
        return self._files([hadoop_path(file)], schema)

    def _free(self, name: str) -> Path:
        self._written += 1
        return self._folder / f"{self._written}-{name}"

    def view(self, name: str, query: str) -> None:
        with self._errors():
            # By its text: what it is over may be given other rows.
            self._session.sql(f"CREATE OR REPLACE TEMPORARY VIEW {called(name)} AS {query}")
            self._forget(name)

    def keep(self, name: str, query: str) -> None:
        with self._errors():
            kept = kept_rows(self._session.sql(query))
            kept.rows.createOrReplaceTempView(called(name))
            self._forget(name)
            self._kept[name] = kept

    def _forget(self, name: str) -> None:
        """Lets go of the rows that had a name; what others were made of them stays."""
        before = self._kept.pop(name, None)
        if before is not None:
            before.let_go()

    def columns(self, name: str) -> list[str]:
        with self._errors():
            return [*self._session.table(called(name)).columns]

    def table(self, query: str) -> pa.Table:
        with self._errors():
            found: pa.Table = self._session.sql(query).toArrow()
            return found

    def batches(self, query: str, rows: int) -> pa.RecordBatchReader:
        with self._errors():
            frame = self._session.sql(query)
            schema = frame.limit(0).toArrow().schema

        def read() -> Iterator[pa.RecordBatch]:
            with self._errors():
                for batch in streamed(frame, schema):
                    for first in range(0, len(batch), rows):
                        yield batch.slice(first, rows)

        return pa.RecordBatchReader.from_batches(schema, read())

    def row(self, query: str) -> dict[str, Any]:
        [only] = self.table(query).to_pylist()
        values: dict[str, Any] = only
        return values

    def _errors(self) -> AbstractContextManager[None]:
        return spark_errors(self._stored)


def passed_over(file: Path) -> bool:
    """Whether Spark gives no rows of a file, or cannot open it, for its name."""
    return file.name.startswith(("_", ".")) or ":" in file.name


def called(name: str) -> str:
    """A name as Spark has it wherever it takes one."""
    return "`" + name.replace("`", "``") + "`"


def signed_schema(schema: pa.Schema) -> pa.Schema:
    """The columns as Spark can have them."""
    return pa.schema([field.with_type(SIGNED.get(field.type, field.type)) for field in schema])


def signed(rows: pa.Table) -> pa.Table:
    """The rows with types that Spark has."""
    return rows.cast(signed_schema(rows.schema)).replace_schema_metadata(None).combine_chunks()
