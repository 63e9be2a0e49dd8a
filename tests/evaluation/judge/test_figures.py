"""The figures of an evaluation."""

import pyarrow as pa

from webecho.evaluation.judge.figures import figures
from webecho.evaluation.judge.thresholds import CURVE
from webecho.study.figures import Band, Lines, Mark

ROWS = [
    {
        **{"threshold": at, "labelled": 9, "precision": p, "precision_low": p - 0.1},
        **{"precision_high": p + 0.1, "r": r, "r_low": r - 0.2, "r_high": r},
    }
    for at, p, r in ((350, 0.5, 1.0), (355, 0.75, 0.875))
]
CURVES = pa.Table.from_pylist([*ROWS, {"threshold": 360, "labelled": 0}], CURVE)


def test_precision_by_threshold_and_r_by_precision() -> None:
    found = figures({"thresholds": CURVES, "training": CURVES}, 355)
    sixth, seventh = found["thresholds"], found["training"]
    assert isinstance(sixth, Lines) and isinstance(seventh, Lines)
    [precision], [r] = sixth.series, seventh.series
    assert [*precision.points] == [(350, 0.5), (355, 0.75)]
    assert [*precision.bands] == [Band(350, 0.4, 0.6), Band(355, 0.65, 0.85)]
    assert (sixth.mark, seventh.mark) == (
        Mark(355, 0.75, "chosen: 355"),
        Mark(0.75, 0.875, "chosen: 355"),
    )
    # Both axes of Figure 7 are estimated.
    assert [*r.points] == [(0.5, 1.0), (0.75, 0.875)]
    assert r.bands[0] == Band(0.5, 0.8, 1.0, 0.4, 0.6)


def test_without_thresholds_or_a_choice() -> None:
    assert figures({"precision": CURVES}, None) == {}
    found = figures({"thresholds": CURVES, "training": CURVES}, None)
    assert all(isinstance(each, Lines) and each.mark is None for each in found.values())
