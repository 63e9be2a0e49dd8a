"""Overlap on the terminal."""

from webecho.api.overlap import Overlapped
from webecho.show.groups import SHOWN
from webecho.show.terminal import Format, print_rows, show


def show_overlap(found: Overlapped, output: Format) -> None:
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
    print()
    print_rows(found.rows, title)
