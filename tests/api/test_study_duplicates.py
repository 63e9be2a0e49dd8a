"""Requests of the study of duplicates, and `webecho.study_duplicates`."""

from pathlib import Path

import webecho
from tests.api.refusals import on_command_line
from tests.lettered import sketched
from webecho.api.runs import as_run
from webecho.api.study_duplicates import StudyDuplicatesRequest, run_study_duplicates

NOWHERE = Path("nowhere.echo")
# Three that are the same, one that has three of their four paragraphs, and one of its own.
LETTERS = ["abcd", "abcd", "dcba", "abcx", "efgh"]


def test_how_near_is_a_share() -> None:
    assert on_command_line(lambda: StudyDuplicatesRequest((NOWHERE,), near=(2.0,))) == (
        "--near 2.0 is not above 0 and at most 1; try 0.9"
    )


def test_what_is_asked_goes_to_the_study() -> None:
    settings = StudyDuplicatesRequest((NOWHERE,), match="paper", compare="text", near=()).settings
    assert (settings.match, settings.compare, settings.near) == ("paper", "text", ())
    assert StudyDuplicatesRequest((NOWHERE,)).settings.near == (0.9, 0.7, 0.5)


def test_it_is_written_where_that_is_asked_for(tmp_path: Path) -> None:
    crawl = sketched(tmp_path, LETTERS)
    found = run_study_duplicates(StudyDuplicatesRequest((crawl,)), as_run())
    assert (found.folder, found.is_answered) == (None, True)
    assert not (crawl / "studies").exists()
    written = run_study_duplicates(StudyDuplicatesRequest((crawl,), write=True), as_run())
    assert written.folder == crawl / "studies" / "duplicates"
    assert (written.folder / "duplicates.parquet").is_file()
    elsewhere = StudyDuplicatesRequest((crawl,), write=True, out=tmp_path / "out")
    assert run_study_duplicates(elsewhere, as_run()).folder == tmp_path / "out"


def test_one_workspace_and_one_share_need_no_list(tmp_path: Path) -> None:
    crawl = sketched(tmp_path, LETTERS)
    found = webecho.study_duplicates(crawl, near=0.7)
    assert found.tables == webecho.study_duplicates([crawl], near=[0.7]).tables
    # Of five documents two repeat another, and one more has three of four paragraphs in common.
    [row] = found.tables["near_duplicates"].to_pylist()
    assert row == {
        "collection": "letters",
        "share of duplicates": 2 / 5,
        "share near at 70%": 3 / 5,
    }
