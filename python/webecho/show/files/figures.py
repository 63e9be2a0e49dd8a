"""Figures as the papers draw them, each kind in a file of its own."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from webecho.show.files.bars import bars, stacked
from webecho.show.files.drawing import Drawing
from webecho.show.files.lines import lines
from webecho.show.files.log_log import log_log
from webecho.show.files.scatter import scatter
from webecho.study.figures import Bars, LogLog, Scatter, Stacked
from webecho.study.figures import Figure as AnyFigure


def drawn(figure: AnyFigure, drawing: Drawing, collections: Sequence[str]) -> Figure:
    """The figure; collections are those of the study, which have their colours."""
    if isinstance(figure, Bars):
        return bars(figure, drawing, collections)
    if isinstance(figure, Stacked):
        return stacked(figure, drawing, collections)
    if isinstance(figure, Scatter):
        return scatter(figure, drawing, collections)
    if isinstance(figure, LogLog):
        return log_log(figure, drawing, collections)
    return lines(figure, drawing, collections)
