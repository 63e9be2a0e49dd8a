"""Bars: side by side, or one on the other."""

from collections.abc import Sequence

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import PercentFormatter

from webecho.show.files.drawing import Drawing
from webecho.show.files.palette import colour
from webecho.show.files.sheets import new, place_legend, style
from webecho.study.figures import Bars, Stacked

# More bars than these have no room for all of their names, but for one in ten; and a name longer
# than this none on one line.
MANY, EVERY, LONG = 20, 10, 8


def bars(figure: Bars, drawing: Drawing, collections: Sequence[str] = ()) -> Figure:
    """Bars side by side."""
    with mpl.rc_context(style(drawing)):
        sheet, axes = new(figure.title, drawing)
        axes.set_xlabel(figure.x)
        axes.set_ylabel(figure.y)
        width = 0.8 / max(len(figure.series), 1)
        legend = []
        for number, (name, heights) in enumerate(figure.series.items()):
            left = (number - (len(figure.series) - 1) / 2) * width
            hue = colour(name, collections)
            places = [place + left for place in range(len(figure.names))]
            axes.bar(places, heights, 0.92 * width, color=hue, linewidth=0)
            legend.append(Line2D([], [], color=hue, linewidth=5, label=name))
        name_ticks(axes, figure.names, drawing)
        if "share" in figure.y:
            axes.yaxis.set_major_formatter(PercentFormatter(1, symbol=" %"))
        if len(legend) > 1:
            place_legend(sheet, legend, drawing)
        return sheet


def stacked(figure: Stacked, drawing: Drawing, collections: Sequence[str] = ()) -> Figure:
    """One bar for each name, its parts on each other; where there are many they touch."""
    with mpl.rc_context(style(drawing)):
        sheet, axes = new(figure.title, drawing)
        axes.set_xlabel(figure.x)
        axes.set_ylabel(figure.y)
        bottoms = [0.0] * len(figure.names)
        width = 0.8 if len(figure.names) <= MANY else 1.0
        legend = []
        for name, heights in figure.parts.items():
            hue = colour(name, collections)
            # Without the edge of its colour a light line stands between bars that touch.
            edge = 0.0 if width < 1 else 0.2
            places = range(len(figure.names))
            axes.bar(places, heights, width, bottoms, color=hue, edgecolor=hue, linewidth=edge)
            bottoms = [low + height for low, height in zip(bottoms, heights, strict=True)]
            legend.append(Line2D([], [], color=hue, linewidth=5, label=name))
        name_ticks(axes, figure.names, drawing)
        axes.set_xlim(-0.6, len(figure.names) - 0.4)
        axes.set_ylim(0, 1)
        if "share" in figure.y:
            axes.yaxis.set_major_formatter(PercentFormatter(1, symbol=" %"))
        if len(legend) > 1:
            # As they lie on each other.
            place_legend(sheet, legend[::-1], drawing)
        return sheet


def name_ticks(axes: Axes, names: Sequence[str], drawing: Drawing) -> None:
    """The names below their bars, long ones smaller and on two lines; of many some, and the last
    always."""
    places = [*range(len(names))]
    if len(names) > MANY:
        last = places[-1]
        places = [place for place in places[::EVERY] if last - place > EVERY // 2] + [last]
    if any(len(names[place]) > LONG for place in places):
        axes.tick_params(axis="x", labelsize=drawing.points - 1.5)
    axes.set_xticks(places, [in_lines(names[place]) for place in places])
    axes.grid(visible=False, axis="x")


def in_lines(name: str) -> str:
    """A name on two lines, if it is long: a range, or words."""
    return name.replace("–", "–\n").replace(" ", "\n", 1) if len(name) > LONG else name
