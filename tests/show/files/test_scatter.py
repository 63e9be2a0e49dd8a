"""Points lie where they were said to, on logarithmic scales."""

import pytest

from tests.show.files.legends import labels
from webecho.show.files.drawing import Drawing
from webecho.show.files.scatter import scatter
from webecho.study.figures import Scatter

ONE = Drawing()


def test_points_below_nothing_have_their_place_too() -> None:
    points = [(-20, 1), (-1, 30), (0, 4_000), (1, 25), (300, 2), (7, 0)]
    figure = scatter(Scatter("", "change", "hosts", {"hosts": points}), ONE)
    [axes] = figure.axes
    [drawn] = axes.get_lines()
    assert (axes.get_xscale(), axes.get_yscale()) == ("symlog", "log")
    # None occurs 0 times.
    assert [*zip(drawn.get_xdata(), drawn.get_ydata(), strict=True)] == points[:-1]
    low, high = axes.get_xlim()
    assert low < -20 and high > 300
    figure.draw_without_rendering()
    shown = [text.get_text() for text in axes.get_xticklabels()]
    assert {"−10", "−1", "0", "1", "10", "100"} <= {*shown}
    assert figure.legends == []


def test_where_all_are_above_nothing_the_scale_begins_at_one() -> None:
    series = {"2003": [(1.0, 5.0), (10.0, 2.0)], "2004": [(2.0, 7.0)]}
    figure = scatter(Scatter("", "", "", series), ONE, ["2003", "2004"])
    assert figure.axes[0].get_xscale() == "log"
    assert figure.axes[0].get_xlim()[0] == pytest.approx(0.8)
    assert labels(figure) == ["2003", "2004"]
    one, other = figure.axes[0].get_lines()
    assert one.get_marker() != other.get_marker() and one.get_color() != other.get_color()


def test_nothing_can_be_drawn_too() -> None:
    [axes] = scatter(Scatter("", "", "", {}), ONE).axes
    assert not any(len(line.get_xdata()) for line in axes.get_lines())
