"""The figures of the report of pairs (Henzinger 2006, Figures 1 to 5), and pages per host."""

from collections.abc import Mapping

import pyarrow as pa

from webecho.study.figures import Band, Distribution, Figure, Lines, LogLog, Series
from webecho.study.fits import Fits
from webecho.study.term_differences import LARGE

# Counts by size that are fitted: by table the columns of the size and of what is counted.
SIZED = {"degrees": ("degree", "pages"), "hosts": ("pages", "hosts")}

Tables = Mapping[str, pa.Table]


def figures(
    label: str, tables: Tables, fits: Mapping[str, Fits], measured: int | None
) -> dict[str, Figure]:
    """Figures 1 to 5, of the rule; `measured` pairs stand for all where not all were."""
    of = {"degrees": label, "hosts": "hosts"}
    sized = {
        name: {of[name]: Distribution(by_size(tables[name], *SIZED[name]), fits[name])}
        for name in SIZED
    }
    drawn: dict[str, Figure] = {
        "degrees": LogLog(
            "Near-duplicates per page", "near-duplicates per page", "pages", sized["degrees"]
        ),
        "hosts": LogLog("Pages per host", "pages per host", "hosts", sized["hosts"]),
        "c_by_b": c_by_b_figure(label, tables["c_by_b"]),
    }
    if "differences" in tables:
        drawn["differences"] = differences_figure(label, tables, measured)
    return drawn


def c_by_b_figure(label: str, table: pa.Table) -> Lines:
    shares: dict[str, dict[int, float]] = {}
    for row in table.to_pylist():
        name = f"B-similarity {row['b_similarity']}"
        shares.setdefault(name, {})[row["c_similarity"]] = row["share"]
    return Lines(
        f"C-similarity for each B-similarity, {label}",
        *("C-similarity", "share of pairs"),
        [Series(filled(own, min(own) - 1, max(own)), name) for name, own in shares.items()],
    )


def differences_figure(label: str, tables: Tables, measured: int | None) -> Lines:
    named = {"differences": "all terms", "differences_without_images": "without image terms"}
    series = {
        title: Series(differing(tables[name]), title, bands=estimated(tables[name]))
        for name, title in named.items()
    }
    if series["all terms"].points == series["without image terms"].points:
        del series["without image terms"]
    # Their intervals, where they were counted of some pairs and scaled.
    largest = max(each.points[-1][0] for each in series.values())
    return Lines(
        f"Term differences, {label}",
        "term difference",
        f"pairs, estimated from {measured:,}" if measured else "pairs",
        [*series.values()],
        limits=(0, max(1.0, largest)),
        counted=True,
    )


def differing(table: pa.Table) -> list[tuple[float, float]]:
    """How many pairs have each term difference up to the largest there is, or that is drawn."""
    counts = by_size(table, "difference", "pairs")
    there = [difference for difference in counts if difference is not None]
    return filled(counts, 0, min(LARGE, max(there, default=0)))


def estimated(table: pa.Table) -> list[Band]:
    """The intervals of how many pairs have each term difference that is drawn."""
    return [
        Band(row["difference"], row["pairs_low"], row["pairs_high"])
        for row in table.to_pylist()
        if row["estimated"] and row["difference"] is not None and row["difference"] <= LARGE
    ]


def filled(counts: Mapping[int, float], first: int, last: int) -> list[tuple[float, float]]:
    """Points for all whole numbers from the first to the last: of some nothing was found."""
    return [(value, counts.get(value, 0.0)) for value in range(first, last + 1)]


def by_size(table: pa.Table, size: str, count: str) -> dict[int, float]:
    return dict(zip(table[size].to_pylist(), table[count].to_pylist(), strict=True))
