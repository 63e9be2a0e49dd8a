"""An evaluation: its tables for people."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho.evaluation.judge.evaluation import Evaluation
from webecho.show.files.evaluation import TITLES
from webecho.show.terminal import Format, print_lines, print_rows, show

# The answer: these are printed always, of each rule as a whole.
ANSWER = ("precision", "side_by_side", "true_precision", "recall")
# How many sites of each rule people are shown.
SITES = 5
# The thresholds that people are shown around the chosen one, as Table 11 does.
AROUND = 6


def show_evaluation(found: Evaluation, output: Format, every: bool, folder: Path | None) -> None:
    """Prints the answer, or with `every` all tables, which are in the folder too; CSV has the
    shares of pairs alone."""
    if output == "json":
        tables = {name: table.to_pylist() for name, table in found.tables.items()}
        show(found.facts | {"tables": tables}, None, "json")
        return
    if output != "table":
        show({}, next(iter(found.tables.values())), output)
        return
    named = {name: title for name, title in TITLES.items() if every or name in ANSWER}
    for name, title in named.items():
        table = shortened(found, name, every)
        if table is not None and table.num_rows:
            print_rows(readable(table), title)
            print()
    show(found.facts, None, "table")
    if not every:
        print_lines(("", f"By site, similarity and more: --all, or the tables in {folder}"))


def shortened(found: Evaluation, name: str, every: bool) -> pa.Table | None:
    """As much of a table as people are shown."""
    table = found.tables.get(name)
    if table is None:
        return None
    if not every and name in ("precision", "true_precision", "recall"):
        whole = table.filter(pc.equal(table["kind"], "all")).drop_columns(["kind"])
        return whole.select([column for column in whole.column_names if "forms" not in column])
    if name == "incorrect_sites":
        first = [table.filter(pc.equal(table["rule"], rule)) for rule in table["rule"].unique()]
        return pa.concat_tables([rows.slice(0, SITES) for rows in first]) if first else table
    if name == "curves":
        # Of shares each twentieth is enough to read.
        twentieths = pc.multiply(table["threshold"], 20)
        return table.filter(pc.equal(twentieths, pc.round(twentieths, 0)))
    centre = found.facts.get("chosen C-similarity") if name == "training" else None
    if centre is None:
        return table
    near = pc.less_equal(pc.abs(pc.subtract(table["threshold"], centre)), AROUND)
    return table.filter(near)


def readable(table: pa.Table) -> pa.Table:
    """A table with each interval beside its share, and estimated counts as whole numbers."""
    columns: dict[str, Any] = {}
    for name in table.column_names:
        if name.endswith(("_low", "_high")) or name == "estimated":
            continue
        values = table[name].to_pylist()
        title = name.replace("_", " ")
        if f"{name}_low" in table.column_names:
            ends = (table[f"{name}_low"].to_pylist(), table[f"{name}_high"].to_pylist())
            columns[title] = [interval(*each) for each in zip(values, *ends, strict=True)]
        elif name == "pairs" and "estimated" in table.column_names:
            columns[title] = numbers(values, table["estimated"].to_pylist())
        elif name.endswith("pairs"):
            columns[title] = [None if value is None else round(value) for value in values]
        elif pa.types.is_floating(table[name].type):
            columns[title] = [None if value is None else digits(value) for value in values]
        else:
            columns[title] = values
    return pa.table(columns)


def numbers(counts: Sequence[float], estimated: Sequence[bool]) -> list[int] | list[str]:
    """Numbers of pairs; where some are estimates, these are marked."""
    if not any(estimated):
        return [round(count) for count in counts]
    marks = ["about " if each else "" for each in estimated]
    texts = [f"{mark}{round(count):,}" for mark, count in zip(marks, counts, strict=True)]
    # What is text is not shifted to the right by itself.
    return [text.rjust(max(map(len, texts))) for text in texts]


def interval(share: float | None, low: float | None, high: float | None) -> str:
    if share is None:
        return ""
    text = digits(share)
    return text if low is None or high is None else f"{text} ({digits(low)}–{digits(high)})"


def digits(value: float) -> str:
    """Two digits; what is nearly nothing has no sign."""
    return f"{round(value, 2) + 0.0:.2f}"
