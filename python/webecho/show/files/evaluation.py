"""What an evaluation leaves in a folder: its tables as Parquet, its figures as SVG and PNG."""

from pathlib import Path
from typing import Any

from webecho.evaluation.judge.evaluation import Evaluation
from webecho.show.files.figures import Labels, Mark, lines, save
from webecho.workspace.listed import LIST, write_list
from webecho.workspace.table_files import write_table


def write_evaluation(folder: Path, found: Evaluation) -> list[Path]:
    """Writes the tables into a folder, and gives their files."""
    (folder / LIST).unlink(missing_ok=True)
    files = {name: folder / f"{name}.parquet" for name in found.tables}
    for name, file in files.items():
        write_table(file, [found.tables[name]])
    written = [*files.values(), *draw(folder, found)]
    write_list(folder, written)
    return written


def draw(folder: Path, found: Evaluation) -> list[Path]:
    """Figures 6 and 7, if thresholds were judged."""
    if not {"thresholds", "training"} <= found.tables.keys():
        return []
    every, training = (
        [row for row in found.tables[name].to_pylist() if row["precision"] is not None]
        for name in ("thresholds", "training")
    )
    chosen = found.facts.get("chosen C-similarity")

    def mark(rows: list[dict[str, Any]], x: str, y: str) -> Mark | None:
        own = next((row for row in rows if row["threshold"] == chosen), None)
        return None if own is None else Mark(own[x], own[y], f"chosen: {chosen}")

    precision = lines(
        {"precision": [(row["threshold"], row["precision"]) for row in every]},
        Labels("Precision of the combined rule", "C-similarity at least", "precision"),
        mark=mark(every, "threshold", "precision"),
    )
    trade = lines(
        {"R": [(row["precision"], row["r"]) for row in training if row["r"] is not None]},
        Labels("R against precision, for each C threshold", "precision", "R"),
        mark=mark(training, "precision", "r"),
    )
    return [*save(precision, folder / "thresholds"), *save(trade, folder / "training")]
