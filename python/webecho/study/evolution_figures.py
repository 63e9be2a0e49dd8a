"""The figures of Fetterly 2004, section 3, as far as they are of clusters over time."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from webecho.study.change_classes import (
    Counts,
    bucket_shares,
    class_rows,
    class_shares,
    relative_shares,
)
from webecho.study.figures import (
    Band,
    Distribution,
    Figure,
    Lines,
    LogLog,
    Scatter,
    Series,
    Stacked,
)
from webecho.study.host_clusters import OF_FIRST
from webecho.study.shares import Z
from webecho.study.size_classes import CLASS_NAMES, SIZES

# The coefficients, and what their figures are called.
COEFFICIENTS = {
    "containment": ("containment Φ₁ⁿ", "Containment Φ₁ⁿ: clusters of the first snapshot that hold"),
    "similarity": ("similarity Ψ", "Similarity Ψ of the clusters of snapshots 1 and n"),
    "containment_reverse": ("containment Φₙ¹", "Containment Φₙ¹: clusters of n that held before"),
}
PER_CLUSTER = "addresses per cluster"


def coefficient_figures(averages: pa.Table) -> dict[str, Figure]:
    """Figures 4, 5 and 7: a curve for each class of sizes in the first snapshot."""
    rows = averages.to_pylist()
    drawn: dict[str, Figure] = {}
    for figure, (column, title) in COEFFICIENTS.items():
        lines = []
        for name in CLASS_NAMES:
            points = [
                (row["snapshot"], row[column]) for row in rows if row["cluster size in 1"] == name
            ]
            if points:
                lines.append(Series(points, name))
        least = min((value for each in lines for _, value in each.points), default=0.0)
        floor = 0.5 if least >= 0.5 else 0.0
        named = f"{title}, averages by cluster size in the first"
        drawn[figure] = Lines(named, "snapshot", f"average {column}", lines, floor=floor)
    return drawn


def size_figure(sizes: Mapping[str, Distribution]) -> LogLog:
    """Figure 2: the sizes of the first and the last snapshot."""
    return LogLog("Clusters by size", PER_CLUSTER, "clusters", sizes)


def host_figure(changes: pa.Table) -> Scatter:
    """Figure 6."""
    points = [(row["change"], row["hosts"]) for row in changes.to_pylist() if row["of"] == OF_FIRST]
    title = "Hosts by the change in the number of clusters that they are in, first to last snapshot"
    return Scatter(title, "change in clusters per host", "hosts", {"hosts": points})


def change_figures(counts: Counts) -> dict[str, Figure]:
    """Figures 8, 9 and 10."""
    buckets = [str(common) for common in range(counts.shape[1])]
    shares, relative = bucket_shares(counts), relative_shares(counts)
    there = [number for number in range(len(CLASS_NAMES)) if counts[number].any()]
    common = "features in common with the download before"
    lines = [
        Series([*enumerate(relative[number].tolist())], CLASS_NAMES[number]) for number in there
    ]
    last = counts.shape[1] - 1
    same = f"{last}: the same bytes"
    return {
        "change_buckets": Stacked(
            f"Cluster sizes by how much pages change ({same})",
            *(common, "share of downloads", buckets),
            {CLASS_NAMES[number]: shares[number].tolist() for number in there},
        ),
        "change_relative": Lines(
            f"Relative contribution of cluster sizes to how much pages change ({same})",
            *(common, "y / Y", lines),
            logarithmic=True,
        ),
        "change_classes": Stacked(
            "Change from one download to the next, by cluster size in the earlier one",
            *(PER_CLUSTER, "share of downloads", [SIZES[number] for number in there]),
            {
                change: [values[number] for number in there]
                for change, values in class_shares(class_rows(counts)).items()
            },
        ),
    }


def calibration_figure(calibration: pa.Table) -> Lines:
    """What came out against what was foretold."""
    rows: Sequence[dict[str, Any]] = calibration.to_pylist()
    points = [(row["predicted"], row["observed"]) for row in rows]
    bands = []
    for row in rows:
        error = Z * max(row["standard error"], row["standard error of clusters"])
        low, high = max(0.0, row["observed"] - error), min(1.0, row["observed"] + error)
        bands.append(Band(row["predicted"], low, high))
    series = [Series([(0.0, 0.0), (1.0, 1.0)], "estimate"), Series(points, "found", bands=bands)]
    title = "Addresses that still have their representative's text, in the last snapshot"
    return Lines(title, "probability foretold", "share found", series)
