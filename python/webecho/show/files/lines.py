"""Lines through points, with the intervals around them."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import isnan, nan
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from matplotlib.ticker import FuncFormatter, PercentFormatter

from webecho.show.files.drawing import Drawing
from webecho.show.files.palette import GREY, MARK, SHAPES, WAYS, colour
from webecho.show.files.sheets import lighter, new, place_legend, plain_powers, style, whole
from webecho.study.figures import Band, Lines, Series


def lines(figure: Lines, drawing: Drawing, collections: Sequence[str] = ()) -> Figure:
    """One line for each series of points. Points at 0 have no dots: they are what nothing was found
    of."""
    with mpl.rc_context(style(drawing)):
        sheet, axes = new(figure.title, drawing)
        axes.set_xlabel(figure.x)
        axes.set_ylabel(figure.y)
        if figure.logarithmic:
            axes.set_yscale("log")
        for series in figure.series:
            draw_series(axes, series, colour(series.of, collections), figure.logarithmic)
        legend = line_legend(figure.series, collections)
        if figure.mark is not None:
            circle: Any = {"markersize": 7, "markerfacecolor": "none", "markeredgewidth": 1.2}
            circle |= {"color": MARK, "linestyle": "", "label": figure.mark.name}
            axes.plot([figure.mark.x], [figure.mark.y], "o", zorder=5, **circle)
            legend.append(Line2D([], [], marker="o", **circle | {"markersize": 5}))
        if any(each.bands for each in figure.series):
            band: Any = {"color": GREY, "alpha": 0.3, "linewidth": 5, "label": "95 % interval"}
            legend.append(Line2D([], [], solid_capstyle="butt", **band))
        if all(float(x).is_integer() for series in figure.series for x, _ in series.points):
            whole(axes.xaxis)
        if figure.counted:
            whole(axes.yaxis)
            axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        for axis, label in ((axes.xaxis, figure.x), (axes.yaxis, figure.y)):
            if "share" in label:
                axis.set_major_formatter(PercentFormatter(1, symbol=" %"))
        if figure.limits is not None:
            axes.set_xlim(*figure.limits)
        if figure.logarithmic:
            plain_powers(axes.yaxis)
        else:
            axes.set_ylim(bottom=figure.floor)
        if len(legend) > 1:
            place_legend(sheet, legend, drawing)
        return sheet


def draw_series(axes: Axes, series: Series, hue: str, logarithmic: bool = False) -> None:
    for shape in around(series.bands):
        # No edge, and nothing that shines through, for they lie on each other.
        axes.add_patch(Polygon(shape, facecolor=lighter(hue), edgecolor="none", zorder=1))
    for run in runs(series):
        x, low, high = zip(*((band.x, band.low, band.high) for band in run), strict=True)
        if len(run) == 1:
            axes.plot([x[0]] * 2, [low[0], high[0]], color=hue, alpha=0.35, linewidth=1.5)
        else:
            axes.fill_between(x, low, high, color=hue, alpha=0.2, linewidth=0)
    places = [x for x, _ in series.points]
    values = [y if y > 0 or not logarithmic else nan for _, y in series.points]
    there = [place for place, value in enumerate(values) if value and not isnan(value)]
    # Of many points dots would be a thick line.
    dotted: Any = {}
    if len(there) <= 60:
        dot = SHAPES.get(series.of, "o")
        dotted = {"marker": dot, "markersize": 2.2 if dot == "o" else 3, "markevery": there}
    dashed = WAYS.get(series.way or series.of, "-")
    axes.plot(places, values, linestyle=dashed, color=hue, **dotted)


def runs(series: Series) -> list[list[Any]]:
    """The intervals of points that follow each other."""
    bands = {band.x: band for band in series.bands if band.left is None}
    found: list[list[Any]] = [[]]
    for x, _ in sorted(series.points):
        if x in bands:
            found[-1].append(bands[x])
        elif found[-1]:
            found.append([])
    return [run for run in found if run]


def around(bands: Sequence[Band]) -> list[list[tuple[float, float]]]:
    """What a curve may be as well whose points have intervals both ways: from each to the next, the
    smallest shape that holds both."""
    corners = [
        [(x, y) for x in (band.left, band.right) for y in (band.low, band.high)]
        for band in bands
        if band.left is not None and band.right is not None
    ]
    shapes = (hull([*one, *other]) for one, other in pairwise(corners))
    # What is known exactly has nothing around it.
    return [shape for shape in shapes if len(shape) > 2]


def hull(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The corners of the smallest convex shape that holds the points (Andrew 1979)."""
    ordered = sorted({*points})

    def half(some: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
        found: list[tuple[float, float]] = []
        for x, y in some:
            while len(found) > 1:
                (a, b), (c, d) = found[-2:]
                if (c - a) * (y - b) - (d - b) * (x - a) > 0:
                    break
                found.pop()
            found.append((x, y))
        return found[:-1]

    return [*half(ordered), *half(reversed(ordered))]


def line_legend(series: Sequence[Series], collections: Sequence[str]) -> list[Line2D]:
    """What colours are and, where there are several ways, what dashes are."""
    ways = [*dict.fromkeys(each.way for each in series if each.way)]
    found = []
    for of in dict.fromkeys(each.of for each in series):
        shape: Any = {"marker": SHAPES[of], "markersize": 3} if of in SHAPES else {}
        look: Any = {"color": colour(of, collections), "linestyle": WAYS.get(of, "-"), **shape}
        found.append(Line2D([], [], label=of, **look))
    return found + [Line2D([], [], color=GREY, linestyle=WAYS[way], label=way) for way in ways]
