"""Bars stand beside or on each other, with their names below."""

from itertools import pairwise

import pytest
from matplotlib.colors import to_hex

from tests.show.files.legends import labels
from webecho.show.files.bars import bars, stacked
from webecho.show.files.drawing import Drawing, Width
from webecho.show.files.figures import drawn
from webecho.show.files.palette import COLLECTIONS, THINGS
from webecho.study.figures import Bars, Stacked

ONE = Drawing()
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


STACKED = Stacked(
    *("Change", "pages per cluster", "share of downloads"),
    ["1", "2–10", "11–100", "101–1,000", "1,001–10,000", "10,001–100,000", "over 100,000"],
    {"no change": [0.5, 0.25, 0, 1, 1, 1, 1], "small change": [0.5, 0.75, 0, 0, 0, 0, 0]},
)


def test_parts_lie_on_each_other() -> None:
    figure = drawn(STACKED, ONE, [])
    [axes] = figure.axes
    low, high = axes.containers
    assert [bar.get_y() for bar in low] == [0] * 7
    assert [bar.get_height() for bar in low] == [0.5, 0.25, 0, 1, 1, 1, 1]
    assert [bar.get_y() for bar in high] == [0.5, 0.25, 0, 1, 1, 1, 1]
    assert axes.get_ylim() == (0, 1)
    # The legend is in the order in which they are seen, from the top.
    assert labels(figure) == ["small change", "no change"]
    assert to_hex(low[0].get_facecolor()) == THINGS["no change"].lower()


def test_of_many_bars_some_are_named_and_the_last_always() -> None:
    names = [str(common) for common in range(86)]
    figure = stacked(Stacked("", "", "share", names, {"1 page": [1.0] * 86}), ONE)
    shown = [text.get_text() for text in figure.axes[0].get_xticklabels()]
    assert shown == ["0", "10", "20", "30", "40", "50", "60", "70", "85"]
    first, second = figure.axes[0].patches[:2]
    assert first.get_x() + first.get_width() == second.get_x()


@pytest.mark.parametrize("width", ["one", "two"])
def test_long_names_of_bars_do_not_touch(width: Width) -> None:
    figure = drawn(STACKED, Drawing(width), [])
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in figure.axes[0].get_xticklabels()]
    assert all(one.x1 < other.x0 for one, other in pairwise(boxes))
