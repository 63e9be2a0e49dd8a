import csv
import io
from datetime import UTC, datetime
from pathlib import Path

import fsspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.read.reading import check_again, everything
from webecho.formats.delimited import DIALECTS, LONGEST
from webecho.read.columns import ColumnNames
from webecho.read.delimited import Delimited
from webecho.read.limits import Limits
from webecho.read.lines import LinesSource


def source_of(
    content: bytes, form: str = "csv", longest: int = LONGEST, **given: str
) -> LinesSource:
    fsspec.filesystem("memory").pipe_file("/rows.csv", content)
    return LinesSource(
        "memory://rows.csv", ColumnNames(**given), Delimited(DIALECTS[form], Limits(page=longest))
    )


def test_rows_are_pages() -> None:
    content = (
        "\ufeffid,url,text,date\r\n"
        '1,http://a.org/,"two\r\nlines, ""quoted""",2020-01-31\r\n'
        "2,,,\r\n"
    ).encode()
    found, skipped = everything(source_of(content))
    assert skipped == []
    day = datetime(2020, 1, 31, tzinfo=UTC)
    assert [(r["place"], r["id"], r["url"], r["body"], r["fetched"]) for r in found] == [
        (0, "1", "http://a.org/", b'two\r\nlines, "quoted"', day),
        (1, "2", None, b"", None),
    ]


@pytest.mark.parametrize(
    ("content", "form"),
    [(b"text\tid\na,b;c\t5\n", "tsv"), (b"text;id\na,b;5\n", "csv"), (b"text\tid\nab\t5\n", "csv")],
)
def test_delimiters(content: bytes, form: str) -> None:
    (page,), skipped = everything(source_of(content, form))
    assert (page["id"], skipped) == ("5", [])


def test_a_row_with_the_wrong_number_of_fields_is_skipped() -> None:
    found, skipped = everything(source_of(b"id,text\n1,a\n2\n\n3,b,c\n4,d\n"))
    assert [(row["place"], row["body"]) for row in found] == [(0, b"a"), (4, b"d")]
    assert [(skip.place, skip.reason, skip.detail, skip.failed) for skip in skipped] == [
        (1, "wrong number of fields", "1, where the header has 2", True),
        (2, "blank", None, False),
        (3, "wrong number of fields", "3, where the header has 2", True),
    ]


def test_nul_and_bytes_that_are_not_utf8_do_not_stop_the_run() -> None:
    found, skipped = everything(source_of(b"id,text\n1,a\0b\n2,\xff\n3,c\n"))
    assert [row["body"] for row in found] == [b"a\0b", b"\xff", b"c"]
    assert [row["charset"] for row in found] == ["utf-8", None, "utf-8"]
    assert skipped == []


def test_names_of_columns_and_rows_may_have_bytes_that_are_not_utf8() -> None:
    (row,), _ = everything(source_of(b"\xff,url,text\n1,http://a/\xe4,b\xe4r\n"))
    assert (row["url"], row["body"]) == ("http://a/\ufffd", b"b\xe4r")


def test_a_quote_that_is_never_closed_is_told() -> None:
    found, (skip,) = everything(source_of(b'id,text\n1,a\n2,"b\n3,c\n4,d\n'))
    assert [row["body"] for row in found] == [b"a"]
    assert (skip.place, skip.reason, skip.failed) == (1, "unclosed quote", True)
    assert skip.detail == "lines 3 to 5"


def test_rows_that_a_quote_took_are_not_lost_silently() -> None:
    content = b'id,text\n1,"a\n2,b\n3,"c"\n4,d\n'
    found, (skip,) = everything(source_of(content))
    assert [row["body"] for row in found] == [b"d"]
    assert (skip.place, skip.reason, skip.failed) == (0, "bad CSV", True)
    assert str(skip.detail).startswith("lines 2 to 4: ")


def test_quotes_that_are_not_doubled_are_forgiven() -> None:
    (page, other), skipped = everything(source_of(b'id,text\n1,"a "b" c"\n2,"d"\n'))
    assert (page["body"], other["body"], skipped) == (b'a b" c"', b"d", [])


def test_huge_fields_are_skipped_and_the_rest_goes_on() -> None:
    lines = b'1,a\n2,"' + b"b\n" * 60 + b'"\n3,"c"\n4,' + b"d" * 200 + b"\n5,e\n"
    found, skipped = everything(source_of(b"id,text\n" + lines, longest=100))
    assert [row["body"] for row in found] == [b"a", b"e"]
    assert all(skip.failed for skip in skipped)
    assert {"bad CSV", "too long"} <= {skip.reason for skip in skipped}


def test_the_default_limit_is_not_that_of_python() -> None:
    # Python's csv stops at fields of 128 KiB.
    (page,), _ = everything(source_of(b"id,text\n1," + b"x" * 1_000_000 + b"\n"))
    assert len(page["body"]) == 1_000_000


def test_reading_again_and_reading_on(tmp_path: Path) -> None:
    with (tmp_path / "a.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "text"])
        for number in range(5000):
            rows.writerow(
                [number, f'line "{number}"\n' * (number % 9)][: 1 if number % 11 == 5 else 2]
            )
    check_again(LinesSource(str(tmp_path / "a.csv"), ColumnNames(), Delimited()))


@given(st.lists(st.lists(st.text(max_size=6), min_size=3, max_size=3), min_size=1, max_size=9))
def test_what_python_writes_is_read_back(rows: list[list[str]]) -> None:
    written = io.StringIO(newline="")
    csv.writer(written).writerows([["id", "url", "text"], *rows])
    found, skipped = everything(source_of(written.getvalue().encode("utf-8", "replace")))
    expected = [[field.encode("utf-8", "replace") for field in row] for row in rows]
    assert [row["body"] for row in found] == [row[2] for row in expected]
    assert [(row["id"] or "").encode() for row in found] == [row[0] for row in expected]
    assert skipped == []


@given(st.binary(max_size=200) | st.text('ab,"\n\r\0;', max_size=60).map(str.encode))
def test_any_bytes_are_read_and_every_row_is_accounted_for(content: bytes) -> None:
    source = source_of(b"id,text\n" + content)
    found, skipped = everything(source)
    places = sorted([*(row["place"] for row in found), *(skip.place for skip in skipped)])
    assert places == list(range(len(places)))
    # No row takes no line, and no line is in two rows.
    assert len(places) <= content.count(b"\n") + 1
    if content.strip() and b'"' not in content:
        assert len(places) == len(content.removesuffix(b"\n").split(b"\n"))
    check_again(source)
