"""How children and equivalents fall off with the distance in time (Baeza-Yates 2007, section 5.2):
from one newer snapshot to the next, seen from the same old one."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from webecho.study.figures import Figure, Lines, Series

# From 2003–2004 to 2003–2005, and of children from 2002–2004 to 2002–2005, where they increased.
PAPER = "the paper's 2003–2004 to 2003–2005: children 12.5 % and equivalents 45.5 % fewer"
SERIES = ("children", "equivalents")

Row = dict[str, Any]


def fall_off_rows(rows: Sequence[Row], names: Sequence[str]) -> list[Row]:
    """A row for each old snapshot and each two newer ones that follow each other: by which share
    there are fewer; more are a share below 0."""
    found = []
    for old in names:
        for nearer, further in pairwise(row for row in rows if row["old"] == old):
            row: Row = {"old": old, "from": nearer["new"], "to": further["new"]}
            row |= {"table": nearer["table"], "distance": nearer["distance"]}
            for name in SERIES:
                row[f"share fewer {name}"] = fewer(nearer[name], further[name])
            found.append(row)
    return found


def fewer(before: int, after: int) -> float | None:
    return (before - after) / before if before else None


def falling(rows: Sequence[Row]) -> list[str]:
    """The same as sentences."""
    said = []
    for row in rows:
        shares = [row[f"share fewer {name}"] for name in SERIES]
        if None in shares:
            continue
        changed = " and ".join(
            f"{name} are {abs(share):.1%} {'fewer' if share >= 0 else 'more'}"
            for name, share in zip(SERIES, shares, strict=True)
        )
        said.append(
            f"From {row['old']}–{row['from']} to {row['old']}–{row['to']} {changed} ({PAPER})."
        )
    return said


def figures(rows: Sequence[Row], names: Sequence[str]) -> dict[str, Figure]:
    """Children and equivalents by the distance, a line for each old snapshot."""
    series = [
        Series([(row["distance"], row[way]) for row in own], old, way)
        for old in names
        if len(own := [row for row in rows if row["old"] == old]) > 1
        for way in SERIES
    ]
    if not series:
        return {}
    title = "Children and equivalents of an old snapshot by the distance of the new one"
    return {"fall_off": Lines(title, "snapshots later", "documents", series, counted=True)}
