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

PARTS = ("peers", "million")


def draw(results: dict[str, Any]) -> Path:
    """Draws what there is of the peers, and says where."""
    parts = [results[part] for part in PARTS if part in results]
    if not parts:
        raise SystemExit(f"nothing to draw; first run python -m bench {PARTS[0]}")
    heights = [len(part["found"]) + 2 for part in parts]
    figure, axes = plt.subplots(
        len(parts),
        2,
        figsize=(12, 0.34 * sum(heights)),
        height_ratios=heights,
        squeeze=False,
        layout="constrained",
    )
    for row, part in zip(axes, parts, strict=True):
        found = part["found"]
        done = [one for one in found if not one["failure"]]
        done.sort(key=lambda one: -one["mb_per_second"])
        failed = [one for one in found if one["failure"]]
        whole = max(found, key=lambda one: one["documents"])
        size = f"{whole['documents']:,} documents, {whole['bytes'] / 1e6:,.0f} MB"
        speed = f"{whole['corpus']}: {size}\nMB of text a second"
        bars(row[0], done, failed, "mb_per_second", speed, 1.0)
        bars(row[1], done, failed, "memory", "\nmemory at the peak, MB", 1e-6)
    figure.supxlabel(
        f"{parts[0]['machine']}. Pale: exact copies only. In brackets: the documents of a sample.",
        fontsize=8,
        x=0.99,
        ha="right",
        color=INK,
    )
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
    axes.barh(range(len(done)), values, color=[colour(one) for one in done], height=0.7)
    said = [f"{value:,.0f}" if value >= 10 else f"{value:.1f}" for value in values]
    ends = [*zip(values, said, strict=True), *((0.0, one["failure"][:50]) for one in failed)]
    for place, (end, text) in enumerate(ends):
        beside = {"xytext": (4, 0), "textcoords": "offset points", "va": "center"}
        axes.annotate(text, (end, place), **beside, fontsize=9)
    axes.set_yticks(range(len(rows)), [label(one) for one in rows], fontsize=9)
    for tick, one in zip(axes.get_yticklabels(), rows, strict=True):
        if one["library"] == OURS:
            tick.set_fontweight("bold")
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(0, max(values, default=1.0) * 1.12)
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
