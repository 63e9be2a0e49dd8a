"""Requests of the study of evolution, and `webecho.study_evolution`."""

from pathlib import Path

import pyarrow as pa
import pytest

import webecho
from tests.api.refusals import on_command_line
from tests.study.snapshots_made import snapshots, words
from webecho.api.rules import RuleChoice
from webecho.api.runs import as_run
from webecho.api.study_evolution import StudyEvolutionRequest, run_study_evolution
from webecho.errors import SettingsError, WorkspaceError

NOWHERE, ELSEWHERE = Path("nowhere.echo"), Path("elsewhere.echo")
A, B = "http://a.example/", "http://b.example/"


def test_what_is_asked_goes_to_the_study() -> None:
    request = StudyEvolutionRequest(
        (NOWHERE, ELSEWHERE), missing="drop", rows=3, addresses=7, repetitions=9, seed=4
    )
    settings = request.settings
    assert (settings.missing, settings.rows, settings.addresses) == ("drop", 3, 7)
    assert (settings.fits.repetitions, settings.fits.seed) == (9, 4)
    usual = StudyEvolutionRequest((NOWHERE, ELSEWHERE))
    assert usual.rule.name == "very-similar" and usual.settings.missing == "cluster"


def test_settings_are_checked_when_they_are_made() -> None:
    assert "--missing gone: give cluster" in on_command_line(
        lambda: StudyEvolutionRequest((NOWHERE,), missing="gone")  # type: ignore[arg-type]
    )
    with pytest.raises(SettingsError, match="addresses=0: give 1 or more"):
        webecho.study_evolution([NOWHERE, ELSEWHERE], addresses=0)


def test_several_workspaces_need_a_folder() -> None:
    assert "give a folder for it: -o FOLDER" in on_command_line(
        lambda: StudyEvolutionRequest((NOWHERE, ELSEWHERE), write=True)
    )


def test_the_rule_and_what_is_written(tmp_path: Path) -> None:
    made = snapshots(tmp_path, [(A, words("a")), (B, words("a"))], [(A, words("a")), (B, "other")])
    request = StudyEvolutionRequest(
        tuple(each.path for each in made), rule=RuleChoice("tokens"), write=True, out=tmp_path / "o"
    )
    found = run_study_evolution(request, as_run())
    assert found.folder == tmp_path / "o" and (tmp_path / "o" / "containment.pdf").is_file()
    assert found.study.settings["rule"] == "tokens"
    # What the paper has of its rule is not that of another.
    assert found.study.tables["beside_paper"].num_rows == 0


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="is no workspace"):
        webecho.study_evolution([tmp_path / "1.echo", tmp_path / "2.echo"])
    table = {"url": [A], "text": [words("a")]}
    for number in (1, 2):
        webecho.sketch(pa.table(table), tmp_path / f"{number}.echo", columns=["supershingles"])
    with pytest.raises(WorkspaceError, match="has no column features; sketch again with"):
        webecho.study_evolution([tmp_path / "1.echo", tmp_path / "2.echo"])
