"""Figures show what they are given, as wide as was asked, and the same data give the same bytes."""

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_hex

from webecho.show.files.drawing import Drawing, Width
from webecho.show.files.figures import (
    around,
    bars,
    drawn,
    hull,
    lines,
    log_log,
    reaching,
    runs,
    save,
)
from webecho.show.files.palette import COLLECTIONS, THINGS
from webecho.study.figures import Band, Bars, Distribution, Lines, LogLog, Mark, Series
from webecho.study.fits import Fits, fitted
from webecho.study.log_log_line import Line
from webecho.study.power_law import FitSettings, PowerLaw

ONE = Drawing()
NUMBERS = np.random.default_rng(1).zipf(2.5, 2_000)
COUNTS = Counter(NUMBERS[NUMBERS < 10**6].tolist())
GOOD = PowerLaw(-2.5, 0.1, 2, 60, 100, 0.05, 0.4, 500)
BAD = PowerLaw(-2.5, 0.1, 2, 100, 100, 0.2, 0.01, 500)


def labels(figure: object) -> list[str]:
    [legend] = figure.legends
    return [text.get_text() for text in legend.get_texts()]


def of(counts: dict[int, float], fits: Fits | None = None, name: str = "mine") -> LogLog:
    series = {name: Distribution(counts, fits or Fits())}
    return LogLog("Clusters by size", "documents per cluster", "clusters", series)


def test_points_and_both_fits() -> None:
    fits = fitted(COUNTS, FitSettings(0))
    figure = log_log(of(COUNTS | {0: 5}, fits), ONE)
    [axes] = figure.axes
    points, law, line = axes.get_lines()
    # A size of 0 has no place on a logarithmic scale.
    assert [*points.get_xdata()] == sorted(COUNTS)
    assert [*points.get_ydata()] == [COUNTS[size] for size in sorted(COUNTS)]
    assert fits.law is not None and fits.line is not None
    assert law.get_xdata()[0] == fits.law.least
    assert law.get_ydata()[0] == pytest.approx(fits.law.count(fits.law.least))
    assert [*line.get_ydata()] == [fits.line.count(1), fits.line.count(max(COUNTS))]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("documents per cluster", "clusters")


def test_no_fit_is_drawn_that_misses_without_saying_so() -> None:
    line = Line(-2.1, 0.2, 3.0, 0.1)
    assert labels(log_log(of({2: 60, 9: 1}, Fits(GOOD, line)), ONE)) == [
        "mine",
        "power law from 2 (60%): −2.50 ± 0.10, p = 0.40",
        "log-log line: −2.10 ± 0.20",
    ]
    missing = Line(-2.1, 0.2, 3.0, 0.6)
    assert labels(log_log(of({2: 60, 9: 1}, Fits(BAD, missing)), ONE)) == [
        "mine",
        "power law from 2: −2.50 ± 0.10, misses (p = 0.01)",
        "log-log line: −2.10 ± 0.20, misses (factor 4.0)",
    ]


def test_collections_overlay_each_in_its_colour_with_its_verdict() -> None:
    line = Line(-2.1, 0.2, 3.0, 0.6)
    both = of({2: 60}, Fits(GOOD, line), "2003").overlaid(of({2: 70}, Fits(BAD), "2004"))
    figure = log_log(both, ONE, ["2002", "2003", "2004"])
    assert labels(figure) == [
        *("2003: −2.50, p = 0.40", "2004: −2.50, misses (p = 0.01)"),
        *("power law", "log-log line, misses 2003"),
    ]
    first, second = (line for line in figure.axes[0].get_lines() if line.get_linestyle() == "None")
    assert (to_hex(first.get_color()), to_hex(second.get_color())) == tuple(
        colour.lower() for colour in COLLECTIONS[1:3]
    )
    assert first.get_marker() != second.get_marker()


def test_how_many_are_of_at_least_each_size() -> None:
    assert reaching({2: 5, 3: 2, 9: 1}) == {2: 8, 3: 3, 9: 1}
    figure = log_log(of({2: 50, 3: 9, 9: 1}, Fits(BAD, Line(-2, 0.1, 3, 0))), ONE, at_least=True)
    points, law = figure.axes[0].get_lines()
    assert [*points.get_ydata()] == [60, 10, 1]
    assert law.get_ydata()[0] == pytest.approx(BAD.at_least(2))
    # The papers' line is of single sizes.
    assert not any("log-log" in label for label in labels(figure))
    assert figure.axes[0].get_ylabel() == "clusters of at least that size"


@pytest.mark.parametrize("most", [3, 40, 5_000])
def test_what_is_counted_is_counted_from_one(most: int) -> None:
    figure = log_log(of({1: most, most: 1}), ONE)
    figure.draw_without_rendering()
    for axis in (figure.axes[0].xaxis, figure.axes[0].yaxis):
        low, high = axis.get_view_interval()
        ticks = [*axis.get_majorticklocs(), *axis.get_minorticklocs()]
        shown = [tick for tick in ticks if low <= tick <= high]
        assert shown[0] == 1 == min(shown) and all(float(tick).is_integer() for tick in shown)
        assert all(text.get_text() == "" for text in axis.get_minorticklabels())


def test_nothing_can_be_drawn_too() -> None:
    log_log(of({}), ONE)
    log_log(LogLog("", "", "", {}), ONE)
    assert lines(Lines("", "", "", []), ONE).axes[0].get_lines() == []


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


BARS = Bars(
    *("Pages", "replicas", "share of pages"),
    ["1", "2", "3", "4–5", "6–10", "11–100", ">100"],
    {"page": [0.6, 0.2, 0, 0, 0.1, 0.1, 0], "lines:4": [0.5, 0.3, 0, 0, 0.1, 0.1, 0]},
)


def test_bars_stand_side_by_side_at_their_names() -> None:
    figure = drawn(BARS, ONE, [])
    [axes] = figure.axes
    assert labels(figure) == ["page", "lines:4"]
    assert [text.get_text() for text in axes.get_xticklabels()] == BARS.names
    first, second = axes.containers
    for drawn_bars, (name, heights) in zip((first, second), BARS.series.items(), strict=True):
        assert [bar.get_height() for bar in drawn_bars] == heights
        assert {to_hex(bar.get_facecolor()) for bar in drawn_bars} == {THINGS[name].lower()}
    for place, (one, other) in enumerate(zip(first, second, strict=True)):
        # One beside the other, with the tick between them.
        assert one.get_x() + one.get_width() <= other.get_x() + 1e-9
        assert one.get_x() < place < other.get_x() + other.get_width()
    figure.draw_without_rendering()
    assert any(text.get_text() in ("60 %", "60.0 %") for text in axes.get_yticklabels())


@pytest.mark.parametrize("width", ["one", "two"])
def test_names_of_bars_do_not_touch(width: Width) -> None:
    figure = drawn(BARS, Drawing(width), [])
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in figure.axes[0].get_xticklabels()]
    assert all(one.x1 < other.x0 for one, other in pairwise(boxes))


def test_one_series_of_bars_needs_no_legend_and_collections_have_their_colours() -> None:
    alone = bars(Bars("", "", "pages", ["1"], {"2004": [3]}), ONE, ["2003", "2004"])
    assert alone.legends == []
    [bar] = alone.axes[0].patches
    assert to_hex(bar.get_facecolor()) == COLLECTIONS[1].lower()
    assert bars(Bars("", "", "", [], {}), ONE).axes[0].patches[:] == []


@pytest.mark.parametrize("width", ["one", "two"])
def test_a_page_is_as_wide_as_was_asked(tmp_path: Path, width: Width) -> None:
    drawing = Drawing(width)
    for name, figure in {
        "sizes": of(COUNTS, fitted(COUNTS, FitSettings(0))),
        "lines": Lines("", "step", "number", [Series([(1, 2), (2, 3)], "clusters")]),
        "bars": BARS,
    }.items():
        pdf, svg, png = save(drawn(figure, drawing, []), tmp_path / name, drawing)
        [box] = re.findall(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+) ?\]", pdf.read_bytes())
        assert float(box[0]) / 72 == pytest.approx(drawing.size[0], abs=0.01)
        inches = re.search(rb'<svg [^>]*width="([\d.]+)pt"', svg.read_bytes())
        assert inches and float(inches[1]) / 72 == pytest.approx(drawing.size[0], abs=0.01)
        assert png.read_bytes().startswith(b"\x89PNG")


def test_a_title_is_drawn_only_if_it_is_asked_for(tmp_path: Path) -> None:
    for title in (False, True):
        drawing = Drawing(title=title)
        _, svg, _ = save(drawn(of({2: 5}), drawing, []), tmp_path / "sizes", drawing)
        assert (b"Clusters by size" in svg.read_bytes()) is title


def test_the_same_data_give_the_same_bytes(tmp_path: Path) -> None:
    figure = of(COUNTS, fitted(COUNTS, FitSettings(0)))
    written = []
    for name in ("one", "two"):
        files = save(drawn(figure, ONE, []), tmp_path / name / "figure", ONE)
        assert [file.name for file in files] == ["figure.pdf", "figure.svg", "figure.png"]
        written.append([file.read_bytes() for file in files])
    assert written[0] == written[1]
    assert {file.suffix for file in (tmp_path / "one").iterdir()} == {".pdf", ".svg", ".png"}
