"""The numbers of Henzinger 2006 stand beside the rows that she has too, and no others."""

import pyarrow as pa
import pytest

from webecho.evaluation.judge.beside_paper import (
    CHECKED,
    PRECISION,
    REASONS,
    TRAINING,
    beside_paper,
)
from webecho.evaluation.judge.breakdown import title
from webecho.evaluation.label.reasons import COMBINATION, LABELS
from webecho.evaluation.label.reasons import REASONS as KNOWN


def precision(*rows: tuple[str, str]) -> pa.Table:
    rules, kinds = zip(*rows, strict=True)
    values = {"correct": [0.5] * len(rows), "correct_low": [0.4] * len(rows)}
    return pa.table({"rule": rules, "kind": kinds} | values)


def test_shares_of_the_same_rule_and_kind() -> None:
    rows = [("b-2", "all"), ("b-2", "C-similarity 372-375"), ("c-372", "C-similarity 372-375")]
    found = beside_paper({"precision": precision(*rows)})["precision"]
    assert found.column_names[-1] == "correct, paper"
    assert found["correct, paper"].to_pylist() == [0.38, None, 0.62]


def test_other_rules_have_none() -> None:
    table = precision(("b-3", "all"), ("combined-2-355", "all"))
    assert beside_paper({"precision": table, "recall": table}) == {
        "precision": table,
        "recall": table,
    }


def test_reasons_of_all_pairs_and_of_the_same_site() -> None:
    kinds = ["all", "same site", "different sites"]
    columns = {"rule": ["b-2"] * 3, "label": ["correct"] * 3, "kind": kinds}
    table = pa.table(columns | {"reason": ["URL only"] * 3, "share": [0.0] * 3})
    found = beside_paper({"reasons": table})["reasons"]
    assert found["share, paper"].to_pylist() == [0.41, 0.32, None]


def test_reasons_are_called_as_ours_are() -> None:
    ours = {title(label, reason.code) for label in LABELS for reason in KNOWN} | {COMBINATION}
    assert {reason for _, _, reason in REASONS} <= ours


@pytest.mark.parametrize("rows", [PRECISION, CHECKED])
def test_shares_of_a_row_add_up(rows: dict[object, dict[str, float]]) -> None:
    for row in rows.values():
        if "undecided" in row:
            first = row.get("correct", row.get("precision", 0))
            assert first + row["incorrect"] + row["undecided"] == pytest.approx(1, abs=0.011)


def test_precision_rises_and_r_falls_with_the_threshold() -> None:
    """As they stand in Table 11, but for 355."""
    r = [each for _, each in TRAINING.values()]
    assert r == sorted(r, reverse=True)
    assert TRAINING[355] == (0.770, 0.808)
