"""Small tables in the forms that people have them in."""

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from webecho.errors import InputError
from webecho.read.named_rows import RowCounts, dialect_of, named_rows, place_of

COLUMNS = {"query": ("query", "q"), "count": ("count", "n")}
ROWS = [("a, b", "3"), ('say "hi"', "1")]
TEXTS = {
    "a.csv": 'query,count\n"a, b",3\n"say ""hi""",1\n',
    "b.csv": '﻿N,other,Q\r\n3,x,"a, b"\r\n1,,"say ""hi"""\r\n',
    "c.tsv": 'query\tcount\na, b\t3\nsay "hi"\t1\n',
    "d.jsonl": '{"query": "a, b", "count": "3"}\n\n{"Q": "say \\"hi\\"", "n": "1"}\n',
}


def read(file: Path) -> tuple[list[tuple[object, ...]], RowCounts]:
    counts = RowCounts()
    found = named_rows(str(file), COLUMNS, counts)
    assert found is not None
    return [row for rows in found for row in rows], counts


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("packed", [False, True])
def test_text(tmp_path: Path, name: str, packed: bool) -> None:
    content = TEXTS[name].encode()
    file = tmp_path / name
    file.write_bytes(gzip.compress(content) if packed else content)
    assert read(file) == (ROWS, RowCounts(2, 0))


def test_parquet(tmp_path: Path) -> None:
    table = pa.table({"n": [3, 1], "query": [row[0] for row in ROWS]})
    pq.write_table(table, tmp_path / "a.parquet")
    assert read(tmp_path / "a.parquet") == ([("a, b", 3), ('say "hi"', 1)], RowCounts(2, 0))


def test_what_cannot_be_read_is_counted(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    lines = ['{"query": "a"}', "[1]", '{"query": ""}', "{", json.dumps({"count": 2})]
    file.write_text("\n".join(lines))
    assert read(file) == ([("a", None)], RowCounts(5, 4))


def test_a_file_without_the_column_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("topic,count\na,3\n")
    assert named_rows(str(tmp_path / "a.csv"), COLUMNS, RowCounts()) is None
    with pytest.raises(InputError, match="no such file"):
        named_rows(str(tmp_path / "b.csv"), COLUMNS, RowCounts())


@pytest.mark.parametrize("content", [b"PAR1garbage", gzip.compress(b"query\na\n" * 999)[:20]])
def test_a_damaged_file_is_named(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "damaged"
    file.write_bytes(content)
    with pytest.raises(InputError, match=r"damaged cannot be read \(.*; check how it was made"):
        named_rows(str(file), COLUMNS, RowCounts())


def test_a_folder_and_nothing_at_all_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r": is a folder; name a file in it$"):
        named_rows(str(tmp_path), COLUMNS, RowCounts())
    with pytest.raises(InputError, match=r": no such file; check the spelling$"):
        named_rows(str(tmp_path / "nothing.tsv"), COLUMNS, RowCounts())


def test_names_of_columns() -> None:
    assert place_of(["A", " Query "], ("q", "query")) == 1
    assert place_of(["A"], ("q",)) is None
    assert [dialect_of(line) for line in (b"a\tb", b"a,b", b"a")] == ["tsv", "csv", "csv"]
