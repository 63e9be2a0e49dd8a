"""*Sheet*: a figure before anything is drawn on it, and what all of them share: their look, axes,
legends and files.

It is saved as PDF and SVG, for print and for pages, and as PNG, to look at; the same data give the
same bytes. Text in it is ours, a number, or the name of a workspace, never a crawl's.
"""

from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter

from webecho.show.files.drawing import Drawing
from webecho.show.files.palette import LIGHT
from webecho.workspace.table_files import write_aside

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
            # By way of memory: what matplotlib raises when a disk is full says nothing of that.
            drawn = BytesIO()
            sheet.savefig(drawn, format=kind, dpi=DOTS_PER_INCH, metadata=metadata)
            write_aside(out, drawn.getvalue(), durable=False)
            written.append(out)
    return written


def whole(axis: Axis) -> None:
    """Ticks at whole numbers alone."""
    axis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10], min_n_ticks=1))


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


def plain_powers(axis: Axis) -> None:
    """A logarithmic axis with numbers as people write them."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axis.set_minor_formatter(NullFormatter())


def darker(hue: str) -> str:
    """A colour that stands out from its points."""
    parts = (int(hue[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(part * 0.7):02X}" for part in parts)


def lighter(hue: str) -> str:
    """A colour that lies behind its line."""
    parts = (int(hue[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(part + (255 - part) * LIGHT):02X}" for part in parts)
