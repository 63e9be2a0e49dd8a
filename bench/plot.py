"""The results as one picture: speed and memory of every peer, as bars with their values."""

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from bench.environments import HERE, OURS

PICTURE = HERE / "results.png"
INK = "#222222"
OURS_COLOUR = "#c0392b"
NEAR = "#5b7a99"
EXACT = "#bfc7cf"

TITLES = {"peers": "debian_docs", "million": "a million short documents"}


def draw(results: dict[str, Any]) -> Path:
    """Draws what there is, and says where."""
    parts = [part for part in TITLES if part in results]
    most = max((len(results[part]["found"]) for part in parts), default=1)
    figure, axes = plt.subplots(
        len(parts), 2, figsize=(12, 0.45 * most * len(parts) + 1.6), squeeze=False
    )
    for row, part in zip(axes, parts, strict=True):
        found = results[part]["found"]
        done = sorted(
            (one for one in found if not one["failure"]), key=lambda one: -one["mb_per_second"]
        )
        failed = [one for one in found if one["failure"]]
        whole = max(found, key=lambda one: one["documents"])
        size = f"{whole['documents']:,} documents, {whole['bytes'] / 1e6:,.0f} MB"
        bars(
            row[0],
            done,
            failed,
            "mb_per_second",
            f"{TITLES[part]}: {size}\nMB of text a second",
            1.0,
        )
        bars(row[1], done, failed, "memory", "\npeak memory, MB", 1e-6)
    figure.text(
        0.995,
        0.005,
        f"{results[parts[0]]['machine']}. Pale: exact copies only." if parts else "",
        ha="right",
        fontsize=8,
        color=INK,
    )
    figure.tight_layout(rect=(0, 0.02, 1, 1))
    figure.savefig(PICTURE, dpi=150)
    plt.close(figure)
    return PICTURE


def bars(
    axes: Axes,
    done: list[dict[str, Any]],
    failed: list[dict[str, Any]],
    what: str,
    title: str,
    scale: float,
) -> None:
    rows = [*done, *failed]
    values = [one[what] * scale for one in done]
    longest = max(values, default=1.0)
    axes.barh(range(len(done)), values, color=[colour(one) for one in done], height=0.7)
    for place, value in enumerate(values):
        axes.text(
            value * 1.04,
            place,
            f"{value:,.0f}" if value >= 10 else f"{value:.1f}",
            va="center",
            fontsize=9,
        )
    for place, one in enumerate(failed, len(done)):
        axes.text(0.01 * longest, place, one["failure"][:40], va="center", fontsize=8)
    axes.set_yticks(range(len(rows)), [label(one) for one in rows], fontsize=9)
    for tick, one in zip(axes.get_yticklabels(), rows, strict=True):
        if one["library"] == OURS:
            tick.set_fontweight("bold")
    axes.invert_yaxis()
    axes.set_xlim(0, longest * 1.15)
    axes.set_title(title, fontsize=10, loc="left", color=INK)
    axes.xaxis.set_visible(False)
    for side in ("top", "right", "bottom"):
        axes.spines[side].set_visible(False)


def colour(one: dict[str, Any]) -> str:
    if one["library"] == OURS:
        return OURS_COLOUR
    return NEAR if one["finds"] == "near-duplicates" else EXACT


def label(one: dict[str, Any]) -> str:
    name = one["peer"].replace("_", " ")
    part = f" ({one['documents']:,})" if " of them" in one["corpus"] else ""
    return name + part
