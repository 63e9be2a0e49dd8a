"""Lines show their points, intervals and what they are of."""

from math import isnan

from matplotlib.colors import to_hex

from tests.show.files.legends import labels
from webecho.show.files.drawing import Drawing
from webecho.show.files.lines import around, hull, lines, runs
from webecho.show.files.palette import SHAPES, THINGS
from webecho.study.figures import Band, Lines, Mark, Series

ONE = Drawing()


def test_nothing_can_be_drawn_too() -> None:
    assert lines(Lines("", "", "", []), ONE).axes[0].get_lines() == []


def test_a_logarithmic_line_is_broken_where_there_is_nothing() -> None:
    series = [Series([(0, 0.1), (1, 0), (2, 10)], "clusters")]
    figure = lines(Lines("", "features", "relative share", series, logarithmic=True), ONE)
    [axes] = figure.axes
    [line] = axes.get_lines()
    assert axes.get_yscale() == "log"
    first, none, last = line.get_ydata()
    assert (first, last) == (0.1, 10) and isnan(none)
    assert line.get_markevery() == [0, 2]
    figure.draw_without_rendering()
    shown = {text.get_text() for text in axes.get_yticklabels()}
    # A share of a share is no percentage of a whole, and 10 is 1,000 % to nobody.
    assert {"0.1", "1", "10"} <= shown


def test_y_begins_where_it_was_asked_to() -> None:
    series = [Series([(1, 1), (2, 0.9)], "1 page")]
    assert lines(Lines("", "", "Φ", series, floor=0.5), ONE).axes[0].get_ylim()[0] == 0.5
    assert lines(Lines("", "", "Φ", series), ONE).axes[0].get_ylim()[0] == 0


def test_cluster_sizes_have_shapes_of_their_own() -> None:
    series = [Series([(1, 1), (2, 0.9)], of) for of in SHAPES]
    figure = lines(Lines("", "", "", series), ONE)
    assert len(SHAPES) == 7 == len({*SHAPES.values()})
    assert [line.get_marker() for line in figure.axes[0].get_lines()] == [*SHAPES.values()]
    [legend] = figure.legends
    assert [line.get_marker() for line in legend.get_lines()] == [*SHAPES.values()]


def test_one_line_for_each_series() -> None:
    series = [Series([(1, 2), (2, 3)], "clusters"), Series([(1, 5)], "duplicates")]
    figure = lines(Lines("", "step", "number", series, limits=(0, 200), counted=True), ONE)
    [axes] = figure.axes
    assert labels(figure) == ["clusters", "duplicates"]
    assert [to_hex(line.get_color()) for line in axes.get_lines()] == [
        THINGS[name].lower() for name in ("clusters", "duplicates")
    ]
    assert axes.get_xlim() == (0, 200)
    assert all(float(tick).is_integer() for tick in axes.get_yticks())


def test_of_several_collections_dashes_tell_what_is_what() -> None:
    series = [
        Series([(1, 2), (2, 3)], name, way)
        for name in ("2003", "2004")
        for way in ("duplicates", "clusters")
    ]
    figure = lines(Lines("", "step", "number", series), ONE, ["2003", "2004"])
    assert labels(figure) == ["2003", "2004", "duplicates", "clusters"]
    one, other, two, _ = figure.axes[0].get_lines()
    assert one.get_color() == other.get_color() != two.get_color()
    assert one.get_linestyle() != other.get_linestyle()


def test_intervals_are_bands() -> None:
    bands = [Band(1, 1, 3), Band(2, 2, 5), Band(4, 0, 9)]
    series = Series([(1, 2), (2, 3), (3, 0), (4, 5)], "estimate", bands=bands)
    assert [[band.x for band in run] for run in runs(series)] == [[1, 2], [4]]
    figure = lines(Lines("", "step", "number", [series]), ONE)
    [axes] = figure.axes
    [band] = axes.collections
    assert {tuple(corner) for corner in band.get_paths()[0].vertices} >= {(1, 1), (2, 5)}
    assert "95 % interval" in labels(figure)


def test_a_curve_with_intervals_both_ways_has_a_band_around_it() -> None:
    bands = [Band(1, 1, 2, 0, 2), Band(5, 3, 4, 4, 6)]
    [shape] = around(bands)
    assert {*shape} == {(0, 1), (2, 1), (6, 3), (6, 4), (4, 4), (0, 2)}
    assert hull([(0, 0), (2, 0), (1, 1), (0, 2), (2, 2)]) == [(0, 0), (2, 0), (2, 2), (0, 2)]
    figure = lines(Lines("", "", "", [Series([(1, 1.5), (5, 3.5)], "R", bands=bands)]), ONE)
    assert len(figure.axes[0].patches) == 1


def test_what_is_not_there_is_nothing_and_has_no_dot() -> None:
    points = [(370, 0), (371, 0.25), (372, 0), (373, 0), (374, 0.75), (375, 0)]
    mark = Mark(374, 0.75, "chosen: 374")
    figure = lines(Lines("", "", "", [Series(points, "precision")], mark=mark), ONE)
    line, circle = figure.axes[0].get_lines()
    assert (line.get_marker(), line.get_markevery()) == ("o", [1, 4])
    assert [*circle.get_xdata()] == [374]
    assert labels(figure) == ["precision", "chosen: 374"]
    assert all(float(tick).is_integer() for tick in figure.axes[0].get_xticks())


def test_shares_are_percentages() -> None:
    figure = lines(Lines("", "step", "share found", [Series([(1, 0.5), (2, 1)], "found")]), ONE)
    figure.draw_without_rendering()
    assert any(
        text.get_text() == "100.0 %" or text.get_text() == "100 %"
        for text in (figure.axes[0].get_yticklabels())
    )
