"""Points on logarithmic scales."""

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from webecho.show.files.drawing import Drawing
from webecho.show.files.palette import MARKERS, colour
from webecho.show.files.sheets import from_one, new, place_legend, style
from webecho.study.figures import Scatter


def scatter(figure: Scatter, drawing: Drawing, collections: Sequence[str] = ()) -> Figure:
    """A point for each pair of numbers; those that a scale has no place for are left out."""
    with mpl.rc_context(style(drawing)):
        sheet, axes = new(figure.title, drawing)
        axes.set_xlabel(figure.x)
        axes.set_ylabel(figure.y)
        every = [point for points in figure.series.values() for point in points if point[1] > 0]
        both_ways = any(x <= 0 for x, _ in every)
        if both_ways:
            axes.set_xscale("symlog", linthresh=1)
        else:
            axes.set_xscale("log")
        axes.set_yscale("log")
        legend: list[Line2D] = []
        for number, (name, points) in enumerate(figure.series.items()):
            look: Any = {"color": colour(name, collections), "linestyle": "", "markeredgewidth": 0}
            look |= {"marker": MARKERS[number % len(MARKERS)], "markersize": 0.4 * drawing.points}
            shown = [(x, y) for x, y in points if y > 0]
            axes.plot([x for x, _ in shown], [y for _, y in shown], alpha=0.75, **look)
            legend.append(Line2D([], [], label=name, **look))
        (from_zero if both_ways else from_one)(axes.xaxis, [1.0, *(x for x, _ in every)])
        from_one(axes.yaxis, [1.0, *(y for _, y in every)])
        if len(legend) > 1:
            place_legend(sheet, legend, drawing)
        return sheet


def from_zero(axis: Axis, values: Sequence[float]) -> None:
    """An axis that is logarithmic both ways from 0, with ticks at powers of ten."""
    low, high = min(values), max(values)
    powers = [10.0**power for power in range(len(f"{max(high, -low):.0f}") + 1)]
    ticks = [0.0, *powers, *(-each for each in powers)]
    axis.set_major_locator(FixedLocator(sorted(ticks)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}".replace("-", "−")))
    axis.set_view_interval(min(1.5 * low, -1.5), max(1.5 * high, 1.5), ignore=True)
