"""Counts by size on logarithmic scales, and what was fitted to them."""

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from webecho.show.files.drawing import Drawing
from webecho.show.files.palette import GREY, LAW, LINE, MARKERS, colour
from webecho.show.files.sheets import darker, from_one, new, place_legend, style
from webecho.study.figures import LogLog
from webecho.study.fits import Fits, p_value, signed
from webecho.study.log_log_line import Line
from webecho.study.power_law import PowerLaw


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
