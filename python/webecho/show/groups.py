"""Clusters and pairs on the terminal."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from webecho.api.given_pairs import MeasuredPairs
from webecho.api.pairs import Paired
from webecho.safe_text import plain
from webecho.show.terminal import Format, number, print_csv, print_json, print_rows, say, show
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


def show_pairs(found: Sequence[Paired], output: Format) -> None:
    """Prints the pairs that were asked for, and the report if there is one, rule after rule. For
    programs several rules are an object by their labels in JSON, and in CSV one table that says of
    each row by which rule it is."""
    if output == "table" or len(found) == 1:
        for number, each in enumerate(found):
            print("\n" * bool(number), end="")
            show_one(each, output)
    elif output == "json":
        print_json({each.file.stem: as_json(each) for each in found})
    else:
        tables = [as_rows(each) for each in found]
        both = pa.concat_tables(tables, promote_options="permissive")
        print_csv(both.column_names, (row.values() for row in both.to_pylist()), output)


def show_one(found: Paired, output: Format) -> None:
    title = f"The first {SHOWN} of {found.count:,} pairs" if found.count > SHOWN else ""
    if output == "json":
        print_json(as_json(found))
    elif found.report is not None:
        show_report(found.report, found.rows, title, output)
    else:
        show({"rule": found.file.stem} | found.summary, found.rows, output, title)


def show_given(found: MeasuredPairs, output: Format) -> None:
    """Prints what was measured of pairs that were given, and which rows name none."""
    for problem in found.problems[:SHOWN]:
        say(f"webecho: {plain(problem)}")
    if len(found.problems) > SHOWN:
        say(f"webecho: and {len(found.problems) - SHOWN:,} rows more like these")
    title = f"The first {SHOWN} of {found.pairs:,} pairs" if found.pairs > SHOWN else ""
    show(found.summary, found.rows, output, title)


def as_json(found: Paired) -> dict[str, Any]:
    """All that there is to say of the pairs by a rule."""
    facts = {"rule": found.file.stem} | found.summary
    if found.report is not None:
        tables = {name: table.to_pylist() for name, table in found.report.tables.items()}
        facts = {"rule": found.report.label} | found.report.facts | {"tables": tables}
    return facts | {"rows": found.rows.to_pylist()}


def as_rows(found: Paired) -> pa.Table:
    """What CSV has of the pairs by a rule, which is named in each row: the pairs, or the facts of a
    report."""
    rows = found.rows
    if found.report is not None:
        rows = pa.Table.from_pylist([found.report.facts])
    return rows.add_column(0, "rule", [pa.array([found.file.stem] * len(rows), pa.string())])


def show_report(report: PairReport, rows: pa.Table, title: str, output: Format) -> None:
    """All facts, the tables that are short, and the first pairs; CSV has the facts alone."""
    facts = {"rule": report.label} | report.facts
    if output != "table":
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
