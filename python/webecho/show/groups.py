"""Clusters and pairs on the terminal."""

from typing import Any

import pyarrow as pa

from webecho.api.pairs import Paired
from webecho.show.terminal import Format, number, print_rows, say, show
from webecho.study.pair_report import PairReport

# Rows that people are shown.
SHOWN = 20
# The tables of a report that fit a screen.
SHORT_TABLES = {
    "by_b_similarity": "Pairs by B-similarity",
    "by_c_range": "Pairs by C-similarity",
    "sites": "The sites of most pairs",
}
UNMEASURED = "resemblances are estimated from features, not counted, and differences not known"


def say_estimated(reason: str | None) -> None:
    """Tells, always, that something could not be counted."""
    if reason is not None:
        say(f"webecho: {UNMEASURED}: {reason}")


def show_pairs(found: Paired, output: Format) -> None:
    """Prints the pairs that were asked for, and the report if there is one."""
    title = f"The first {SHOWN} of {found.count:,} pairs" if found.count > SHOWN else ""
    if found.report is not None:
        show_report(found.report, found.rows, title, output)
    else:
        show({"rule": found.file.stem} | found.summary, found.rows, output, title)


def show_report(report: PairReport, rows: pa.Table, title: str, output: Format) -> None:
    """All facts, the tables that are short, and the first pairs; for programs all of them, but CSV
    has the facts alone."""
    facts = {"rule": report.label} | report.facts
    if output == "json":
        tables = {name: table.to_pylist() for name, table in report.tables.items()}
        show(facts | {"tables": tables}, rows, "json")
    elif output != "table":
        show(facts, None, output)
    else:
        show(with_intervals(facts), None, "table")
        for name, heading in SHORT_TABLES.items():
            if report.tables[name].num_rows:
                print()
                print_rows(report.tables[name], heading)
        if rows.num_rows:
            print()
            print_rows(rows, title or "The pairs")


def with_intervals(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts for people: each estimate is called one, with its interval beside it."""
    told: dict[str, Any] = {}
    for name, value in facts.items():
        if name.endswith((", low", ", high")):
            continue
        low, high = (facts.get(f"{name}, {end}") for end in ("low", "high"))
        estimated = f"{name}, low" in facts
        span = f"{number(value)}, estimated ({number(low)}–{number(high)})"
        told[name] = span if estimated else value
    return told
