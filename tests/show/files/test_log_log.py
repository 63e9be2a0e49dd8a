"""Counts by size are drawn with what was fitted to them, and whether that misses."""

from collections import Counter

import numpy as np
import pytest
from matplotlib.colors import to_hex

from tests.show.files.legends import labels
from webecho.show.files.drawing import Drawing
from webecho.show.files.log_log import log_log, reaching
from webecho.show.files.palette import COLLECTIONS
from webecho.study.figures import Distribution, LogLog
from webecho.study.fits import Fits, fitted
from webecho.study.log_log_line import Line
from webecho.study.power_law import FitSettings, PowerLaw

ONE = Drawing()
NUMBERS = np.random.default_rng(1).zipf(2.5, 2_000)
COUNTS = Counter(NUMBERS[NUMBERS < 10**6].tolist())
GOOD = PowerLaw(-2.5, 0.1, 2, 60, 100, 0.05, 0.4, 500)
BAD = PowerLaw(-2.5, 0.1, 2, 100, 100, 0.2, 0.01, 500)


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
    for nothing in (of({}), LogLog("", "", "", {})):
        [axes] = log_log(nothing, ONE).axes
        assert not any(len(line.get_xdata()) for line in axes.get_lines())
