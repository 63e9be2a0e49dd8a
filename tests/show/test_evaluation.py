"""What people are shown of an evaluation."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from webecho.evaluation.judge.evaluation import Evaluation
from webecho.evaluation.judge.thresholds import CURVE
from webecho.show.evaluation import (
    digits,
    interval,
    readable,
    shortened,
    show_evaluation,
)
from webecho.show.files.evaluation import write_evaluation


def evaluation() -> Evaluation:
    precision = pa.table(
        {
            "rule": ["b-2", "b-2"],
            "kind": ["all", "same site"],
            "pairs": [10.4, 7.0],
            "correct": [0.5, 0.25],
            "correct_low": [0.4, 0.2],
            "correct_high": [0.6, 0.3],
            "forms": [0.0, 0.0],
        }
    )
    training = pa.Table.from_pylist(
        [{"threshold": t, "labelled": 9, "precision": t / 400, "r": 0.9} for t in range(340, 371)],
        CURVE,
    )
    sites = pa.table({"rule": ["b-2"] * 8 + ["c-372"] * 2, "site": [*"abcdefghij"]})
    return Evaluation(
        {"chosen C-similarity": 355, "labelled pairs": 10},
        {
            "precision": precision,
            "training": training,
            "thresholds": training,
            "incorrect_sites": sites,
        },
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
    assert shown.startswith("Shares of pairs, with 95 %\n")
    assert "By C threshold" not in shown
    assert shown.endswith(f"--all, or the tables in {tmp_path}\n")
    show_evaluation(found, "table", True, tmp_path)
    assert "By C threshold, on the half" in capsys.readouterr().out
    show_evaluation(found, "json", False, tmp_path)
    assert json.loads(capsys.readouterr().out)["tables"]["precision"][1]["kind"] == "same site"
    show_evaluation(found, "csv", False, tmp_path)
    assert capsys.readouterr().out.startswith("rule,kind,pairs,correct,")


def test_tables_and_figures_are_written(tmp_path: Path) -> None:
    found = evaluation()
    files = write_evaluation(tmp_path, found)
    assert {file.name for file in files} == {
        *(f"{name}.parquet" for name in found.tables),
        *(f"{name}.{kind}" for name in ("thresholds", "training") for kind in ("svg", "png")),
    }
    assert all(file.is_file() for file in files)
    assert pq.read_table(tmp_path / "precision.parquet").equals(found.tables["precision"])
    assert b"chosen: 355" in (tmp_path / "thresholds.svg").read_bytes()
    del found.tables["training"]
    assert not any(file.suffix == ".svg" for file in write_evaluation(tmp_path / "two", found))
