"""Results as a prompt and a notebook show them."""

import inspect
import typing
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any

import pandas
import polars
import pyarrow as pa
import pytest

import webecho
from webecho.shown import CHARS, COLUMNS, FACT_CHARS, FACTS, ROWS, Outline, Shown, extent, value

WICKED = "<script>alert(1)</script>\x1b[31m"


@dataclass(frozen=True, repr=False)
class Result(Shown):
    made: Outline

    def outline(self) -> Outline:
        return self.made


def test_a_line_for_each_fact_and_table() -> None:
    facts = {"read": 12345, "share": 0.123456, "whole": True, "none": None, "lists": [1]}
    tables = {"kept": pa.table({"a": [1], "b": [2]}), "texts": ["one", "two"]}
    assert repr(Result(Outline("Deduplicated", facts, tables, ("look at it",)))) == (
        "Deduplicated\n"
        "  read   12,345\n"
        "  share  0.1235\n"
        "  whole  yes\n"
        "  none   \n"
        "  kept   1 row × 2 columns\n"
        "  texts  2 rows\n"
        "  look at it"
    )


def test_a_table_is_not_called_as_a_fact_is() -> None:
    tables = {"kept": ["one"], "duplicates": ["two"]}
    shown = Result(Outline("Deduplicated", {"kept": 1}, tables))
    assert repr(shown) == (
        "Deduplicated\n  kept         1\n  kept, table  1 row\n  duplicates   1 row"
    )
    html = shown._repr_html_()
    assert "<p>kept, table: 1 row</p>" in html and "<p>duplicates: 1 row</p>" in html


def test_what_pandas_knows_rows_by_is_no_column() -> None:
    frame = pandas.DataFrame({"a": [1, 2, 3]})[lambda each: each.a > 1]
    html = Result(Outline("x", tables={"kept": frame}))._repr_html_()
    assert "kept: 2 rows × 1 columns" in html
    assert html.count("<th>") == 1 and html.count("<td>") == 2


def test_a_fact_may_say_more_than_a_cell() -> None:
    rules = ", ".join(["virtually-identical"] * 10)
    shown = Result(Outline("x", {"together by": rules}))
    assert repr(shown).endswith(rules) and rules in shown._repr_html_()
    assert len(repr(Result(Outline("x", {"fact": "a" * 5000})))) < 2 * FACT_CHARS


def test_only_so_much() -> None:
    many = pa.table({f"c{number}": [*range(100)] for number in range(20)})
    shown = Result(Outline("x", {str(number): number for number in range(50)}, {"t": many}))
    assert len(repr(shown).splitlines()) == 1 + FACTS + 1
    html = shown._repr_html_()
    assert html.count("<td>") == FACTS + ROWS * COLUMNS
    assert html.count("<tr>") == html.count("</tr>") == FACTS + 1 + ROWS
    assert len(value("a" * 500)) == CHARS


class Tags(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, _: list[tuple[str, str | None]]) -> None:
        self.found.add(tag)


def test_text_is_never_markup() -> None:
    rows = pa.table({WICKED: [WICKED]})
    result = Result(Outline(WICKED, {WICKED: WICKED}, {WICKED: rows, "a": [WICKED]}, (WICKED,)))
    html = result._repr_html_()
    assert "alert(1)" in html and "\x1b" not in html + repr(result)
    assert Tags(html).found <= {"div", "b", "table", "tr", "th", "td", "p"}


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(["one text", "One text.", WICKED], id="list"),
        pytest.param(pa.table({"text": ["a b", "A b", WICKED]}), id="arrow"),
        pytest.param(polars.DataFrame({"text": ["a b", "A b", WICKED]}), id="polars"),
        pytest.param(pandas.DataFrame({"text": ["a b", "A b", WICKED]}), id="pandas"),
    ],
)
def test_frames_of_all_libraries(data: Any) -> None:
    found = webecho.dedup(data)
    assert repr(found).startswith("Deduplicated\n  read         3\n  kept         2\n")
    assert "\n  kept, table  2 rows" in repr(found)
    html = found._repr_html_()
    assert "&lt;script&gt;" in html and "<script" not in html


def test_what_cannot_be_counted_is_named() -> None:
    assert "rows  a object" in repr(Result(Outline("x", {}, {"rows": object()})))


def test_every_result_is_shown() -> None:
    """What functions give is a table, or has an outline; of several rules one of these each."""
    for name in webecho.__all__:
        function = getattr(webecho, name)
        if inspect.isfunction(function):
            given = typing.get_type_hints(inspect.unwrap(function))["return"]
            for each in typing.get_args(given) or (given,):
                if typing.get_origin(each) is dict:
                    each = typing.get_args(each)[1]  # noqa: PLW2901
                kind = typing.get_origin(each) or each
                assert kind in (pa.Table, Any) or issubclass(kind, Shown), name


def test_of_splits_the_extent_of_each_is_told() -> None:
    splits = {"train": pa.table({"text": ["a", "b"]}), "test": pa.table({"text": ["a"]})}
    assert extent(splits) == "train: 2 rows × 1 columns, test: 1 row × 1 columns"
