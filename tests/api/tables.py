"""A table as every library has it that people use."""

from collections.abc import Callable
from typing import Any

import duckdb
import pandas
import polars
import pyarrow as pa
import pytest


def stream(table: pa.Table) -> pa.RecordBatchReader:
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=3))


def relation(table: pa.Table) -> duckdb.DuckDBPyRelation:
    connection = duckdb.connect()
    connection.register("pages", table)
    return connection.sql("SELECT * FROM pages")


TABLES: dict[str, Callable[[pa.Table], Any]] = {
    "pyarrow.Table": lambda table: table,
    "in chunks": lambda table: pa.concat_tables([table.slice(0, 5), table.slice(5)]),
    "pyarrow.RecordBatch": lambda table: table.combine_chunks().to_batches()[0],
    "pyarrow.RecordBatchReader": stream,
    "polars.DataFrame": polars.from_arrow,
    "polars.LazyFrame": lambda table: polars.from_arrow(table).lazy(),
    "pandas.DataFrame": lambda table: table.to_pandas(),
    "pandas with an index": lambda table: table.to_pandas().set_index(
        pandas.Index(range(100, 100 + table.num_rows))
    ),
    "duckdb relation": relation,
    "large types": lambda table: table.cast(
        pa.schema([pa.field(name, pa.large_string()) for name in table.column_names])
    ),
    "bytes": lambda table: table.set_column(2, "html", table["html"].cast(pa.binary())),
    "string views": lambda table: table.set_column(2, "html", table["html"].cast(pa.string_view())),
    "dictionary": lambda table: table.set_column(2, "html", table["html"].dictionary_encode()),
}

of_every_kind = pytest.mark.parametrize("made", TABLES.values(), ids=TABLES)
