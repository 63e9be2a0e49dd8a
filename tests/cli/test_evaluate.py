"""`webecho evaluate` as a user sees it."""

import re
from pathlib import Path

import pytest

from tests.command import contents, done, webecho
from tests.evaluation.ten_pairs import label_all, with_ten_pairs
from webecho.workspace.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    found = with_ten_pairs(tmp_path)
    label_all(found)
    return found


def test_it_prints_and_writes_and_writes_the_same_again(workspace: Workspace) -> None:
    told = done("evaluate", workspace.path)
    # The answer is short and comes first: each rule in a line.
    lines = told.stdout.splitlines()
    assert lines[2].split()[:5] == ["b-2", "7", "7", "0.43", "(0.43–0.43)"]
    assert len(lines) < 25 and lines[-1].endswith("studies/evaluation")
    told = done("evaluate", workspace.path, "--all")
    assert re.search(r"^labelled pairs +10$", told.stdout, re.MULTILINE)
    assert re.search(
        r"^b-2 +all +7 +7 +0\.43 \(0\.43–0\.43\) +0\.38 +0\.29 ", told.stdout, re.MULTILINE
    )
    assert "studies/evaluation" in told.stderr
    before = contents(workspace.path)
    assert "studies/evaluation/precision.parquet" in before
    done("evaluate", workspace.path)
    assert contents(workspace.path) == before
    csv = done("evaluate", workspace.path, "--format", "csv").stdout
    # The paper's numbers stand behind ours.
    head = "rule,kind,labelled,pairs,estimated,correct,correct_low,correct_high"
    assert csv.startswith(f'{head},"correct, paper",incorrect,')


def test_two_rules_side_by_side(workspace: Workspace) -> None:
    shown = done("evaluate", workspace.path, "--compare", "b", "c", "--rule", "b", "-q")
    assert (workspace.files.study("evaluation") / "side_by_side.parquet").is_file()
    # Whoever asks for quiet is given no hint; others are.
    assert shown.stderr == ""
    shown = done("evaluate", workspace.path, "--compare", "b", "c", "--rule", "b")
    assert "no term difference is known; --measure reads the labelled pages" in shown.stderr


WRONG_USE = {
    "no share": (("--least-r", "2"), "2.0 is not in the range 0<=x<=1"),
    "one rule": (("--compare", "b"), "'--compare' requires 2 arguments"),
    "no labels": (("--labels", "nowhere.jsonl"), "'nowhere.jsonl' does not exist"),
    "no sample": (("--sample", "nowhere.parquet"), "'nowhere.parquet' does not exist"),
}


@pytest.mark.parametrize(("options", "message"), WRONG_USE.values(), ids=WRONG_USE)
def test_wrong_use_is_2_and_names_the_option(options: tuple[str, ...], message: str) -> None:
    refused = webecho("evaluate", "nowhere.echo", *options)
    assert refused.exit_code == 2
    assert message in " ".join(refused.stderr.split())
