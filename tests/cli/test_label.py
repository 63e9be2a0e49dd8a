"""`webecho label` as a user sees it."""

from pathlib import Path

import pytest

from tests.command import done, started, webecho
from tests.evaluation.made_pairs import lines
from tests.evaluation.ten_pairs import with_ten_pairs
from webecho.workspace.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return with_ten_pairs(tmp_path)


def test_it_tells_what_became_of_the_rows_of_a_file(workspace: Workspace) -> None:
    source = workspace.path.parent / "given.csv"
    source.write_text("left,right,label\n#0,#1,yes\nx,#1,no\n")
    result = webecho("label", workspace.path, "--import", source, "--labeller", "eve", "--strict")
    assert result.exit_code == 3
    assert result.stdout == (
        "rows                 2\n"
        "imported             1\n"
        "known already        0\n"
        "left out             1\n"
        "pairs no rule found  0\n"
    )
    assert f"{source}, line 3: no page is called x" in result.stderr
    alone = webecho("label", workspace.path, "--agreement")
    assert alone.exit_code == 2
    assert "eve alone has labelled pairs here, and to agree takes two" in alone.stderr
    done("label", workspace.path, "--import", source, "--labeller", "joe")
    both = webecho("label", workspace.path, "--import", source, "--guess")
    assert both.exit_code == 2
    assert "--import and --guess: each is done instead of labelling" in both.stderr
    told = done("label", workspace.path, "--agreement").stdout
    assert "pairs labelled by several  1" in told
    assert "eve  joe        1       1  1.0000" in told


def test_guesses_are_called_guesses(workspace: Workspace) -> None:
    told = done("label", workspace.path, "--rule", "b", "--guess")
    file = workspace.path / "labels" / "guesses-b-2-500-seed-0.jsonl"
    assert told.stdout.startswith("rules   b-2\npairs   7\nlabels  guessed\n")
    assert f"written: {file}\n" in told.stderr
    assert len(lines(file)) == 7


def test_the_page_is_served_until_it_is_stopped(workspace: Workspace) -> None:
    process = started("label", workspace.path, "--rule", "b", "--labeller", "ada")
    assert process.stdout is not None
    address = process.stdout.readline().decode()
    process.terminate()
    _, said = process.communicate(timeout=60)
    assert address.startswith("http://127.0.0.1:")
    assert said.decode().splitlines()[-2:] == [
        f"labels: {workspace.files.labels}",
        "open this address in a browser; end with Ctrl-C",
    ]


WRONG_USE = {
    "no rule": ((), "say whose pairs to label, such as: webecho label "),
    "no pairs": (("--sample", "0"), "0 is not in the range x>=1"),
    "no port": (("--port", "70000"), "70000 is not in the range 0<=x<=65535"),
    "no file": (("--import", "nowhere.csv"), "'nowhere.csv' does not exist"),
}


@pytest.mark.parametrize(("options", "message"), WRONG_USE.values(), ids=WRONG_USE)
def test_wrong_use_is_2_and_names_the_fix(
    workspace: Workspace, options: tuple[str, ...], message: str
) -> None:
    refused = webecho("label", workspace.path, *options)
    assert refused.exit_code == 2
    assert message in " ".join(refused.stderr.split())
