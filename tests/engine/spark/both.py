"""An engine whose every statement runs in DuckDB and in Spark, which must give the same rows."""

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession

from webecho.engine.local.database import database as duckdb_database
from webecho.engine.local.engine import LocalEngine
from webecho.engine.protocol import Database, Rows
from webecho.engine.spark.database import database as spark_database
from webecho.run import Run

Row = tuple[Any, ...]


class Both:
    """Two databases that are told the same. What the first gives is handed on."""

    def __init__(self, first: Database, second: Database, statements: list[str]) -> None:
        self.first, self.second, self.statements = first, second, statements

    def add(self, name: str, rows: Rows) -> None:
        if isinstance(rows, pa.RecordBatchReader):
            rows = rows.read_all()
        self.first.add(name, rows)
        self.second.add(name, rows)

    def view(self, name: str, query: str) -> None:
        self.first.view(name, query)
        self.second.view(name, query)

    def keep(self, name: str, query: str) -> None:
        self.first.keep(name, query)
        self.second.keep(name, query)
        self.compare(f"SELECT * FROM {quoted(name)}", query)

    def columns(self, name: str) -> list[str]:
        found = self.first.columns(name)
        assert self.second.columns(name) == found
        return found

    def table(self, query: str) -> pa.Table:
        return self.compare(query, query)

    def batches(self, query: str, rows: int) -> pa.RecordBatchReader:
        self.compare(query, query)
        found = pa.Table.from_batches(self.second.batches(query, rows))
        expected = self.first.table(query)
        check_equal(found, expected, query, query)
        return self.first.batches(query, rows)

    def row(self, query: str) -> dict[str, Any]:
        [only] = self.compare(query, query).to_pylist()
        values: dict[str, Any] = only
        return values

    def compare(self, query: str, said: str) -> pa.Table:
        """The rows of both, which are the same; in the same order, where that is asked for."""
        expected, found = self.first.table(query), self.second.table(query)
        assert found.column_names == expected.column_names, said
        check_equal(found, expected, query, said)
        self.statements.append(said)
        return expected


def check_equal(found: pa.Table, expected: pa.Table, query: str, said: str) -> None:
    """Names the first rows that differ."""
    left, right = comparable(found, query), comparable(expected, query)
    assert len(left) == len(right), said
    differing = [(one, other) for one, other in zip(left, right, strict=True) if one != other]
    assert not differing, (differing[:3], said)


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def comparable(table: pa.Table, query: str) -> list[Row]:
    """Rows as plain values, in an order of their own unless the query has one."""
    rows = [tuple(map(plain, row.values())) for row in table.to_pylist()]
    # Of a window or a subquery the order is not that of the rows.
    ordered = re.search(r"\bORDER BY\b[^()]*$", query)
    return rows if ordered else sorted(rows, key=repr)


def plain(value: Any) -> Any:
    """A value whatever its type: sums are of other types in each engine."""
    if isinstance(value, Decimal) and value == value.to_integral_value():
        return int(value)
    if isinstance(value, float | Decimal):
        # The last digit is the engine's own where several are divided and multiplied.
        return float(f"{float(value):.12g}") if math.isfinite(value) else str(value)
    return value


class BothEngine(LocalEngine):
    """The local engine with its statements in both databases."""

    def __init__(self, session: SparkSession) -> None:
        self.session = session
        self.statements: list[str] = []

    @contextmanager
    def database(self, run: Run) -> Iterator[Database]:
        with duckdb_database(run) as first, spark_database(self.session) as second:
            yield Both(first, second, self.statements)
