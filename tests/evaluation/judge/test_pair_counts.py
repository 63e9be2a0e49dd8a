"""How many pairs a rule has, counted in the ten pairs by hand."""

from pathlib import Path

import pytest

from tests.command import done
from tests.evaluation.made_pairs import with_pairs
from tests.evaluation.ten_pairs import PAIRS, label_all, with_ten_pairs
from webecho.engine.local.engine import local_run
from webecho.evaluation.judge.evaluation import EvaluationSettings, evaluate
from webecho.evaluation.judge.pair_counts import pair_counts
from webecho.workspace.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return with_ten_pairs(tmp_path)


def test_a_rule_is_counted_in_its_own_table_or_in_those_that_hold_it(workspace: Workspace) -> None:
    def told(name: str) -> dict[str, int]:
        return pair_counts(workspace, name, local_run())

    assert told("b") == told("b-2") == {
        "all": 7, "same site": 5, "different sites": 2,
        "B-similarity 2": 3, "B-similarity 3": 1, "B-similarity 5": 1, "B-similarity 6": 2,
        "C-similarity below 372": 4, "C-similarity 372-375": 1, "C-similarity 379-381": 1,
        "C-similarity 382-384": 1,
    }  # fmt: skip
    assert told("combined-2-360")["all"] == 4
    # Of `b` those from 355 on that are on the same site, of `c` those on different ones.
    by_site = told("by-site")
    assert [by_site[kind] for kind in ("all", "same site", "different sites")] == [7, 4, 3]
    # A table of its own comes first.
    with_pairs(workspace, "combined-2-355", [PAIRS[0][0]])
    assert told("combined")["all"] == 1
    assert told("c-360") == told("similar") == {}


def test_what_was_sampled_is_not_counted(workspace: Workspace) -> None:
    rows = [(*pair, 3.0 if pair[2] == 6 else 1.0) for pair, _, _ in PAIRS if pair[2] >= 2]
    with_pairs(workspace, "b-2", rows)
    assert pair_counts(workspace, "b", local_run()) == {}


def test_a_number_that_is_an_estimate_is_marked(workspace: Workspace) -> None:
    label_all(workspace)

    def told(rule: str) -> tuple[float, bool]:
        settings = EvaluationSettings(rules=(rule,))
        [row, *_] = evaluate(workspace, settings, local_run()).tables["precision"].to_pylist()
        return row["pairs"], row["estimated"]

    assert told("combined-2-360") == (4, False)
    settings = EvaluationSettings(compare=("b", "combined-2-360"))
    two = evaluate(workspace, settings, local_run()).tables["side_by_side"].to_pylist()
    assert [(row["rule"], row["pairs"], row["estimated"]) for row in two[:4]] == [
        ("b", 7, False), ("combined-2-360", 4, False), ("difference", 3, False), ("both", 4, True)
    ]  # fmt: skip
    assert [row["correct_pairs"] for row in two[:3]] == pytest.approx([3, 3, 0])
    assert " about 4" in done("evaluate", workspace.path, "--compare", "b", "combined").stdout
    workspace.files.pairs("b-2").unlink()
    assert told("combined-2-360") == (pytest.approx(4), True)
