"""Results on standard output, progress on standard error."""

import csv
import json
import shutil
import sys
import textwrap
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any, Literal

import pyarrow as pa

from webecho.run import Progress, Report, silent
from webecho.safe_text import no_formula, plain
from webecho.show.layout import DIGITS, cell, in_full, laid_out

Format = Literal["table", "json", "csv", "csv-safe"]
Row = dict[str, Any]

# Seconds between two lines of progress where there is no terminal.
EVERY = 10.0
# A bar is counted in whole parts.
PARTS = 1000


def say(text: str) -> None:
    """A line for people, apart from the results."""
    print("\n".join(map(plain, text.split("\n"))), file=sys.stderr, flush=True)


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
    for name, value in summary.items():
        print(f"{name:<{width}}  {plain(measure(name, value))}")
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


def print_rows(rows: pa.Table, title: str) -> None:
    """One line a row: on a terminal as wide as that is, elsewhere as wide as it must be."""
    if sys.stdout.isatty():
        screen = shutil.get_terminal_size().columns
        lines = [*textwrap.wrap(plain(title), screen), *laid_out(rows, screen)]
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
    """A value of a summary: bytes and seconds by their names."""
    if name.startswith("bytes"):
        return size(value)
    if name.startswith("text"):
        return f"{value:.1%}"
    return f"{value:,.1f}" if name.startswith("seconds") else number(value)


def size(count: float) -> str:
    """Bytes for people."""
    if count < 0:
        return f"-{size(-count)}"
    for unit in ("bytes", "KB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"


@contextmanager
def progress(quiet: bool, every: float = EVERY) -> Iterator[Report]:
    """Shows how far the phases of a run have come: a bar on a terminal, a line each so many
    seconds elsewhere."""
    if quiet:
        yield silent
    elif sys.stderr.isatty():
        # Loading it takes as long as many a verb.
        from rich import progress as bars
        from rich.console import Console

        columns = (
            bars.SpinnerColumn(),
            bars.BarColumn(),
            bars.TextColumn("{task.description}"),
            bars.TimeRemainingColumn(),
        )
        with bars.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("", total=None)
            phase = Phase()

            def draw(now: Progress) -> None:
                if phase.begins(now):
                    # What an earlier run did must not count as this one's speed.
                    bar.reset(task, completed=round(now.start * PARTS))
                total = None if now.share is None else PARTS
                completed = (now.share or 0.0) * PARTS
                bar.update(task, description=phase.line(now), total=total, completed=completed)

            yield draw
    else:
        last, phase = time.monotonic(), Phase()

        def line(now: Progress) -> None:
            nonlocal last
            phase.begins(now)
            if time.monotonic() - last >= every:
                last = time.monotonic()
                say(phase.line(now) + phase.left(now))

        yield line


class Phase:
    """The phase that a run is in, and since when."""

    def __init__(self) -> None:
        self.name = ""
        self.start = time.monotonic()

    def begins(self, now: Progress) -> bool:
        """Whether this is the first that is heard of a phase."""
        if now.phase == self.name:
            return False
        if self.name:
            self.start = time.monotonic()
        self.name = now.phase
        return True

    def line(self, now: Progress) -> str:
        """What goes on, and how fast."""
        seconds = max(time.monotonic() - self.start, 1e-9)
        counted = [f"{now.pages:,} pages"] if now.pages else []
        if now.bytes:
            counted += [size(now.bytes), f"{now.pages / seconds:,.0f} pages/s"]
            counted.append(f"{now.bytes / seconds / 1e6:,.0f} MB/s")
        return f"{now.phase}: {', '.join(counted)}" if counted else now.phase

    def left(self, now: Progress) -> str:
        """What share of the phase is done, and how long the rest takes."""
        if not now.share:
            return ""
        text = f", {now.share:.0%} done"
        if now.share > now.start:
            passed = time.monotonic() - self.start
            text += f", about {passed * (1 - now.share) / (now.share - now.start):,.0f} s left"
        return text
