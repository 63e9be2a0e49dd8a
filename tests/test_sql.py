"""SQL outside the engines is in the subset that DuckDB and Spark SQL share."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import webecho

ROOT = Path(webecho.__file__).parent
# What DuckDB alone understands, and what stands there instead.
ONLY_DUCKDB = {
    r"\bSEMI\s+JOIN\b": "EXISTS or IN",
    r"\bANTI\s+JOIN\b": "NOT EXISTS",
    r"\*\s*EXCLUDE\b": "a list of columns",
    r"\bQUALIFY\b": "a subquery",
    r"\bVARCHAR\b": "STRING",
}


def texts(code: str) -> Iterator[tuple[int, str]]:
    """The strings of a program with their lines; what an f-string fills in stands in braces."""

    def text(node: ast.expr) -> str:
        return str(node.value) if isinstance(node, ast.Constant) else "{}"

    tree = ast.parse(code)
    inside = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in node.values
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(map(text, node.values))
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in inside
        ):
            yield node.lineno, node.value


def orders(text: str) -> Iterator[str]:
    """What is ordered by, one expression after the other."""
    for found in re.finditer(r"\bORDER BY\b", text):
        depth, start = 0, found.end()
        for at in range(start, len(text) + 1):
            rest = text[at:]
            end = not rest or (depth == 0 and re.match(r"\)|;|\b(LIMIT|ROWS|RANGE)\b", rest))
            if end or (depth == 0 and rest[0] == ","):
                yield " ".join(text[start:at].split())
                start = at + 1
            if end:
                break
            depth += {"(": 1, ")": -1}.get(rest[0], 0)


def says_where_nulls_are(order: str) -> bool:
    # What is filled in is another string, which is looked at by itself if it says ORDER BY.
    return re.fullmatch(r"\{\w*\}|.* NULLS (FIRST|LAST)", order) is not None


SQL = [
    pytest.param(text, id=f"{file.relative_to(ROOT)}:{line}")
    for file in sorted(ROOT.rglob("*.py"))
    if not file.is_relative_to(ROOT / "engine")
    for line, text in texts(file.read_text())
    if re.search(r"\bSELECT\b|\bORDER BY\b", text)
]


def test_orders_are_taken_from_the_text() -> None:
    code = "order = 1\nf'SELECT row_number() OVER (ORDER BY {order}), f(a, b) FROM t'"
    assert [(line, [*orders(text)]) for line, text in texts(code)] == [(2, ["{}"])]
    text = "SELECT * FROM t ORDER BY (a - 1) / b NULLS LAST,\n  c DESC, least(d, e) LIMIT 3"
    found = [*orders(text)]
    assert found == ["(a - 1) / b NULLS LAST", "c DESC", "least(d, e)"]
    assert [says_where_nulls_are(order) for order in found] == [True, False, False]


def test_there_is_sql_that_orders() -> None:
    assert len(SQL) > 40
    assert sum(len([*orders(text)]) for each in SQL for text in each.values) > 40


@pytest.mark.parametrize("text", SQL)
def test_every_order_says_where_nulls_are(text: str) -> None:
    assert [order for order in orders(text) if not says_where_nulls_are(order)] == []


@pytest.mark.parametrize("text", SQL)
def test_no_words_of_one_engine_alone(text: str) -> None:
    assert {instead for word, instead in ONLY_DUCKDB.items() if re.search(word, text)} == set()
