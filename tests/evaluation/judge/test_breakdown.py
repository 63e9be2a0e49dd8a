"""Tables of reasons, worked out by hand."""

import pyarrow as pa
import pytest

from webecho.evaluation.judge.breakdown import breakdown
from webecho.evaluation.label.reasons import Judgement


def test_a_breakdown_worked_out_by_hand() -> None:
    rows = [
        {"rule": "b-2", "left": 0, "right": n, "same_site": n < 4, "weight": 10.0}
        for n in range(1, 8)
    ]
    judged = {
        (0, 1): Judgement("correct", ("url",)),
        (0, 2): Judgement("correct", ("url",)),
        (0, 3): Judgement("correct", ("url", "time-stamp")),
        (0, 4): Judgement("correct", ()),
        (0, 5): Judgement("undecided", ("form",)),
        (0, 6): Judgement("incorrect", ("main-item",)),
    }
    found = breakdown(pa.Table.from_pylist(rows), judged)
    assert [tuple(row.values()) for row in found.to_pylist()] == [
        ("b-2", "correct", "URL only", 2, 0.5, 2, pytest.approx(2 / 3), 20.0),
        ("b-2", "correct", "combination", 1, 0.25, 1, pytest.approx(1 / 3), 10.0),
        ("b-2", "correct", "rest", 1, 0.25, 0, 0.0, 10.0),
        ("b-2", "incorrect", "main item differs", 1, 1.0, 0, None, 10.0),
        ("b-2", "undecided", "form", 1, 1.0, 0, None, 10.0),
    ]
