"""The figures of an evaluation (Henzinger 2006, Figures 6 and 7), with their 95 % intervals."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from webecho.study.figures import Band, Figure, Lines, Mark, Series

Row = Mapping[str, Any]


def figures(tables: Mapping[str, pa.Table], chosen: int | None) -> dict[str, Figure]:
    """Precision by threshold, and R by precision, if thresholds were judged; one is `chosen`."""
    if not {"thresholds", "training"} <= tables.keys():
        return {}
    every, training = (
        [row for row in tables[name].to_pylist() if row["precision"] is not None]
        for name in ("thresholds", "training")
    )
    left = [row for row in training if row["r"] is not None]
    return {
        "thresholds": Lines(
            "Precision of the combined rule by its C threshold",
            *("C-similarity at least", "precision"),
            [series(every, "threshold", "precision")],
            mark=mark(every, chosen, "threshold", "precision"),
        ),
        "training": Lines(
            "R against precision for each C threshold, on the half that chooses",
            *("precision", "R"),
            [series(left, "precision", "r")],
            mark=mark(left, chosen, "precision", "r"),
        ),
    }


def curve_figures(tables: Mapping[str, pa.Table]) -> dict[str, Figure]:
    """Precision by threshold of each rule that has a curve, with what was chosen of it."""
    if "curves" not in tables:
        return {}
    rows = [row for row in tables["curves"].to_pylist() if row["precision"] is not None]
    choices = {row["rule"]: row["threshold"] for row in tables["chosen"].to_pylist()}
    found: dict[str, Figure] = {}
    for rule in dict.fromkeys(row["rule"] for row in rows):
        own = [row for row in rows if row["rule"] == rule]
        measure = own[0]["measure"].replace("_", " ")
        found[f"curve-{rule}"] = Lines(
            f"Precision of {rule} by its threshold",
            *(f"{measure} at least", "precision"),
            [series(own, "threshold", "precision")],
            mark=mark(own, choices[rule], "threshold", "precision"),
        )
    return found


def series(rows: Sequence[Row], x: str, y: str) -> Series:
    """The points of two columns, with the intervals of those that have some."""
    points = [(row[x], row[y]) for row in rows]
    bands = [
        Band(
            *(row[x], row[f"{y}_low"], row[f"{y}_high"]), row.get(f"{x}_low"), row.get(f"{x}_high")
        )
        for row in rows
        if row[f"{y}_low"] is not None
    ]
    return Series(points, {"r": "R"}.get(y, y), bands=bands)


def mark(rows: Sequence[Row], chosen: float | None, x: str, y: str) -> Mark | None:
    own = next((row for row in rows if row["threshold"] == chosen), None)
    return None if own is None else Mark(own[x], own[y], f"chosen: {chosen:g}")
