"""An engine whose every statement runs in DuckDB and in Spark, which must give the same rows."""

import math
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from itertools import zip_longest
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession

from tests.engine.spark.call_sites import SENDING, CallSite, calling
from webecho.engine.local.database import database as duckdb_database
from webecho.engine.local.database import identifier
from webecho.engine.local.engine import LocalEngine
from webecho.engine.protocol import Database, Rows
from webecho.engine.spark.database import database as spark_database
from webecho.run import Run

# Statements that differ in numbers alone are compared so often.
OFTEN = 2


class Both:
    """Two databases that are told the same. What the first gives is handed on."""

    def __init__(
        self, first: Database, second: Database, sites: set[CallSite], sent: Counter[str]
    ) -> None:
        self.first, self.second, self.sites, self.sent = first, second, sites, sent

    def add(self, name: str, rows: Rows) -> None:
        if isinstance(rows, pa.RecordBatchReader):
            rows = rows.read_all()
        self.first.add(name, rows)
        self.second.add(name, rows)

    def view(self, name: str, query: str) -> None:
        self.sites.add(calling())
        self.first.view(name, query)
        self.second.view(name, query)

    def keep(self, name: str, query: str) -> None:
        """What the second keeps are its own rows, handed back to it: that takes one job."""
        self.sites.add(calling())
        self.first.keep(name, query)
        found = self.first.table(f"SELECT * FROM {identifier(name)}")
        if self.compares(query):
            expected, found = found, self.second.table(query)
            check_equal(found, expected, "", query)
        self.second.add(name, found)

    def columns(self, name: str) -> list[str]:
        found = self.first.columns(name)
        assert self.second.columns(name) == found
        return found

    def table(self, query: str) -> pa.Table:
        return self.compare(query)

    def batches(self, query: str, rows: int) -> pa.RecordBatchReader:
        self.sites.add(calling())
        if self.compares(query):
            found = self.second.batches(query, rows).read_all()
            check_equal(found, self.first.table(query), query, query)
        return self.first.batches(query, rows)

    def row(self, query: str) -> dict[str, Any]:
        [only] = self.compare(query).to_pylist()
        values: dict[str, Any] = only
        return values

    def compare(self, query: str) -> pa.Table:
        """The rows of both, which are the same; in the same order, where that is asked for."""
        self.sites.add(calling())
        expected = self.first.table(query)
        if self.compares(query):
            check_equal(self.second.table(query), expected, query, query)
        return expected

    def compares(self, query: str) -> bool:
        """Whether a statement is sent to the second: again and again it would only take long."""
        text = re.sub(r"\d+", "0", query)
        self.sent[text] += 1
        return self.sent[text] <= OFTEN


def check_equal(found: pa.Table, expected: pa.Table, query: str, said: str) -> None:
    """Names the first rows that differ. They stand in the order that the query asks for; where that
    leaves it open, in any."""
    assert found.column_names == expected.column_names, said
    left, right = ([*map(comparable, table.to_pylist())] for table in (found, expected))
    by = ordered_by(query)
    if not by or {*by} <= {*expected.column_names}:
        assert [[row[name] for name in by] for row in left] == [
            [row[name] for name in by] for row in right
        ], said
        left, right = sorted(left, key=repr), sorted(right, key=repr)
    differing = [pair for pair in zip_longest(left, right) if pair[0] != pair[1]]
    assert not differing, (differing[:3], said)


def ordered_by(query: str) -> list[str]:
    """By what the rows of a query are ordered, as far as it is said of them all: not of those of a
    window or a subquery."""
    last = re.search(r"\bORDER BY\b([^()]*)$", query)
    orders = last[1].split("LIMIT")[0].split(",") if last else []
    return [order.split()[0].split(".")[-1].strip('"') for order in orders]


def comparable(row: dict[str, Any]) -> dict[str, Any]:
    return {name: plain(value) for name, value in row.items()}


def plain(value: Any) -> Any:
    """A value whatever its type: sums are of other types in each engine."""
    if isinstance(value, Decimal) and value == value.to_integral_value():
        return int(value)
    if isinstance(value, float | Decimal):
        # The last digit is the engine's own where several are divided and multiplied.
        return float(f"{float(value):.12g}") if math.isfinite(value) else str(value)
    return value


class Recorded:
    """A database of which it is noted where its statements come from."""

    def __init__(self, database: Database, sites: set[CallSite]) -> None:
        self._database, self._sites = database, sites

    def __getattr__(self, name: str) -> Any:
        if name in SENDING:
            self._sites.add(calling())
        return getattr(self._database, name)


class BothEngine(LocalEngine):
    """The local engine with its statements in both databases, or without a session in its own."""

    def __init__(self, session: SparkSession | None, sent: Counter[str] | None = None) -> None:
        self.session = session
        self.sent = Counter() if sent is None else sent
        self.sites: set[CallSite] = set()

    @contextmanager
    def database(self, run: Run) -> Iterator[Database]:
        with duckdb_database(run) as first:
            if self.session is None:
                yield Recorded(first, self.sites)
                return
            with spark_database(self.session) as second:
                yield Both(first, second, self.sites, self.sent)
