"""Results as tables in the terminal and as `bench/results.json`, which every part adds to."""

import json
import os
import platform
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.contest import Entry
from bench.environments import HERE, OURS
from bench.measure import machine
from bench.quality import Marks, Score

RESULTS = HERE / "results.json"


def keep(part: str, found: Any) -> None:
    """Puts what a part found beside what the others did, with where and when."""
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    results[part] = {
        "machine": machine(),
        "system": platform.platform(),
        "when": time.strftime("%Y-%m-%d %H:%M:%S"),
        "load": os.getloadavg(),
        "found": found,
    }
    RESULTS.write_text(json.dumps(results, indent=1, default=str) + "\n")


def kept(path: Path = RESULTS) -> dict[str, Any]:
    return dict(json.loads(path.read_text())) if path.exists() else {}


def as_row(entry: Entry, ours: Entry | None) -> dict[str, Any]:
    """An entry as JSON."""
    row = {
        "peer": entry.peer.script,
        "library": entry.peer.library,
        "version": entry.version,
        "how": entry.peer.how,
        "finds": "near-duplicates" if entry.peer.near else "exact copies",
        "corpus": entry.corpus,
        "documents": entry.documents,
        "bytes": entry.bytes,
        **asdict(entry.run),
        "runs": entry.runs,
    }
    if entry.done:
        row |= {
            "documents_per_second": entry.documents / entry.run.seconds,
            "mb_per_second": entry.speed,
            "duplicates": entry.duplicates,
        }
        if ours is not None and ours.done:
            row["webecho_is_faster_by"] = ours.speed / entry.speed
    return row


def ours_among(entries: list[Entry]) -> Entry | None:
    return next((entry for entry in entries if entry.peer.library == OURS), None)


def print_entries(entries: list[Entry]) -> None:
    ours = ours_among(entries)
    header = ("", "version", "docs", "MB", "s", "cpu s", "docs/s", "MB/s", "÷ webecho")
    rows = [(*header, "MB held", "not mapped", "duplicates", "load")]
    for entry in entries:
        name = entry.peer.script + ("" if entry.peer.near else " *")
        sizes = (name, entry.version, f"{entry.documents:,}", f"{entry.bytes / 1e6:,.0f}")
        if not entry.done:
            rows.append((*sizes, entry.run.failure))
            continue
        ran = entry.run
        share = f"{entry.speed / ours.speed:.3f}" if ours and ours.done else ""
        rows.append(
            (
                *sizes,
                f"{ran.seconds:.2f}",
                f"{ran.cpu:.1f}",
                f"{entry.documents / ran.seconds:,.0f}",
                f"{entry.speed:,.1f}",
                share,
                f"{ran.memory / 1e6:,.0f}",
                f"{ran.own_memory / 1e6:,.0f}",
                f"{entry.duplicates:,}",
                f"{ran.load:.1f}",
            )
        )
    print_rows(rows)
    print("* exact copies only")


def print_marks(found: list[Marks]) -> None:
    """By pairs and by clusters, precision and recall of each."""
    header = ("", "duplicates", "own: true", "pairs", "P", "R", "clusters P", "R")
    rows: list[tuple[str, ...]] = [(*header, "common: true", "pairs", "P", "R", "clusters P", "R")]
    for one in found:
        name = one.peer.script + ("" if one.peer.near else " *")
        if one.common is None:
            rows.append((name, one.failure))
            continue
        own = score_cells(one.own) if one.own else ("",) * 6
        rows.append((name, f"{one.duplicates:,}", *own, *score_cells(one.common)))
    print_rows(rows)
    print("* exact copies only; P precision, R recall; true: duplicates, pairs")


def score_cells(score: Score) -> tuple[str, ...]:
    shares = (score.precision, score.recall, score.cluster_precision, score.cluster_recall)
    return (
        f"{score.true_duplicates:,}",
        f"{score.true_pairs:,}",
        *(f"{part:.4f}" for part in shares),
    )


def as_marks_row(one: Marks) -> dict[str, Any]:
    row = asdict(one)
    row["peer"] = one.peer.script
    return row | {"library": one.peer.library, "shingles": one.peer.shingles}


def print_rows(rows: list[tuple[str, ...]]) -> None:
    """Columns to the right, but for the first; a short row's last cell may stick out."""
    full = [row for row in rows if len(row) == len(rows[0])]
    widths = [max(len(row[column]) for row in full) for column in range(len(rows[0]))]
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=False)]
        print("  ".join(cells).rstrip())
