"""The tables of the study of query logs."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import pyarrow as pa

from webecho.study.papers import (
    BESIDE,
    QUERYLOG_COLLECTIONS,
    QUERYLOG_LOGS,
    TITLE,
    beside_rows,
)
from webecho.study.query_logs import QueryLog
from webecho.study.query_periods import crawl_of
from webecho.study.querylog_pair import PairFound, last_two
from webecho.study.querylog_settings import QuerylogSettings
from webecho.study.result import names
from webecho.study.reuse_conditions import NAMES
from webecho.study.shares import ratio
from webecho.workspace.lookup import page_values
from webecho.workspace.workspace import Workspace

TITLES = {
    "collections": "Collections, and the documents that are considered",
    "logs": "Table 5. Query logs",
    "period_means": "Table 6. Logs of periods, means of each log",
    "periods": "Logs of periods",
    "answers": "What the queries of each log give",
    "conditions": "New documents before and after each condition",
    "left": "Figures 3 to 5. New documents left, by the minimal number of identical paragraphs",
    "tests": "Whether the real log finds more than another: permutation tests",
    "cases": "New documents that are left, and what they were perhaps made from",
    "beside_paper": TITLE,
}
LOG = [
    ("log", pa.string()),
    ("from", pa.string()),
    ("to", pa.string()),
    ("requests", pa.int64()),
    ("different queries", pa.int64()),
    ("queries taken", pa.int64()),
    ("most frequent", pa.int64()),
    ("least frequent", pa.int64()),
    ("share of requests covered", pa.float64()),
]
COLUMNS = {
    "collections": pa.schema(
        [
            ("collection", pa.string()),
            ("from", pa.string()),
            ("to", pa.string()),
            ("pages", pa.int64()),
            ("documents considered", pa.int64()),
            ("share of documents considered", pa.float64()),
        ]
    ),
    "logs": pa.schema([*LOG, ("periods", pa.int64()), ("incomplete periods", pa.int64())]),
    "periods": pa.schema([("of", pa.string()), *LOG]),
    "period_means": pa.schema(
        [
            ("log", pa.string()),
            ("from", pa.string()),
            ("to", pa.string()),
            ("periods", pa.int64()),
            ("average most frequent", pa.float64()),
            ("average least frequent", pa.float64()),
            ("average share of requests covered", pa.float64()),
        ]
    ),
    "answers": pa.schema(
        [
            ("pair", pa.string()),
            ("log", pa.string()),
            ("real", pa.bool_()),
            ("queries", pa.int64()),
            ("queries with answers", pa.int64()),
            ("total answer set", pa.int64()),
            ("documents in it", pa.int64()),
            ("without child", pa.int64()),
            ("new documents", pa.int64()),
            ("new similar documents", pa.int64()),
            ("without parent", pa.int64()),
        ]
    ),
    "conditions": pa.schema(
        [
            ("pair", pa.string()),
            ("log", pa.string()),
            ("minimal number", pa.int64()),
            ("condition", pa.string()),
            ("before", pa.int64()),
            ("after", pa.int64()),
        ]
    ),
    "left": pa.schema(
        [
            ("pair", pa.string()),
            ("queries of", pa.string()),
            ("real", pa.bool_()),
            ("minimal number", pa.int64()),
            ("new documents", pa.int64()),
        ]
    ),
    "tests": pa.schema(
        [
            ("pair", pa.string()),
            ("real log", pa.string()),
            ("other log", pa.string()),
            ("queries of", pa.string()),
            ("real leaves", pa.int64()),
            ("other leaves", pa.int64()),
            ("difference", pa.int64()),
            ("permutations", pa.int64()),
            ("at least as far", pa.int64()),
            ("p", pa.float64()),
        ]
    ),
    "cases": pa.schema(
        [
            ("pair", pa.string()),
            ("log", pa.string()),
            ("query", pa.string()),
            ("new page", pa.int64()),
            ("new url", pa.string()),
            *(
                (f"{side} {what}", kind)
                for side in ("one", "other")
                for what, kind in (
                    ("page", pa.int64()),
                    ("url", pa.string()),
                    ("rank", pa.int64()),
                    ("shared", pa.int64()),
                )
            ),
        ]
    ),
    "beside_paper": BESIDE,
}
Row = dict[str, Any]
# What stands above the first condition.
BEFORE = "new similar documents"


def tables(
    found: Sequence[PairFound], logs: Sequence[QueryLog], settings: QuerylogSettings
) -> dict[str, pa.Table]:
    """All tables by name."""
    collections = [*collection_rows(found)]
    rows: dict[str, list[Row]] = {
        "collections": collections,
        "logs": [
            log_row(log) | {"periods": len(log.periods), "incomplete periods": log.dropped}
            for log in logs
        ],
        "period_means": [mean_row(log) for log in logs if log.periods],
        "periods": [log_row(each) | {"of": log.name} for log in logs for each in log.periods],
        "answers": [*answer_rows(found)],
        "conditions": [*condition_rows(found, settings)],
        "left": [*left_rows(found)],
        "tests": [*test_rows(found)],
        "cases": [row for each in found for row in case_rows(each)],
        "beside_paper": [*paper_rows(collections, logs)],
    }
    return {name: pa.Table.from_pylist(each, COLUMNS[name]) for name, each in rows.items()}


def day(moment: datetime) -> str:
    return moment.date().isoformat()


def collection_rows(found: Sequence[PairFound]) -> Iterator[Row]:
    """A row for each collection, the first time it is met."""
    every: dict[str, tuple[Workspace, int]] = {}
    for each in found:
        for workspace, documents in zip(
            (each.pair.old, each.pair.new), each.documents, strict=True
        ):
            every.setdefault(str(workspace.path.resolve()), (workspace, documents))
    called = names([workspace for workspace, _ in every.values()])
    for name, (workspace, documents) in zip(called, every.values(), strict=True):
        crawl = crawl_of(workspace)
        yield {
            "collection": name,
            "from": None if crawl is None else day(crawl.first),
            "to": None if crawl is None else day(crawl.last),
            "pages": workspace.pages,
            "documents considered": documents,
            "share of documents considered": ratio(documents, workspace.pages),
        }


def log_row(log: QueryLog) -> Row:
    covered = None if log.requests is None else ratio(log.covered or 0, log.requests)
    return {
        "log": log.name,
        "from": minute(log.first),
        "to": minute(log.last),
        "requests": log.requests,
        "different queries": log.distinct,
        "queries taken": len(log.queries),
        "most frequent": log.highest,
        "least frequent": log.lowest,
        "share of requests covered": covered,
    }


def minute(moment: datetime | None) -> str | None:
    return None if moment is None else f"{moment:%Y-%m-%d %H:%M}"


def mean_row(log: QueryLog) -> Row:
    """Table 6: means over the periods of a log."""
    rows = [log_row(each) for each in log.periods]

    def mean(column: str) -> float | None:
        values = [row[column] for row in rows if row[column] is not None]
        return sum(values) / len(values) if values else None

    return {
        "log": log.name,
        "from": rows[0]["from"],
        "to": rows[-1]["to"],
        "periods": len(rows),
        "average most frequent": mean("most frequent"),
        "average least frequent": mean("least frequent"),
        "average share of requests covered": mean("share of requests covered"),
    }


def is_real(each: PairFound, name: str) -> bool:
    """Whether queries of this name are of the real log of a pair, or of a period of it."""
    real = each.real
    if real is None:
        return False
    return name in (real.name, last_two(real)) or any(
        period.name == name for period in real.periods
    )


def answer_rows(found: Sequence[PairFound]) -> Iterator[Row]:
    for each in found:
        for log in each.logs:
            yield {
                "pair": each.pair.name,
                "log": log.log.name,
                "real": is_real(each, log.log.name),
                "new documents": each.documents[1],
                **log.counts,
            }


def condition_rows(found: Sequence[PairFound], settings: QuerylogSettings) -> Iterator[Row]:
    for each in found:
        for log in each.logs:
            for minimal in settings.minimal:
                counts = log.conditions[minimal]
                for condition, before, after in zip(NAMES, counts, counts[1:], strict=False):
                    yield {
                        "pair": each.pair.name,
                        "log": log.log.name,
                        "minimal number": minimal,
                        "condition": condition,
                        "before": before,
                        "after": after,
                    }


def left_rows(found: Sequence[PairFound]) -> Iterator[Row]:
    for each in found:
        for name, left in each.left.items():
            for minimal, documents in left.items():
                yield {
                    "pair": each.pair.name,
                    "queries of": name,
                    "real": is_real(each, name),
                    "minimal number": minimal,
                    "new documents": documents,
                }


def test_rows(found: Sequence[PairFound]) -> Iterator[Row]:
    for each in found:
        for real, other, part, test in each.tests:
            yield {
                "pair": each.pair.name,
                "real log": real,
                "other log": other,
                "queries of": part,
                "real leaves": test.real,
                "other leaves": test.other,
                "difference": test.real - test.other,
                "permutations": test.permutations,
                "at least as far": test.as_far,
                "p": test.p,
            }


def case_rows(each: PairFound) -> Iterator[Row]:
    """A row for each case, with the addresses of its pages."""
    new = page_values(each.pair.new, [case.new for case in each.cases], ["url"])
    old = page_values(each.pair.old, [page for case in each.cases for page in case.old], ["url"])
    for case in each.cases:
        row: Row = {
            "pair": each.pair.name,
            "log": case.log,
            "query": case.query,
            "new page": case.new,
            "new url": new[case.new]["url"],
        }
        for number, side in enumerate(("one", "other")):
            page = case.old[number]
            row |= {
                f"{side} page": page,
                f"{side} url": old[page]["url"],
                f"{side} rank": case.ranks[number],
                f"{side} shared": case.shared[number],
            }
        yield row


def by_number(table: pa.Table, keys: Sequence[str], value: str) -> pa.Table:
    """The table with a column for each minimal number, for people: of conditions the new documents
    that are left after each, below those before the first."""
    rows: dict[tuple[Any, ...], Row] = {}
    for row in table.to_pylist():
        at = f"at {row['minimal number']}"
        if row.get("condition") == NAMES[0]:
            first = {key: row[key] for key in keys} | {"condition": BEFORE}
            rows.setdefault(tuple(first.values()), first)[at] = row["before"]
        own = {key: row[key] for key in keys}
        rows.setdefault(tuple(own.values()), own)[at] = row[value]
    return pa.Table.from_pylist([*rows.values()]) if rows else table


def paper_rows(collections: Sequence[Mapping[str, Any]], logs: Sequence[QueryLog]) -> Iterator[Row]:
    for row in collections:
        yield from beside_rows(row["collection"], row, QUERYLOG_COLLECTIONS)
    for log in logs:
        yield from beside_rows(log.name, log_row(log), QUERYLOG_LOGS)
