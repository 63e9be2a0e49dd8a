"""The figures of evolution show what the tables have."""

import numpy as np
import pyarrow as pa
import pytest

from webecho.study.cluster_coefficients import AVERAGED
from webecho.study.evolution_figures import (
    calibration_figure,
    change_figures,
    coefficient_figures,
    host_figure,
    size_figure,
)
from webecho.study.figures import Distribution, Lines, Stacked
from webecho.study.host_clusters import CHANGE, OF_ALL, OF_FIRST
from webecho.study.revisit_model import Bin
from webecho.study.revisits import calibration_table


def test_a_curve_for_each_class_that_there_is() -> None:
    rows = [
        (1, "1 page", 5, 1.0, 1.0, 1.0),
        (1, "2–10 pages", 9, 1.0, 1.0, 1.0),
        (2, "1 page", 5, 1.0, 0.7, 0.7),
        (2, "2–10 pages", 9, 0.8, 0.4, 0.9),
    ]
    table = pa.Table.from_pylist(
        [dict(zip(AVERAGED.names, r, strict=True)) for r in rows], AVERAGED
    )
    drawn = coefficient_figures(table)
    four, five, seven = (drawn[n] for n in ("containment", "similarity", "containment_reverse"))
    assert isinstance(four, Lines) and isinstance(five, Lines) and isinstance(seven, Lines)
    assert [(each.of, [*each.points]) for each in four.series] == [
        ("1 page", [(1, 1.0), (2, 1.0)]),
        ("2–10 pages", [(1, 1.0), (2, 0.8)]),
    ]
    assert [each.points[-1] for each in five.series] == [(2, 0.7), (2, 0.4)]
    assert [each.points[-1] for each in seven.series] == [(2, 0.7), (2, 0.9)]
    # y begins at a half where nothing lies below.
    assert (four.floor, five.floor) == (0.5, 0.0)


def test_sizes_and_hosts() -> None:
    figure = size_figure({"w1": Distribution({1: 5}), "w9": Distribution({2: 3})})
    assert [*figure.series] == ["w1", "w9"]
    rows = [{"of": OF_FIRST, "change": -2, "hosts": 3}, {"of": OF_ALL, "change": 7, "hosts": 1}]
    assert host_figure(pa.Table.from_pylist(rows, CHANGE)).series == {"hosts": [(-2, 3)]}


def test_figures_of_change() -> None:
    counts = np.zeros((7, 86), np.int64)
    counts[0, 85], counts[0, 0], counts[3, 85] = 6, 2, 2
    drawn = change_figures(counts)
    eight, nine, ten = (drawn[f"change_{name}"] for name in ("buckets", "relative", "classes"))
    assert isinstance(eight, Stacked) and isinstance(nine, Lines) and isinstance(ten, Stacked)
    assert [*eight.parts] == ["1 page", "101–1,000 pages"] and len(eight.names) == 86
    assert (eight.parts["1 page"][85], eight.parts["101–1,000 pages"][85]) == (0.75, 0.25)
    assert nine.logarithmic
    assert nine.series[1].points[85][1] == pytest.approx(86)
    assert [*ten.names] == ["1", "101–1,000"]
    assert next(iter(ten.parts)) == "no change" and ten.parts["no change"] == [0.75, 1]
    assert ten.parts["complete change"] == [0.25, 0]


def test_what_came_out_lies_in_bands_of_its_errors() -> None:
    table = calibration_table([Bin(100, 9, 0.1, 0.3, 0.2, 0.25, 0.04, 0.05, 9.0)])
    line, found = calibration_figure(table).series
    assert [*line.points] == [(0, 0), (1, 1)] and [*found.points] == [(0.2, 0.25)]
    [band] = found.bands
    # The larger of both errors.
    assert (band.low, band.high) == pytest.approx(
        (0.25 - 1.96 * 0.05, 0.25 + 1.96 * 0.05), abs=1e-4
    )
