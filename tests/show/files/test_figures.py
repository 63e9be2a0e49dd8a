"""Each kind of figure is drawn as what it is."""

import pytest

from tests.show.files.test_log_log import of
from webecho.show.files.drawing import Drawing
from webecho.show.files.figures import drawn
from webecho.study.figures import Bars, Figure, Lines, Scatter, Series, Stacked

FIGURES: dict[str, Figure] = {
    "sizes": of({1: 5, 2: 3}),
    "lines": Lines("", "sizes", "lines", [Series([(1, 2)], "clusters")]),
    "bars": Bars("", "", "bars", ["1"], {"page": [1]}),
    "stacked": Stacked("", "", "stacked", ["1"], {"no change": [1]}),
    "scatter": Scatter("", "", "scatter", {"hosts": [(0, 1)]}),
}


@pytest.mark.parametrize("name", FIGURES)
def test_each_kind_is_drawn(name: str) -> None:
    figure = FIGURES[name]
    [axes] = drawn(figure, Drawing(), []).axes
    assert axes.get_ylabel() == figure.y
    assert bool(axes.containers) is (name in ("bars", "stacked"))
    scales = {"sizes": ("log", "log"), "scatter": ("symlog", "log")}
    assert (axes.get_xscale(), axes.get_yscale()) == scales.get(name, ("linear", "linear"))
