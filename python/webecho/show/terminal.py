"""Results on standard output, progress on standard error."""

import csv
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

import pyarrow as pa
from rich.console import Console
from rich.progress import (
    BarColumn,
    SpinnerColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bar
from rich.table import Table

from webecho.sketches.sketching import Progress

Format = Literal["table", "json", "csv"]
Row = dict[str, Any]

# Seconds between two lines of progress where there is no terminal.
EVERY = 10.0


def say(text: str) -> None:
    """A line for people, apart from the results."""
    print(text, file=sys.stderr, flush=True)


def show(summary: Row, rows: pa.Table | None, output: Format, title: str = "") -> None:
    """Prints a summary and, of verbs that have one, a table: aligned for people, or as JSON or CSV
    for programs. CSV has the table alone, or of verbs that have none the summary as one row.
    """
    if output == "json":
        more = {} if rows is None else {"rows": rows.to_pylist()}
        json.dump(summary | more, sys.stdout, indent=1)
        print()
        return
    if output == "csv":
        names = list(summary) if rows is None else rows.column_names
        writer = csv.DictWriter(sys.stdout, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows([summary] if rows is None else rows.to_pylist())
        return
    width = max((len(name) for name in summary), default=0)
    for name, value in summary.items():
        print(f"{name:<{width}}  {size(value) if name.startswith('bytes') else number(value)}")
    if rows is not None and len(rows):
        print()
        print_rows(rows, title)


def print_rows(rows: pa.Table, title: str) -> None:
    table = Table(title=title or None, title_justify="left", box=None, pad_edge=False)
    for field in rows.schema:
        aligned = pa.types.is_integer(field.type) or pa.types.is_floating(field.type)
        table.add_column(field.name, justify="right" if aligned else "left", overflow="fold")
    for row in rows.to_pylist():
        # Titles and addresses come from the crawl: no markup, no control characters.
        table.add_row(*(plain(number(value)) for value in row.values()))
    # Piped into a file or another program nothing is cut to the width of a screen.
    width = None if sys.stdout.isatty() else 10_000
    console = Console(markup=False, highlight=False, emoji=False, width=width)
    with console.capture() as drawn:
        console.print(table)
    print("\n".join(line.rstrip() for line in drawn.get().splitlines()))


def plain(text: str) -> str:
    """Text from a crawl, harmless on a terminal."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def number(value: Any) -> str:
    """Whole numbers with thin groups, shares and measures with four digits."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def size(count: float) -> str:
    """Bytes for people."""
    for unit in ("bytes", "KB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"


@contextmanager
def progress(quiet: bool) -> Iterator[Callable[[Progress], None]]:
    """Shows how far sketching has come: a bar on a terminal, now and then a line elsewhere."""
    start = time.monotonic()

    def speed(now: Progress) -> str:
        seconds = max(time.monotonic() - start, 1e-9)
        return (
            f"{now.pages:,} pages, {size(now.bytes)}, {now.pages / seconds:,.0f} pages/s, "
            f"{now.bytes / seconds / 1e6:,.0f} MB/s"
        )

    if quiet:
        yield lambda _: None
    elif sys.stderr.isatty():
        columns = (
            SpinnerColumn(),
            BarColumn(),
            TextColumn("{task.description}"),
            TimeRemainingColumn(),
        )
        with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("", total=None)
            yield lambda now: bar.update(
                task,
                description=speed(now),
                total=None if now.share is None else 1.0,
                completed=now.share or 0.0,
            )
    else:
        last = start

        def line(now: Progress) -> None:
            nonlocal last
            if time.monotonic() - last >= EVERY:
                last = time.monotonic()
                left = ""
                if now.share:
                    seconds = (last - start) * (1 - now.share) / now.share
                    left = f", {now.share:.0%} done, about {seconds:,.0f} s left"
                say(speed(now) + left)

        yield line
