"""Figures as the papers draw them: points on logarithmic scales with a fitted line, and lines.

A figure is saved as SVG, for pages and print, and as PNG, to look at; the same data give the same
bytes. Text in a figure is ours or a number, never a crawl's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from webecho.study.power_law import Fit

SIZE = (6.4, 4.2)  # inches
# Told apart by people who do not see all colours as well: Okabe and Ito 2008.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
STYLE: Any = {
    "axes.prop_cycle": cycler(color=COLOURS),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.grid": True,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "font.size": 10,
    "legend.frameon": False,
    # Else the marks in an SVG have other names each time.
    "svg.hashsalt": "webecho",
    "svg.fonttype": "none",
}


@dataclass(frozen=True)
class Labels:
    """What stands above a figure and along its axes."""

    title: str
    x: str
    y: str


@dataclass(frozen=True)
class Mark:
    """A point that is pointed out, and what it is."""

    x: float
    y: float
    name: str


@dataclass(frozen=True)
class Span:
    """What an estimated point may be as well."""

    x: float
    low: float
    high: float


def log_log(counts: Mapping[int, float], line: Fit | None, labels: Labels) -> Figure:
    """Counts by size as points on logarithmic scales, and the line that was fitted to them."""
    with mpl.rc_context(STYLE):
        figure, axes = new(labels)
        axes.set_xscale("log")
        axes.set_yscale("log")
        shown = {size: count for size, count in sorted(counts.items()) if size > 0 and count > 0}
        axes.plot([*shown], [*shown.values()], "o", markersize=3, markeredgewidth=0)
        for axis, values in ((axes.xaxis, [*shown]), (axes.yaxis, [*shown.values()])):
            label_plainly(axis, values)
        if line is not None and shown:
            ends = [min(shown), max(shown)]
            slope = f"{line.exponent:.2f}".replace("-", "−")
            named = f"exponent {slope} ± {line.error:.2f}, spread {line.spread:.2f}"
            axes.plot(ends, [line.count(size) for size in ends], linewidth=1.2, label=named)
            axes.legend()
            # The line may leave the points far behind; they are what is looked at.
            axes.set_ylim(bottom=min(shown.values()) / 2)
        return figure


def label_plainly(axis: Axis, values: Sequence[float]) -> None:
    """Numbers as people write them: at powers of ten, and between them where these are few."""
    few = bool(values) and max(values) < 100 * min(values)

    def between(value: float, _: int) -> str:
        return f"{value:,.10g}" if few and f"{value:e}"[0] in "25" else ""

    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axis.set_minor_formatter(FuncFormatter(between))


def lines(
    series: Mapping[str, Sequence[tuple[float, float]]],
    labels: Labels,
    limits: tuple[float, float] | None = None,
    mark: Mark | None = None,
    spans: Mapping[str, Sequence[Span]] | None = None,
) -> Figure:
    """One line for each series of points, with its name if there are several; `limits` on x.
    Points at 0 have no dots: they are what nothing was found of."""
    with mpl.rc_context(STYLE):
        figure, axes = new(labels)
        for number, (name, points) in enumerate(series.items()):
            for span in (spans or {}).get(name, ()):
                ends = [span.low, span.high]
                axes.plot(
                    [span.x] * 2,
                    ends,
                    color=COLOURS[number % len(COLOURS)],
                    linewidth=0.8,
                    alpha=0.5,
                )
            x, y = zip(*points, strict=True) if points else ((), ())
            found = [place for place, value in enumerate(y) if value]
            axes.plot(
                x,
                y,
                "o-",
                linewidth=1.2,
                markersize=3,
                markevery=found,
                label=name,
                color=COLOURS[number % len(COLOURS)],
            )
        if mark is not None:
            colour = COLOURS[len(series) % len(COLOURS)]
            dot: Any = {"markersize": 9, "markerfacecolor": "none", "markeredgewidth": 1.6}
            axes.plot([mark.x], [mark.y], "o", color=colour, label=mark.name, **dot)
        if all(float(x).is_integer() for points in series.values() for x, _ in points):
            axes.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
        if limits is not None:
            axes.set_xlim(*limits)
        axes.set_ylim(bottom=0)
        if len(series) > 1 or mark is not None:
            axes.legend()
        return figure


def new(labels: Labels) -> tuple[Figure, Axes]:
    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(labels.title, fontsize=11, loc="left")
    axes.set_xlabel(labels.x)
    axes.set_ylabel(labels.y)
    return figure, axes


def save(figure: Figure, file: Path) -> list[Path]:
    """Writes the figure as `file`.svg and `file`.png."""
    file.parent.mkdir(parents=True, exist_ok=True)
    written = []
    with mpl.rc_context(STYLE):
        for kind, metadata in (("svg", {"Date": None}), ("png", {"Software": None})):
            out = file.with_name(f"{file.name}.{kind}")
            beside = file.with_name(f".{file.name}.new.{kind}")
            figure.savefig(beside, format=kind, dpi=150, metadata=metadata)
            beside.replace(out)
            written.append(out)
    return written
