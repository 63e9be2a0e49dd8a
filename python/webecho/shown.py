"""Results as a Python prompt and a notebook show them: what was counted, and the first rows of
their tables.

What comes from pages is text and never markup.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import islice
from typing import Any

import pyarrow as pa

from webecho.safe_text import plain

# How much of a result is shown.
FACTS, ROWS, COLUMNS, CHARS = 12, 5, 8, 60
# Facts stand on lines of their own, and may say more than a cell.
FACT_CHARS = 300


@dataclass(frozen=True)
class Outline:
    """What there is to show of a result: facts and tables by their names, and what there is to say
    beside. Tables are Arrow's, frames of other libraries, or lists."""

    name: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    tables: Mapping[str, Any] = field(default_factory=dict)
    notes: Sequence[str] = ()


class Shown:
    """What has an outline is shown by it."""

    def outline(self) -> Outline:
        """What there is to show."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return "\n".join(text_lines(self.outline()))

    def _repr_html_(self) -> str:
        return "\n".join(html_lines(self.outline()))


def text_lines(outline: Outline) -> Iterator[str]:
    """An outline for a prompt: a line a fact, and of tables their size alone."""
    yield plain(outline.name)
    facts, tables = shown_facts(outline), shown_tables(outline)
    width = max(map(len, [*facts, *tables]), default=0)
    for name, text in facts.items():
        yield f"  {name:{width}}  {text}"
    for name, table in tables.items():
        yield f"  {name:{width}}  {extent(table)}"
    for note in outline.notes:
        yield f"  {plain(note)}"


def shown_facts(outline: Outline) -> dict[str, str]:
    """The first facts that are no tables or lists themselves."""
    single = {
        name: each
        for name, each in outline.facts.items()
        if each is None or isinstance(each, str | bool | int | float)
    }
    return {plain(name): value(each, FACT_CHARS) for name, each in islice(single.items(), FACTS)}


def shown_tables(outline: Outline) -> dict[str, Any]:
    """All tables, each by a name that no fact has."""
    facts = shown_facts(outline)
    names = {name: plain(name) for name in outline.tables}
    return {
        f"{names[name]}, table" if names[name] in facts else names[name]: table
        for name, table in outline.tables.items()
    }


def html_lines(outline: Outline) -> Iterator[str]:
    """An outline for a notebook: a table of facts, and the first rows of each table."""
    yield f"<div><b>{marked(outline.name)}</b>"
    yield "<table>"
    for name, text in shown_facts(outline).items():
        yield f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>"
    yield "</table>"
    for name, table in shown_tables(outline).items():
        yield f"<p>{escape(name)}: {escape(extent(table))}</p>"
        rows = first_rows(table)
        if rows is not None and rows.num_rows:
            yield from html_table(rows)
    for note in outline.notes:
        yield f"<p>{marked(note)}</p>"
    yield "</div>"


def html_table(rows: pa.Table) -> Iterator[str]:
    rows = rows.select(range(min(COLUMNS, rows.num_columns)))
    yield (
        "<table><tr>" + "".join(f"<th>{marked(each)}</th>" for each in rows.column_names) + "</tr>"
    )
    for row in zip(*(column.to_pylist() for column in rows.columns), strict=True):
        yield "<tr>" + "".join(f"<td>{escape(value(each))}</td>" for each in row) + "</tr>"
    yield "</table>"


def marked(text: str) -> str:
    """Text that no browser takes for markup."""
    return escape(plain(text))


def value(given: Any, chars: int = CHARS) -> str:
    """A value for people, no longer than so many characters: whole numbers in groups, others with
    four digits."""
    if given is None:
        return ""
    if isinstance(given, bool):
        return "yes" if given else "no"
    if isinstance(given, int):
        return f"{given:,}"
    if isinstance(given, float):
        return f"{given:,.4g}"
    text = plain(str(given))
    return text if len(text) <= chars else f"{text[: chars - 1]}…"


def extent(table: Any) -> str:
    """How large a table is, or of what kind, where asking would be work; of splits each."""
    if isinstance(table, Mapping):
        return ", ".join(f"{plain(str(name))}: {extent(each)}" for name, each in table.items())
    rows = getattr(table, "num_rows", None)
    if not isinstance(rows, int):
        try:
            rows = len(table)
        except TypeError:
            return f"a {type(table).__name__}"
    names = getattr(table, "column_names", getattr(table, "columns", None))
    columns = f" × {len(names)} columns" if names is not None else ""
    return f"{rows:,} {'row' if rows == 1 else 'rows'}{columns}"


def first_rows(table: Any) -> pa.Table | None:
    """The first rows, where they can be had at once."""
    if isinstance(table, pa.Table):
        return table.slice(0, ROWS)
    if isinstance(table, list):
        return pa.table({"": [str(each) for each in table[:ROWS]]})
    if hasattr(table, "head") and hasattr(table, "__arrow_c_stream__") and hasattr(table, "shape"):
        # What pandas knows rows by comes behind the columns, and is none.
        return pa.table(table.head(ROWS)).select(range(len(table.columns)))
    return None
