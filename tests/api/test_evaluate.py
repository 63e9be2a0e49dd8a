"""Requests of an evaluation, and `webecho.evaluate`."""

from pathlib import Path
from typing import Any

import pytest

import webecho
from tests.api.refusals import in_python, on_command_line
from tests.evaluation.ten_pairs import label_all, with_ten_pairs
from webecho.api.evaluate import EvaluateRequest, run_evaluate
from webecho.api.runs import as_run
from webecho.evaluation.sample.drawing import SamplePlan, sample_file
from webecho.workspace.workspace import Workspace

NOWHERE = Path("nowhere.echo")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    found = with_ten_pairs(tmp_path)
    label_all(found)
    return found


def test_a_share_is_one() -> None:
    def no_share() -> object:
        return EvaluateRequest(NOWHERE, least_r=2)

    assert on_command_line(no_share) == "--least-r 2 is no share; give 0 to 1"
    assert in_python(no_share) == "least_r=2 is no share; give 0 to 1"


@pytest.mark.parametrize("wrong", ["b", "bc", ("b",), ("b", "c", "combined")])
def test_two_rules_are_compared(wrong: Any) -> None:
    """A text of two letters is not two rules."""
    assert on_command_line(lambda: EvaluateRequest(NOWHERE, compare=wrong)) == (
        f"--compare {wrong!r}: give two rules, such as ('b', 'combined')"
    )
    with pytest.raises(webecho.SettingsError, match=r"give two rules, such as \('b', 'combined'\)"):
        webecho.evaluate(NOWHERE, compare=wrong)


def test_what_is_asked_goes_to_the_evaluation() -> None:
    settings = EvaluateRequest(NOWHERE, rules=("b",), compare=("b", "c"), seed=3).settings
    assert (settings.rules, settings.compare, settings.seed) == (("b",), ("b", "c"), 3)
    assert settings.least_r == 0.8


def test_it_is_written_where_that_is_asked_for(workspace: Workspace) -> None:
    found = run_evaluate(EvaluateRequest(workspace.path, rules=("b",)), as_run())
    assert found.folder is None
    assert not (workspace.path / "studies").exists()
    # All pairs are labelled, three of seven as correct.
    first = found.evaluation.tables["precision"].to_pylist()[0]
    assert (first["labelled"], first["correct"]) == (7, pytest.approx(3 / 7))
    written = run_evaluate(EvaluateRequest(workspace.path, write=True), as_run())
    assert written.folder == workspace.path / "studies" / "evaluation"
    assert (written.folder / "precision.parquet").is_file()


def test_from_python(workspace: Workspace) -> None:
    found = webecho.evaluate(workspace.path, rules=["combined"], compare=("b", "c"))
    assert found.tables["precision"]["correct"][0].as_py() == pytest.approx(3 / 5)
    assert found.tables["side_by_side"].num_rows > 5
    assert not (workspace.path / "studies").exists()
    assert found.notes == [
        "no term difference is known; measure=True reads the labelled pages again"
    ]
    with pytest.raises(webecho.SettingsError, match=r"least_r=2 is no share; give 0 to 1"):
        webecho.evaluate(workspace.path, least_r=2)
    # One rule or sample may be given without a list around it; two rules are two.
    sample = sample_file(workspace, SamplePlan(("b-2", "c-372"), 100))
    found = webecho.evaluate(workspace.path, rules="by-site", samples=sample)
    assert {*found.tables["precision"]["rule"].to_pylist()} == {"by-site"}
    # Commands are for the shell, options around them are called as in Python.
    with pytest.raises(webecho.SettingsError, match=r"webecho label .*crawl.echo --rule similar, "):
        webecho.evaluate(workspace.path, rules=["similar"])
