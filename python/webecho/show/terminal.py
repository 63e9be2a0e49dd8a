"""Results on standard output, notes on standard error."""

import csv
import json
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, Literal, TextIO

import pyarrow as pa

from webecho.safe_text import no_formula, plain
from webecho.show.layout import DIGITS, broken, cell, decimals, in_full, laid_out
from webecho.sizes import size

Format = Literal["table", "json", "csv", "csv-safe"]
Row = dict[str, Any]
# How facts begin that are shares where they are no counts.
SHARES = ("text", "share ", "removed")


def say(text: str) -> None:
    """A line for people, apart from the results."""
    print(for_screen(text), file=sys.stderr, flush=True)


def for_screen(text: str) -> str:
    """Lines for standard error, broken between words where a screen ends."""
    lines = [plain(line) for line in text.split("\n")]
    return "\n".join(_broken(lines, sys.stderr))


def show(summary: Row, rows: pa.Table | None, output: Format, title: str = "") -> None:
    """Prints a summary and, of verbs that have one, a table: aligned for people, or as JSON or CSV
    for programs. CSV has the table alone, or of verbs that have none the summary as one row.
    """
    if output == "json":
        print_json(summary | ({} if rows is None else {"rows": rows.to_pylist()}))
        return
    if output != "table":
        found = [summary] if rows is None else rows.to_pylist()
        names = list(summary) if rows is None else rows.column_names
        print_csv(names, (row.values() for row in found), output)
        return
    width = max((len(name) for name in summary), default=0)
    if summary:
        print_lines(
            f"{name:<{width}}  {plain(measure(name, value))}" for name, value in summary.items()
        )
    if rows is not None and len(rows):
        print()
        print_rows(rows, title)


def print_json(record: Row) -> None:
    """JSON in ASCII; of its characters only DEL does something to a terminal."""
    print(json.dumps(record, indent=1).replace("\x7f", "\\u007f"))


def print_csv(names: Iterable[str], rows: Iterable[Iterable[Any]], output: Format) -> None:
    """CSV as it is for programs and files, without control characters for a terminal; `csv-safe`
    has no cell that a spreadsheet takes for a formula."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    on_terminal = sys.stdout.isatty()
    for row in chain((names,), rows):
        cells: list[Any] = list(row)
        if output == "csv-safe":
            cells = [no_formula(cell) for cell in cells]
        if on_terminal:
            cells = [plain(cell) if isinstance(cell, str) else cell for cell in cells]
        writer.writerow(cells)


def print_lines(lines: Iterable[str]) -> None:
    """Lines of text, broken between words where a screen ends; elsewhere as long as they are."""
    print("\n".join(_broken(lines, sys.stdout)))


def _broken(lines: Iterable[str], out: TextIO) -> Iterable[str]:
    if not out.isatty():
        return lines
    screen = shutil.get_terminal_size().columns
    return chain.from_iterable(broken(line, screen) for line in lines)


def print_rows(rows: pa.Table, title: str, sentences: Sequence[str] = ()) -> None:
    """One line a row: on a terminal as wide as that is, where those of the columns of `sentences`
    may be broken, elsewhere as wide as it must be."""
    if sys.stdout.isatty():
        screen = shutil.get_terminal_size().columns
        lines = [*textwrap.wrap(plain(title), screen), *laid_out(rows, screen, sentences)]
    else:
        lines = [plain(title)] * bool(title) + in_full(rows)
    print("\n".join(lines))


def number(value: Any) -> str:
    """Whole numbers with thin groups, shares and measures with four digits."""
    return cell(value, DIGITS)


def many(count: int, noun: str) -> str:
    """1 pair, 2 pairs."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def measure(name: str, value: Any) -> str:
    """A value of a summary: bytes, shares and seconds by their names."""
    if name.startswith("bytes"):
        return size(value)
    if name.startswith(SHARES) and isinstance(value, float):
        return f"{value:.1%}"
    if name.startswith("seconds"):
        return f"{value:,.1f}"
    # Beyond 1 so many digits would tell nothing.
    large = isinstance(value, float) and abs(value) > 1
    return cell(value, decimals([value])) if large else number(value)
