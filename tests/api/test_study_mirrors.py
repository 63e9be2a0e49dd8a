"""Requests of the study of mirrors, and `webecho.study_mirrors`."""

import json
from pathlib import Path

import pytest

import webecho
from tests.api.refusals import on_command_line
from tests.study.mirrors_made import crawl, site
from webecho.api.rules import RuleChoice
from webecho.api.runs import as_run
from webecho.api.study_mirrors import StudyMirrorsRequest, run_study_mirrors
from webecho.errors import SettingsError

NOWHERE, ELSEWHERE = Path("nowhere.echo"), Path("elsewhere.echo")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    pages = site("a.example", None, range(10)) + site("b.example", None, range(10))
    return crawl(tmp_path, pages)


def test_what_is_asked_goes_to_the_study() -> None:
    request = StudyMirrorsRequest(
        (NOWHERE,),
        pages=3,
        count="roots",
        most_hosts=7,
        most_suffixes=8,
        sample=9,
        repetitions=5,
        seed=4,
    )
    settings = request.settings
    assert (settings.pages, settings.count, settings.most_hosts) == (3, "roots", 7)
    assert (settings.most_suffixes, settings.sample, settings.seed) == (8, 9, 4)
    assert (settings.fits.repetitions, settings.fits.seed) == (5, 4)
    usual = StudyMirrorsRequest((NOWHERE,))
    assert (usual.rule, usual.settings.pages) == (RuleChoice("very-similar"), 10)


def test_settings_are_checked_when_they_are_made() -> None:
    assert on_command_line(lambda: StudyMirrorsRequest((NOWHERE,), most_hosts=1)) == (
        "--most-hosts 1: give 2 or more"
    )
    with pytest.raises(SettingsError, match="pages=0: give 1 or more"):
        webecho.study_mirrors(NOWHERE, pages=0)
    assert "give a folder for it: -o FOLDER" in on_command_line(
        lambda: StudyMirrorsRequest((NOWHERE, ELSEWHERE), write=True)
    )


def test_it_is_written_only_if_it_is_asked_for(path: Path) -> None:
    found = run_study_mirrors(StudyMirrorsRequest((path,)), as_run())
    assert found.folder is None and not (path / "studies").exists()
    written = run_study_mirrors(StudyMirrorsRequest((path,), write=True), as_run())
    assert written.folder == path / "studies" / "mirrors"
    before = {file.name: file.read_bytes() for file in written.folder.iterdir()}
    run_study_mirrors(StudyMirrorsRequest((path,), write=True), as_run(threads=1))
    assert {file.name: file.read_bytes() for file in written.folder.iterdir()} == before


def test_python_has_the_tables_and_writes_them_all(path: Path, tmp_path: Path) -> None:
    found = webecho.study_mirrors([path], "similar", 0.7)
    same = webecho.study_mirrors(str(path), "similar", 0.7, threads=1)
    assert found.tables == same.tables
    [row] = found.tables["mirrors"].to_pylist()
    assert (row["host"], row["other host"], row["size"]) == ("a.example", "b.example", 10)
    found.write(tmp_path / "out")
    noted = json.loads((tmp_path / "out" / "study.json").read_bytes())
    assert noted["settings"]["rule"] == "similar-0.7"
    assert noted["settings"]["workspaces"] == [str(path)]
    assert noted["settings"]["pages"] == 10
