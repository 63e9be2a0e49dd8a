"""An evaluation: its tables for people; tables as Parquet and figures in `studies/`."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho.evaluate.evaluation import Evaluation
from webecho.show.figures import Labels, lines, save
from webecho.show.terminal import Format, print_rows, show
from webecho.sketches.tables import write_table

# Tables that are printed, with their titles.
TITLES = {
    "precision": "Shares of pairs, with 95 % intervals",
    "side_by_side": "Two rules side by side",
    "training": "By C threshold, on the half that chooses",
    "checked": "What was chosen, on the other half",
    "true_precision": "Shares of pairs by the truth",
    "recall": "Recall of what is known to be correct",
    "equal_recall": "Correct pairs of c by C threshold",
    "incorrect_sites": "The sites of most incorrect pairs",
}
# How many sites of each rule people are shown.
SITES = 5
# The thresholds that people are shown around the chosen one, as Table 11 does.
AROUND = 6


def write_evaluation(folder: Path, found: Evaluation) -> list[Path]:
    """Writes the tables into a folder, and gives their files."""
    files = {name: folder / f"{name}.parquet" for name in found.tables}
    for name, file in files.items():
        write_table(file, [found.tables[name]])
    return [*files.values(), *draw(folder, found)]


def draw(folder: Path, found: Evaluation) -> list[Path]:
    """Figures 6 and 7, if thresholds were judged."""
    if not {"thresholds", "training"} <= found.tables.keys():
        return []
    every, training = (
        [row for row in found.tables[name].to_pylist() if row["precision"] is not None]
        for name in ("thresholds", "training")
    )
    precision = lines(
        {"precision": [(row["threshold"], row["precision"]) for row in every]},
        Labels("Precision of the combined rule", "C-similarity at least", "precision"),
    )
    trade = lines(
        {"R": [(row["precision"], row["r"]) for row in training if row["r"] is not None]},
        Labels("R against precision, for each C threshold", "precision", "R"),
    )
    return [*save(precision, folder / "thresholds"), *save(trade, folder / "training")]


def show_evaluation(found: Evaluation, output: Format) -> None:
    """Prints facts and tables; CSV has the shares of pairs alone."""
    if output == "json":
        tables = {name: table.to_pylist() for name, table in found.tables.items()}
        show(found.facts | {"tables": tables}, None, "json")
    elif output == "csv":
        show({}, next(iter(found.tables.values())), "csv")
    else:
        show(found.facts, None, "table")
        for name, title in TITLES.items():
            table = found.tables.get(name)
            if table is not None and table.num_rows:
                print()
                print_rows(readable(shortened(found, name)), title)


def shortened(found: Evaluation, name: str) -> pa.Table:
    """As much of a table as people are shown."""
    table = found.tables[name]
    if name == "incorrect_sites":
        first = [table.filter(pc.equal(table["rule"], rule)) for rule in table["rule"].unique()]
        return pa.concat_tables([rows.slice(0, SITES) for rows in first])
    centre = found.facts.get("chosen C-similarity") if name == "training" else None
    if centre is None:
        return table
    near = pc.less_equal(pc.abs(pc.subtract(table["threshold"], centre)), AROUND)
    return table.filter(near)


def readable(table: pa.Table) -> pa.Table:
    """A table with each interval beside its share, and estimated counts as whole numbers."""
    columns: dict[str, Any] = {}
    for name in table.column_names:
        if name.endswith(("_low", "_high")):
            continue
        values = table[name].to_pylist()
        title = name.replace("_", " ")
        if f"{name}_low" in table.column_names:
            ends = (table[f"{name}_low"].to_pylist(), table[f"{name}_high"].to_pylist())
            columns[title] = [interval(*each) for each in zip(values, *ends, strict=True)]
        elif name.endswith("pairs"):
            columns[title] = [None if value is None else round(value) for value in values]
        elif pa.types.is_floating(table[name].type):
            columns[title] = [None if value is None else f"{value:.2f}" for value in values]
        else:
            columns[title] = values
    return pa.table(columns)


def interval(share: float | None, low: float | None, high: float | None) -> str:
    if share is None:
        return ""
    told = f"{share:.2f}"
    return told if low is None or high is None else f"{told} ({low:.2f}–{high:.2f})"
