"""Overlap, and the passages that two pages share, on the terminal."""

from dataclasses import fields
from typing import Any

from webecho.api.overlap import Overlapped
from webecho.api.overlap_across import Across
from webecho.api.passages import Passages
from webecho.safe_text import plain
from webecho.show.groups import SHOWN
from webecho.show.terminal import (
    Format,
    many,
    print_csv,
    print_json,
    print_lines,
    print_rows,
    say,
    show,
)

COLUMNS = ("chunks", "left_lines", "right_lines", "left_text", "right_text")


def show_overlap(found: Overlapped | Across, output: Format) -> None:
    """Prints what was counted, what the filters left, and the rows that were asked for."""
    title = f"The first {SHOWN} of {found.count:,} rows" if found.count > SHOWN else ""
    if output == "json" and found.filters is not None:
        show(found.summary | {"filters": found.filters.to_pylist()}, found.rows, output)
        return
    if output != "table" or found.filters is None:
        show(found.summary, found.rows, output, title)
        return
    show(found.summary, None, output)
    print()
    print_rows(found.filters, "What each filter left")
    if found.rows.num_rows:
        print()
        print_rows(found.rows, title)


def say_left_out(failure: str | None) -> None:
    """Says what could not be read."""
    if failure is not None:
        say(f"webecho: {plain(failure)}")


def show_passages(found: Passages, output: Format) -> None:
    """Prints the passages in the order of the first page, each with its places on both."""
    if output == "json":
        told = {each.name: getattr(found, each.name) for each in fields(found)}
        print_json(told | {"shared": [each.as_dict() for each in found.shared]})
    elif output != "table":
        rows = (each.as_dict().values() for each in found.shared)
        print_csv(COLUMNS, rows, output)
    else:
        for side, called, count in (
            ("left", found.left, found.left_chunks),
            ("right", found.right, found.right_chunks),
        ):
            print_lines([f"{side:<6} {plain(name_of(called))}, {many(count, 'different chunk')}"])
        print(f"shared {many(found.shared_chunks, 'different chunk')}")
        for each in found.shared:
            print()
            print(f"left {span(each.left_lines)} = right {span(each.right_lines)}")
            left, right = each.left_text, each.right_text
            print_lines(quoted(left, "|"))
            if left.split() != right.split():
                print_lines(quoted(right, ">"))


def name_of(called: dict[str, Any]) -> str:
    return str(called["url"] or called["id"] or f"#{called['page']}")


def span(lines: tuple[int, int]) -> str:
    first, last = lines
    return f"line {first}" if first == last else f"lines {first}–{last}"


def quoted(text: str, mark: str) -> list[str]:
    """Each line behind a mark."""
    return [f"{mark} {plain(line)}" for line in text.splitlines() if line.strip()]
