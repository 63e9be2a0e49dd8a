"""Query logs in the forms that people have them in."""

from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from webecho.errors import InputError
from webecho.read.named_rows import RowCounts
from webecho.read.query_logs import REQUESTS, as_count, folded, requests

NOON = datetime(2004, 2, 3, 12, tzinfo=UTC)


def read(file: Path) -> tuple[list[tuple[object, ...]], RowCounts]:
    counts = RowCounts()
    table = pa.Table.from_batches(requests(str(file), counts), REQUESTS)
    return [tuple(row.values())[:3] for row in table.to_pylist()], counts


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.tsv", "query\tcount\nTwo  Words\t1,200\nb\t3\n", [("two words", 1200), ("b", 3)]),
        ("a.csv", 'count,q\n2,"x, y"\n', [("x, y", 2)]),
        ("a.jsonl", '{"query": "É", "frequency": 7}\n', [("é", 7)]),
        # A count that is missing is one request; others are then often written as floats.
        ("c.csv", "query,count\na,\nb,2.0\n", [("a", 1), ("b", 2)]),
        # A table of queries alone is one of requests.
        ("b.csv", "query\na\na\n", [("a", 1), ("a", 1)]),
        # Nobody knows how often a topic was asked for.
        (
            "a.txt",
            "1:First topic\n2: second: one\n\n",
            [("first topic", None), ("second: one", None)],
        ),
    ],
)
def test_queries_with_counts(
    tmp_path: Path, name: str, text: str, expected: list[tuple[str, int | None]]
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert read(tmp_path / name)[0] == [(*each, None) for each in expected]


@pytest.mark.parametrize("time", ["2004-02-03T12:00:00", "2004-02-03T12:00:00Z", "20040203120000"])
def test_requests_with_times(tmp_path: Path, time: str) -> None:
    (tmp_path / "a.tsv").write_text(f"time\tquery\n{time}\ta b\n")
    assert read(tmp_path / "a.tsv")[0] == [("a b", 1, NOON)]


def test_parquet_has_times_and_counts(tmp_path: Path) -> None:
    table = pa.table({"query": ["a"], "time": pa.array([NOON]), "count": [4]})
    pq.write_table(table, tmp_path / "a.parquet")
    assert read(tmp_path / "a.parquet")[0] == [("a", 4, NOON)]


def test_rows_that_say_nothing_are_counted(tmp_path: Path) -> None:
    rows = ["query\tcount", "a\t2", "b\tmany", "c\t-1", " \t3", "d\t0"]
    (tmp_path / "a.tsv").write_text("\n".join(rows))
    assert read(tmp_path / "a.tsv") == ([("a", 2, None)], RowCounts(5, 4))
    (tmp_path / "b.tsv").write_text("query\ttime\na\tyesterday\nb\t2004-02-03T12:00:00\n")
    assert read(tmp_path / "b.tsv") == ([("b", 1, NOON)], RowCounts(2, 1))
    (tmp_path / "c.txt").write_text("1:a\nno topic\n3:\n")
    assert read(tmp_path / "c.txt") == ([("a", None, None)], RowCounts(3, 2))


def test_what_is_no_log_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("some words\nand more\n")
    with pytest.raises(InputError, match="no query log: give a table with a column query"):
        read(tmp_path / "a.txt")


def test_folding_and_counts() -> None:
    assert folded([" A\t b ", "\u00a0Ä"]).to_pylist() == ["a b", "ä"]
    assert [as_count(each) for each in ("7", 7, "1,000", "x", None, "0", 1.5)] == [
        *(7, 7, 1000),
        *(None, None, None, None),
    ]
