"""What a crawler can save, on the terminal."""

import pyarrow as pa
import pyarrow.compute as pc

from webecho.crawling.savings import Savings
from webecho.show.terminal import Format, print_rows, show

# Rows that people are shown of each table.
SHOWN = 20
# The columns that fit a screen.
RULES = ["host", "way", "rule", "into", "pairs", "contradictions", "low", "high", "status", "deny"]
URLS = ["url", "visit_url", "reason", "bytes"]


def show_savings(found: Savings, output: Format) -> None:
    """Prints all facts, the URL rules that are best known, and the largest addresses that are left
    out; for programs all URL rules."""
    if output != "table":
        show(found.facts, found.rules, output)
        return
    show(found.facts, None, "table")
    for rows, some, what in (
        (found.rules.select(RULES), "first", "URL rules"),
        (left_out(found.urls), "largest", "pages to leave out"),
    ):
        if len(rows):
            all_of = f"{what[0].upper()}{what[1:]}"
            title = f"The {SHOWN} {some} of {len(rows):,} {what}" if len(rows) > SHOWN else all_of
            print()
            print_rows(rows.slice(0, SHOWN), title)


def left_out(urls: pa.Table) -> pa.Table:
    """The addresses that are left out, the largest first."""
    gone = urls.filter(pc.invert(urls["visit"]))
    order = pc.sort_indices(gone, [("bytes", "descending"), ("page", "ascending")])
    return gone.take(order).select(URLS)
