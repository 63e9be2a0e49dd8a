"""`webecho study growth` as a user sees it."""

import json
from pathlib import Path

import click
import pyarrow.parquet as pq
import pytest

import webecho
from tests.command import done
from tests.command import webecho as run
from tests.study.documents_made import Made, documents_made
from webecho.cli.study_growth import growth, part
from webecho.workspace.layout import Layout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("growth")


@pytest.fixture(scope="module")
def made(folder: Path) -> Made:
    return documents_made(folder, pages=300)


@pytest.fixture(scope="module")
def other(folder: Path) -> Made:
    return documents_made(folder, pages=300, seed=6, name="other")


def test_the_command(made: Made, other: Made, tmp_path: Path) -> None:
    options = ("--steps", 10, "--steps-run", "20%", "--estimate-from", other.workspace)
    told = done("study", "growth", made.workspace, *options, "-o", tmp_path / "out")
    assert told.stdout.startswith("Figure 5. Found after each step\n")
    assert "Estimates after 2 of 10 steps\n" in told.stdout
    assert "made: duplicates by this collection's sample: " in told.stdout
    assert "in truth" not in told.stdout
    assert told.stderr == f"written: {tmp_path / 'out'}\n"
    names = {file.name for file in (tmp_path / "out").iterdir()}
    assert {"growth.parquet", "growth.png", "by_sample.png", "shares.svg"} <= names
    study = webecho.study_growth(
        made.workspace, steps=10, steps_run=0.2, estimate_from=other.workspace
    )
    assert pq.read_table(tmp_path / "out" / "growth.parquet").equals(study.tables["growth"])
    # What concerns two workspaces is written into neither.
    refused = run("study", "growth", made.workspace, *options)
    assert (refused.exit_code, "give a folder for it: -o FOLDER" in refused.stderr) == (2, True)
    out = ("-o", tmp_path / "out", "--format", "json")
    as_json = json.loads(done("study", "growth", made.workspace, *options, "--go-on", *out).stdout)
    assert len(as_json["tables"]["growth"]) == 20
    assert all(row["true share"] > 0 for row in as_json["tables"]["estimates"])
    assert not Layout(made.workspace).study("growth").exists()
    done("study", "growth", made.workspace, "--steps", 10)
    assert (Layout(made.workspace).study("growth") / "growth.png").is_file()


def test_people_are_shown_tenths_of_many_steps(made: Made) -> None:
    told = done("study", "growth", made.workspace, "--steps", 25, "-q").stdout
    title, _, *rows = told.split("\n\n")[0].splitlines()
    assert title == "Figure 5. Found after each step, the first and the end of each tenth"
    # 2.5 steps are a tenth, so three complete it.
    assert [int(row.split()[1]) for row in rows] == [1, 3, 5, 8, 10, 13, 15, 18, 20, 23, 25]
    told = done("study", "growth", made.workspace, "--steps", 25, "-q", "--format", "csv").stdout
    assert len(told.splitlines()) == 1 + 25


def test_the_papers_match_warns_that_the_sample_tells_too_little(made: Made) -> None:
    command = ("study", "growth", made.workspace, "--match", "paper", "--steps", 4)
    assert "piece by piece" in done(*command, "--steps-run", 0.5).stderr
    assert "piece by piece" not in done(*command).stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--steps", "0"), "0 steps cannot be run; give 1 or more"),
        (("--steps-run", "some"), "some is no share; give one such as 20% or 0.2"),
        (("--steps-run", "150%"), "a share of 1.5 of the steps cannot be run; try --steps-run 20%"),
    ],
)
def test_wrong_use(made: Made, options: tuple[str, str], message: str) -> None:
    failed = run("study", "growth", made.workspace, *options)
    assert failed.exit_code == 2 and message in failed.stderr


def test_a_share_may_be_a_percentage() -> None:
    context, option = click.Context(growth), click.Option(["--steps-run"])
    for text in ("20%", " 20% ", "0.2"):
        assert part(context, option, text) == 0.2
    with pytest.raises(click.BadParameter, match="some% is no share; give one such as 20% or"):
        part(context, option, "some%")
