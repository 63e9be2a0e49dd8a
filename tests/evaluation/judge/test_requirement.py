"""What is required of the precision of rules, and when it is met."""

import pyarrow as pa
import pytest

from webecho.errors import SettingsError
from webecho.evaluation.judge.requirement import Requirement, required_table, requirements

LABELS = {
    "precision": pa.table(
        {
            "rule": ["b", "b", "similar-0.8"],
            "kind": ["all", "same site", "all"],
            "correct": [0.99, 0.5, 0.96],
            "correct_low": [0.97, 0.4, 0.9],
            "correct_high": [1.0, 0.6, 0.99],
        }
    )
}
TRUTH = {"true_precision": pa.table({"rule": ["b-2"], "kind": ["all"], "correct": [0.97]})}


def test_the_lower_end_of_the_interval_decides() -> None:
    found = requirements(LABELS, (), 0.97)
    assert [(each.rule, each.met) for each in found] == [("b", True), ("similar-0.8", False)]
    assert str(found[1]) == (
        "similar-0.8: a precision of at least 0.97 is required, found 0.9600 (0.9000–0.9900): "
        "MISSED"
    )
    assert required_table(found)["met"].to_pylist() == [True, False]


def test_a_rule_of_which_nothing_is_known_misses() -> None:
    [found] = requirements(LABELS, ["c-380"], 0.1)
    assert found == Requirement("c-380", 0.1)
    assert not found.met
    assert str(found).endswith("is required, none of its pairs was judged: MISSED")


def test_the_truth_has_no_interval() -> None:
    assert requirements(TRUTH, (), 0.97) == (Requirement("b-2", 0.97, 0.97, 0.97, 0.97),)
    assert not requirements(TRUTH, (), 0.98)[0].met


def test_gold_pairs_tell_no_precision() -> None:
    with pytest.raises(SettingsError, match="gold pairs do not tell how precise"):
        requirements({"recall": pa.table({"rule": ["b"]})}, (), 0.9)
