"""What people are shown of an evaluation."""

import json
from pathlib import Path

import pytest

from tests.show.evaluated import evaluation
from webecho.show.evaluation import (
    digits,
    interval,
    readable,
    shortened,
    show_evaluation,
)


def test_each_interval_stands_beside_its_share() -> None:
    assert readable(evaluation().tables["precision"]).to_pylist()[0] == {
        "rule": "b-2",
        "kind": "all",
        "pairs": 10,
        "correct": "0.50 (0.40–0.60)",
        "forms": "0.00",
    }
    assert interval(None, None, None) == ""
    assert interval(0.5, None, None) == "0.50"
    assert digits(-0.001) == "0.00"


def test_people_see_a_part_of_long_tables() -> None:
    found = evaluation()
    answer = shortened(found, "precision", every=False)
    assert answer is not None
    assert answer.column_names == ["rule", "pairs", "correct", "correct_low", "correct_high"]
    assert answer["pairs"].to_pylist() == [10.4]
    assert shortened(found, "precision", every=True) is found.tables["precision"]
    near = shortened(found, "training", every=True)
    assert near is not None and near["threshold"].to_pylist() == list(range(349, 362))
    sites = shortened(found, "incorrect_sites", every=True)
    # Five of each rule.
    assert sites is not None and "".join(sites["site"].to_pylist()) == "abcdeij"
    assert shortened(found, "recall", every=True) is None


def test_it_is_printed_for_people_and_for_programs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    found = evaluation()
    show_evaluation(found, "table", False, tmp_path)
    shown = capsys.readouterr().out
    assert shown.startswith("Shares of pairs, with 95 % intervals\n")
    assert "By C threshold" not in shown
    assert shown.endswith(f"--all, or the tables in {tmp_path}\n")
    show_evaluation(found, "table", True, tmp_path)
    assert "By C threshold, on the half" in capsys.readouterr().out
    show_evaluation(found, "json", False, tmp_path)
    assert json.loads(capsys.readouterr().out)["tables"]["precision"][1]["kind"] == "same site"
    show_evaluation(found, "csv", False, tmp_path)
    assert capsys.readouterr().out.startswith("rule,kind,pairs,correct,")
