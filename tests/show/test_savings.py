"""Savings on the terminal."""

import pyarrow as pa
import pytest

import webecho
from webecho.show.savings import left_out, show_savings

URLS = pa.table(
    {
        "url": ["a", "b", "c"],
        "visit": [True, False, False],
        "visit_url": ["a", "a", "a"],
        "reason": [None, "popular", "url alias"],
        "bytes": [9, 3, 5],
        "page": [0, 1, 2],
    }
)


def test_the_largest_pages_come_first() -> None:
    assert left_out(URLS)["url"].to_pylist() == ["c", "b"]


def test_long_tables_are_cut(capsys: pytest.CaptureFixture[str]) -> None:
    pages = [(f"http://h.a/{number}", f"page {number // 2}") for number in range(60)]
    table = pa.table({"url": [url for url, _ in pages], "text": [text for _, text in pages]})
    show_savings(webecho.savings(table), "table")
    shown = capsys.readouterr().out
    assert "The 20 largest of 30 pages to leave out" in shown
    assert "URL rules\nhost" not in shown
