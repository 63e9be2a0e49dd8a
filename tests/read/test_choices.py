import gzip
from pathlib import Path

import pyarrow as pa
import pytest

from webecho.formats.listing import files_under
from webecho.read.choices import choose_all, complaint
from webecho.read.columns import ColumnNames
from webecho.read.delimited import Delimited
from webecho.read.folders import FolderSource
from webecho.read.jsonl import JsonLines
from webecho.read.lines import LinesSource
from webecho.read.pages import Input, Source
from webecho.read.parquet import ParquetSource
from webecho.read.tables import TableSource

GIVEN = ColumnNames()


def jsonl(path: Path, content: bytes) -> LinesSource:
    path.write_bytes(content)
    return LinesSource(str(path), GIVEN, JsonLines())


def folder(path: Path, *names: str) -> FolderSource:
    for name in names:
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(b"x")
    return FolderSource(str(path), files_under(str(path)), {})


def test_alike_choices_of_one_input_are_one_line(tmp_path: Path) -> None:
    sources: list[Source] = [
        jsonl(tmp_path / f"{number}.jsonl", b'{"text": "a"}\n') for number in range(2)
    ]
    sources.append(jsonl(tmp_path / "2.jsonl", b'{"html": "a", "url": "b"}\n'))
    sources.append(folder(tmp_path / "site", "a.html", "b.txt", "c.png"))
    lines, unreadable = choose_all([Input("in", tuple(sources))])
    assert lines == (
        "in (2 files): text = text",
        "in (1 file): html = html, url = url",
        "in (2 files): HTML and text files",
    )
    assert unreadable == []


def test_a_folder_of_nothing_else_is_not_announced(tmp_path: Path) -> None:
    given = [
        Input("site", (folder(tmp_path / "site", "a.html"),)),
        Input("table", (TableSource("table", pa.table({"text": ["a"]}), GIVEN),)),
    ]
    assert choose_all(given) == (("table: text = text",), [])


def test_where_there_was_nothing_to_choose_is_told(tmp_path: Path) -> None:
    good = jsonl(tmp_path / "a.jsonl", b'{"text": "a"}\n')
    bad = jsonl(tmp_path / "b.jsonl", b"words\n")
    lines, unreadable = choose_all([Input("a", (good,)), Input("b", (bad,))])
    assert lines == (
        "a: text = text",
        "b: no jsonl records in it; say what it is with --input-format",
    )
    assert unreadable == [bad]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"words\n", "no jsonl records in it"),
        ("{}".encode("utf-16"), "is UTF-16; convert it: iconv"),
        (b' [{"text": "a"}]', "is one JSON array, not JSON lines"),
        (gzip.compress(b"{}")[:7], "nothing in it can be read: gzip data end early; copy it again"),
    ],
)
def test_a_complaint_names_what_may_help(tmp_path: Path, content: bytes, message: str) -> None:
    assert str(complaint(jsonl(tmp_path / "a", content))).startswith(message)


def test_complaints_of_other_formats(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"words")
    parquet, csv = ParquetSource(str(tmp_path / "a"), GIVEN), Delimited()
    assert str(complaint(parquet)).startswith("not a Parquet file, or a broken one")
    assert str(complaint(LinesSource("-", GIVEN, csv))) == "no csv records in this stream"
