"""How results are shown."""

import json
import re
from typing import Any

import pyarrow as pa
import pytest

from webecho.show.terminal import Format, measure, number, say, show

SUMMARY: dict[str, Any] = {"rule": "exact", "pages": 12345, "share": 0.25}
ROWS: list[dict[str, Any]] = [
    {"pages": 1200, "title": "One", "share": 0.5, "known": True},
    {"pages": 3, "title": None, "share": 0.12345, "known": False},
]
TABLE = pa.Table.from_pylist(ROWS)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (1234567, "1,234,567"),
        (0.5, "0.5000"),
        (1 / 3, "0.3333"),
        (True, "yes"),
        (False, "no"),
        (None, ""),
        ("text", "text"),
    ],
)
def test_values_for_people(value: object, shown: str) -> None:
    assert number(value) == shown


def test_a_table_is_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    show(SUMMARY, TABLE, "table", "The largest")
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        "rule   exact",
        "pages  12,345",
        "share  0.2500",
        "",
        "The largest",
        "pages  title   share  known",
        "1,200  One    0.5000  yes",
        "    3         0.1235  no",
    ]


def test_a_summary_alone_has_no_table(capsys: pytest.CaptureFixture[str]) -> None:
    show(SUMMARY, TABLE.slice(0, 0), "table", "The largest")
    assert capsys.readouterr().out == "rule   exact\npages  12,345\nshare  0.2500\n"


def test_json_has_summary_and_rows(capsys: pytest.CaptureFixture[str]) -> None:
    show(SUMMARY, TABLE, "json")
    assert json.loads(capsys.readouterr().out) == SUMMARY | {"rows": ROWS}


def test_json_has_the_same_keys_with_and_without_rows(capsys: pytest.CaptureFixture[str]) -> None:
    """A program that reads `rows` must not fail on the day when there are none."""
    show(SUMMARY, TABLE, "json")
    some = json.loads(capsys.readouterr().out)
    show(SUMMARY, TABLE.slice(0, 0), "json", "The largest")
    assert json.loads(capsys.readouterr().out).keys() == some.keys()


def test_a_verb_without_a_table_has_no_rows(capsys: pytest.CaptureFixture[str]) -> None:
    show(SUMMARY, None, "json")
    assert json.loads(capsys.readouterr().out) == SUMMARY


def test_csv_has_the_table_or_of_verbs_without_one_the_summary(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show(SUMMARY, TABLE, "csv")
    assert capsys.readouterr().out == (
        "pages,title,share,known\n1200,One,0.5,True\n3,,0.12345,False\n"
    )
    show(SUMMARY, TABLE.slice(0, 0), "csv")
    assert capsys.readouterr().out == "pages,title,share,known\n"
    show(SUMMARY, None, "csv")
    assert capsys.readouterr().out == "rule,pages,share\nexact,12345,0.25\n"


def test_long_and_wicked_titles_are_shown_whole(capsys: pytest.CaptureFixture[str]) -> None:
    url = "http://www.example.org/" + "x" * 150
    rows = [{"title": "[bold]not markup[/bold] :smile:", "representative": url, "n": 1}]
    show({}, pa.Table.from_pylist(rows), "table")
    shown = capsys.readouterr().out
    assert "[bold]not markup[/bold] :smile:" in shown
    assert url in shown


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        *(("average C-similarity", 371.8356, "371.8"), ("pages per host", 9.275, "9.275")),
        *(("pages per host", 12_345.678, "12,346"), ("ratio", 0.5, "0.5000")),
        ("share of pages", 0.125, "12.5%"),
        *(("removed, about", 0.1975, "19.8%"), ("removed in the sample", 79, "79")),
        *(("seconds", 1.25, "1.2"), ("bytes", 1500, "1.5 KB")),
    ],
)
def test_a_fact_has_no_digits_that_tell_nothing(name: str, value: float, shown: str) -> None:
    assert measure(name, value) == shown


def test_no_address_is_cut_however_long(capsys: pytest.CaptureFixture[str]) -> None:
    url = "http://www.example.org/" + "0123456789" * 60
    rows = [{"pages": 2, "representative": url, "cluster": 7}]
    show({}, pa.Table.from_pylist(rows), "table")
    assert url in capsys.readouterr().out.split()


HOSTILE = "=cmd\x1b]0;x\x07\u202e\x9b\x7f"


def test_files_get_csv_untouched(capsys: pytest.CaptureFixture[str]) -> None:
    show({}, pa.table({"title": [HOSTILE], "n": [-1]}), "csv")
    assert capsys.readouterr().out == f"title,n\n{HOSTILE},-1\n"


def test_csv_for_spreadsheets(capsys: pytest.CaptureFixture[str]) -> None:
    show({}, pa.table({"@title": ["=1+1", "a"], "n": [-1, 2]}), "csv-safe")
    assert capsys.readouterr().out == "'@title,n\n'=1+1,-1\na,2\n"
    show({"rule": "-x"}, None, "csv-safe")
    assert capsys.readouterr().out == "rule\n'-x\n"


@pytest.mark.parametrize("output", ["table", "json", "csv", "csv-safe"])
def test_nothing_that_a_terminal_obeys(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, output: Format
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    show({"workspace": HOSTILE}, pa.table({HOSTILE: [HOSTILE]}), output, "The pages")
    say(HOSTILE)
    shown = capsys.readouterr()
    # Titles and names of columns are set off by us.
    rest = re.sub(r"\x1b\[\d*m", "", shown.out + shown.err)
    assert rest.count("cmd") >= 2
    for char in "\x1b\x07\u202e\x9b\x7f":
        assert char not in rest
