"""Rows that name two pages each, and the very pages that they mean.

A row has the columns of importing.py that name pages, and whatever else; where it has none of them,
but two values, these are the left and the right page. A CSV file of two columns needs no header.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from webecho.errors import MEMORY, InputError
from webecho.evaluation.label.importing import name_of, read_rows, text
from webecho.evaluation.label.matching import Called, Name, named_pages
from webecho.run import Run
from webecho.workspace.stored import read_file, read_schema
from webecho.workspace.workspace import Workspace

SIDES = ("left", "right")
NAMING = frozenset(f"{side}{end}" for side in SIDES for end in ("", "_url", "_id"))
GIVE = "give a file of pairs"
PAIRS = pa.schema([("row", pa.int64()), ("left", pa.int64()), ("right", pa.int64())])


@dataclass(frozen=True)
class NamedPairs:
    """How many rows there are, the pairs that they mean, by their numbers from 1 and in their
    order, and a line for each row that means none."""

    rows: int
    pairs: pa.Table
    problems: tuple[str, ...]


def rows_of(source: Path, most: int | None = None) -> Iterator[tuple[str, Any]]:
    """Each row of a CSV, JSON lines or Parquet file with its place; refused where it has more
    characters in all."""
    if source.suffix.lower() != ".parquet":
        yield from read_rows(source, most, bare=NAMING)
        return
    names = read_schema(source, GIVE, InputError).names
    naming = [name for name in names if name in NAMING] or names
    table = read_file(source, GIVE, columns=naming, kind=InputError)
    if most is not None and table.nbytes > most:
        raise InputError(
            f"{source}: its names have {table.nbytes:,} bytes, more than the memory allows; give "
            "it in parts, or give more ",
            MEMORY,
        )
    for number, row in enumerate(table.to_pylist(), 1):
        yield f"{source}, row {number}", row


def named_pairs(workspace: Workspace, rows: Iterable[tuple[str, Any]], run: Run) -> NamedPairs:
    """The pairs that rows mean, each given with its place."""
    problems: list[tuple[int, str]] = []
    named: list[tuple[int, str, tuple[Name, Name]]] = []
    count = 0
    for where, values in rows:
        count += 1
        try:
            named.append((count, where, names_in(values)))
        except InputError as error:
            problems.append((count, f"{where}: {error}"))
    called = named_pages(workspace, [name for _, _, two in named for name in two], run)
    found: list[tuple[int, int, int]] = []
    for number, where, two in named:
        try:
            left, right = (meant(called, name, workspace.pages) for name in two)
            found.append((number, left, right))
        except InputError as error:
            problems.append((number, f"{where}: {error}"))
    columns = [pa.array([row[at] for row in found], pa.int64()) for at in range(len(PAIRS))]
    told = tuple(text for _, text in sorted(problems))
    return NamedPairs(count, pa.table(columns, schema=PAIRS), told)


def names_in(values: Any) -> tuple[Name, Name]:
    """The two pages that a row names."""
    if isinstance(values, list | tuple):
        values = dict(enumerate(values))
    if not isinstance(values, dict):
        raise InputError("the line is neither a JSON object nor a list of two")
    given = {name: text(value) for name, value in values.items() if name is not None}
    if not NAMING & given.keys():
        if len(given) != len(SIDES):
            raise InputError(
                "it does not name two pages; give left and right, or left_url and right_url, or "
                "left_id and right_id"
            )
        given = dict(zip(SIDES, given.values(), strict=True))
    left, right = (name_of(given, side) for side in SIDES)
    return left, right


def meant(called: Called, name: Name, count: int) -> int:
    """The one page, of so many, that has this name."""
    pages = called.pages(name, count)
    if not pages:
        raise InputError(f"no page is called {name}")
    if len(pages) > 1 and name.number not in pages:
        raise InputError(
            f"{len(pages)} pages are called {name}; name it by id, or by number: #{pages[0]}"
        )
    return pages[0] if len(pages) == 1 or name.number is None else name.number
