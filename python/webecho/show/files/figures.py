"""Figures as the papers draw them: points on logarithmic scales with what was fitted, and lines.

A figure is saved as PDF and SVG, for print and for pages, and as PNG, to look at; the same data
give the same bytes. Text in it is ours, a number, or the name of a workspace, never a crawl's.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from matplotlib.ticker import (
    FixedLocator,
    FuncFormatter,
    MaxNLocator,
    NullFormatter,
    PercentFormatter,
)

from webecho.show.files.drawing import Drawing
from webecho.show.files.palette import GREY, LAW, LIGHT, LINE, MARK, MARKERS, WAYS, colour
from webecho.study.figures import Band, Bars, Lines, LogLog, Series
from webecho.study.fits import Fits, p_value, signed
from webecho.study.log_log_line import Line
from webecho.study.power_law import PowerLaw

STYLE: Any = {
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.linewidth": 0.6,
    "grid.color": "#E3E3E3",
    "grid.linewidth": 0.5,
    "legend.frameon": False,
    "lines.linewidth": 1.2,
    "mathtext.default": "regular",
    # Fonts that printers take, and text that stays text.
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
    # Else the marks in an SVG have other names each time.
    "svg.hashsalt": "webecho",
}
KINDS: tuple[tuple[str, Any], ...] = (
    ("pdf", {"CreationDate": None, "Producer": None, "Creator": None}),
    ("svg", {"Date": None}),
    ("png", {"Software": None}),
)
DOTS_PER_INCH = 300
# Inches that a line of the legend takes, for each point of the text's size.
LEGEND_LINE = 0.0195


def drawn(figure: LogLog | Lines | Bars, drawing: Drawing, collections: Sequence[str]) -> Figure:
    """The figure; collections are those of the study, which have their colours."""
    if isinstance(figure, Bars):
        return bars(figure, drawing, collections)
    if isinstance(figure, LogLog):
        return log_log(figure, drawing, collections)
    return lines(figure, drawing, collections)


def log_log(
    figure: LogLog, drawing: Drawing, collections: Sequence[str] = (), *, at_least: bool = False
) -> Figure:
    """Counts by size as points on logarithmic scales, and what was fitted to them; or how many
    there are of at least each size, where rare sizes do not scatter around the power law."""
    with mpl.rc_context(style(drawing)):
        legend: list[Line2D] = []
        sheet, axes = new(figure.title, drawing)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel(figure.x)
        axes.set_ylabel(f"{figure.y} of at least that size" if at_least else figure.y)
        several = len(figure.series) > 1
        every_x, every_y = [1.0], [1.0]
        few = max((len(own.counts) for own in figure.series.values()), default=0) <= 30
        size = (0.48 if few else 0.35) * drawing.points
        dots: Any = {"markersize": size, "markeredgewidth": 0, "zorder": 3}
        for number, (name, own) in enumerate(figure.series.items()):
            hue = colour(name, collections)
            counts = {size: n for size, n in sorted(own.counts.items()) if size > 0 and n > 0}
            x, y = [*counts], [*(reaching(counts) if at_least else counts).values()]
            every_x, every_y = [*every_x, *x], [*every_y, *y]
            marker = MARKERS[number % len(MARKERS)]
            axes.plot(x, y, marker, color=hue, alpha=0.75, **dots)
            if x:
                draw_fits(axes, own.fits, x[-1], hue, at_least)
            text = f"{name}{(several and short(own.fits)) or ''}"
            legend.append(Line2D([], [], color=hue, marker=marker, markersize=3.5, linestyle=""))
            legend[-1].set_label(text)
        fits = {name: own.fits for name, own in figure.series.items()}
        legend += fit_legend(fits, None if several else colour(next(iter(fits), ""), collections))
        if at_least:
            legend = [each for each in legend if each.get_linestyle() != dashes(LINE)]
        for axis, values in ((axes.xaxis, every_x), (axes.yaxis, every_y)):
            from_one(axis, values)
        if len(legend) > 1:
            place_legend(sheet, legend, drawing)
        return sheet


def reaching(counts: dict[int, float]) -> dict[int, float]:
    """How many things are of at least each size."""
    found, total = {}, 0.0
    for size in sorted(counts, reverse=True):
        total += counts[size]
        found[size] = total
    return dict(sorted(found.items()))


def draw_fits(axes: Axes, fits: Fits, largest: float, hue: str, at_least: bool) -> None:
    """What was fitted, in the colour of its points where these are; the papers' line has no form of
    at least each size."""
    law, line = fits.law, fits.line
    if law is not None:
        sizes = steps(law.least, largest)
        value = law.at_least if at_least else law.count
        axes.plot(sizes, [value(size) for size in sizes], linestyle=LAW, color=darker(hue))
    if line is not None and not at_least:
        ends = [1.0, largest]
        axes.plot(ends, [line.count(size) for size in ends], linestyle=LINE, color=darker(hue))


def steps(first: float, last: float, count: int = 60) -> list[float]:
    """Sizes from the first to the last, evenly on a logarithmic scale."""
    last = max(last, first)
    return [first * (last / first) ** (step / (count - 1)) for step in range(count)]


def darker(hue: str) -> str:
    """A colour that stands out from its points."""
    parts = (int(hue[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(part * 0.7):02X}" for part in parts)


def lighter(hue: str) -> str:
    """A colour that lies behind its line."""
    parts = (int(hue[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(part + (255 - part) * LIGHT):02X}" for part in parts)


def short(fits: Fits) -> str:
    """What the legend says beside one of several names."""
    if fits.law is None:
        return ""
    return f": {signed(fits.law.exponent)}{law_verdict(fits.law)}"


def law_verdict(law: PowerLaw) -> str:
    if law.p is None:
        return ""
    return f", misses ({p_value(law.p)})" if law.misses else f", {p_value(law.p)}"


def line_verdict(line: Line) -> str:
    return f", misses (factor {10**line.spread:.1f})" if line.misses else ""


def fit_legend(fits: dict[str, Fits], hue: str | None) -> list[Line2D]:
    """What lines are: with their exponents, of one distribution; else which of them miss."""
    laws = {name: each.law for name, each in fits.items() if each.law is not None}
    through = {name: each.line for name, each in fits.items() if each.line is not None}
    found = []
    shade = darker(hue) if hue else GREY
    if laws:
        text = "power law"
        if hue:
            [law] = laws.values()
            some = f" ({law.tail / law.things:.0%})" if law.tail < law.things else ""
            text += f" from {law.least:,}{some}: {signed(law.exponent)} ± {law.error:.2f}"
            text += law_verdict(law)
        found.append(Line2D([], [], color=shade, linestyle=LAW, label=text))
    if through:
        text = "log-log line"
        if hue:
            [line] = through.values()
            text += f": {signed(line.exponent)} ± {line.error:.2f}{line_verdict(line)}"
        else:
            missing = [name for name, line in through.items() if line.misses]
            text += f", misses {', '.join(missing)}" if missing else ""
        found.append(Line2D([], [], color=shade, linestyle=LINE, label=text))
    return found


def dashes(style: Any) -> Any:
    """How a line says that it has such dashes."""
    return Line2D([], [], linestyle=style).get_linestyle()


def from_one(axis: Axis, values: Iterable[float]) -> None:
    """A logarithmic axis of what is counted: from 1 on, with whole numbers as people write them, at
    powers of ten and between them where these are few."""
    most = max(values)
    few = most < 100
    labelled = range(1, 10) if most < 10 else (1, 2, 5) if few else (1,)
    powers = [10.0**power for power in range(len(f"{most:.0f}") + 1)]
    axis.set_major_locator(FixedLocator([each * power for power in powers for each in labelled]))
    between = [] if few else [each * power for power in powers for each in range(2, 10)]
    axis.set_minor_locator(FixedLocator(between))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axis.set_minor_formatter(NullFormatter())
    # The points at 1 are not cut.
    ends = 0.8, most * (1.35 if few else 1.8)
    axis.set_view_interval(*ends, ignore=True)


def lines(figure: Lines, drawing: Drawing, collections: Sequence[str] = ()) -> Figure:
    """One line for each series of points. Points at 0 have no dots: they are what nothing was found
    of."""
    with mpl.rc_context(style(drawing)):
        sheet, axes = new(figure.title, drawing)
        axes.set_xlabel(figure.x)
        axes.set_ylabel(figure.y)
        for series in figure.series:
            draw_series(axes, series, colour(series.of, collections))
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
        axes.set_ylim(bottom=0)
        if len(legend) > 1:
            place_legend(sheet, legend, drawing)
        return sheet


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
        axes.set_xticks(range(len(figure.names)), figure.names)
        axes.grid(visible=False, axis="x")
        if "share" in figure.y:
            axes.yaxis.set_major_formatter(PercentFormatter(1, symbol=" %"))
        if len(legend) > 1:
            place_legend(sheet, legend, drawing)
        return sheet


def draw_series(axes: Axes, series: Series, hue: str) -> None:
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
    values = [y for _, y in series.points]
    there = [place for place, value in enumerate(values) if value]
    # Of many points dots would be a thick line.
    dotted: Any = {"marker": "o", "markersize": 2.2, "markevery": there} if len(there) <= 60 else {}
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
    found = [
        Line2D([], [], color=colour(of, collections), linestyle=WAYS.get(of, "-"), label=of)
        for of in dict.fromkeys(each.of for each in series)
    ]
    return found + [Line2D([], [], color=GREY, linestyle=WAYS[way], label=way) for way in ways]


def whole(axis: Axis) -> None:
    """Ticks at whole numbers alone."""
    axis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10], min_n_ticks=1))


def style(drawing: Drawing) -> Any:
    return STYLE | {
        "font.size": drawing.points,
        "axes.titlesize": drawing.points + 0.5,
        "legend.fontsize": drawing.points - 0.5,
        "xtick.labelsize": drawing.points - 0.5,
        "ytick.labelsize": drawing.points - 0.5,
    }


def new(title: str, drawing: Drawing) -> tuple[Figure, Axes]:
    sheet = Figure(figsize=drawing.size, layout="constrained")
    axes = sheet.add_subplot()
    if drawing.title:
        axes.set_title(title, loc="left", wrap=True)
    return sheet, axes


def place_legend(sheet: Figure, entries: Sequence[Line2D], drawing: Drawing) -> None:
    """The legend below the axes, where it hides no point; the figure becomes higher by it."""
    longest = max(len(str(entry.get_label())) for entry in entries)
    width, height = drawing.size
    # A sign is about half as wide as high.
    fitting = int((width - 0.2) * 72 / ((longest * 0.52 + 4.5) * drawing.points))
    columns = max(1, min(fitting, len(entries), 4))
    rows = -(-len(entries) // columns)
    sheet.set_size_inches(width, height + rows * LEGEND_LINE * drawing.points)
    sheet.legend(
        handles=[*entries],
        loc="outside lower center",
        ncols=columns,
        handlelength=2.2,
        columnspacing=1.2,
        borderaxespad=0.2,
        labelspacing=0.25,
    )


def save(sheet: Figure, file: Path, drawing: Drawing) -> list[Path]:
    """Writes the figure as `file`.pdf, .svg and .png."""
    file.parent.mkdir(parents=True, exist_ok=True)
    written = []
    with mpl.rc_context(style(drawing)):
        for kind, metadata in KINDS:
            out = file.with_name(f"{file.name}.{kind}")
            beside = file.with_name(f".{file.name}.new.{kind}")
            sheet.savefig(beside, format=kind, dpi=DOTS_PER_INCH, metadata=metadata)
            beside.replace(out)
            written.append(out)
    return written
