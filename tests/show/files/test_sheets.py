"""Figures are as wide as was asked, and the same data give the same bytes."""

import re
from pathlib import Path

import pytest

from tests.show.files.test_log_log import COUNTS, of
from webecho.show.files.drawing import Drawing, Width
from webecho.show.files.figures import drawn
from webecho.show.files.sheets import save
from webecho.study.figures import Bars, Lines, Scatter, Series, Stacked
from webecho.study.fits import fitted
from webecho.study.power_law import FitSettings

ONE = Drawing()


@pytest.mark.parametrize("width", ["one", "two"])
def test_a_page_is_as_wide_as_was_asked(tmp_path: Path, width: Width) -> None:
    drawing = Drawing(width)
    for name, figure in {
        "sizes": of(COUNTS, fitted(COUNTS, FitSettings(0))),
        "lines": Lines("", "step", "number", [Series([(1, 2), (2, 3)], "clusters")]),
        "bars": Bars("", "", "", ["1", "2"], {"page": [0.5, 0.5]}),
        "stacked": Stacked("", "", "", ["1", "2"], {"no change": [1, 0.5], "1 page": [0, 0.5]}),
        "scatter": Scatter("", "", "", {"hosts": [(-3, 1), (0, 9)]}),
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
