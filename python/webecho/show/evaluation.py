"""An evaluation: its tables for people, and as Parquet in `studies/`."""

from pathlib import Path
from typing import Any

import pyarrow as pa

from webecho.evaluate.evaluation import Evaluation
from webecho.show.terminal import Format, number, print_rows, show
from webecho.sketches.tables import write_table

# Tables that are printed, with their titles.
TITLES = {
    "precision": "Shares of pairs, with 95 % intervals",
    "incorrect_sites": "The sites of most incorrect pairs",
}
# How many rows people are shown of tables that may be long.
SHOWN = {"incorrect_sites": 10}


def write_evaluation(folder: Path, found: Evaluation) -> list[Path]:
    """Writes the tables into a folder, and gives their files."""
    files = {name: folder / f"{name}.parquet" for name in found.tables}
    for name, file in files.items():
        write_table(file, [found.tables[name]])
    return list(files.values())


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
                print_rows(readable(table.slice(0, SHOWN.get(name))), title)


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
        elif name == "share":
            columns[title] = [number(value)[:-2] for value in values]
        else:
            columns[title] = values
    return pa.table(columns)


def interval(share: float | None, low: float | None, high: float | None) -> str:
    if share is None:
        return ""
    told = f"{share:.2f}"
    return told if low is None or high is None else f"{told} ({low:.2f}–{high:.2f})"
