"""Requests of the study of growth, and `webecho.study_growth`."""

from pathlib import Path

import webecho
from tests.api.refusals import on_command_line
from tests.lettered import sketched
from webecho.api.runs import as_run
from webecho.api.study_growth import StudyGrowthRequest, run_study_growth

NOWHERE = Path("nowhere.echo")
LETTERS = ["abcd", "abcd", "dcba", "efgh", "efgh", "ijkl"]


def test_what_cannot_be_run_is_refused_at_once() -> None:
    assert on_command_line(lambda: StudyGrowthRequest((NOWHERE,), steps=0)) == (
        "0 steps cannot be run; give 1 or more"
    )
    assert on_command_line(lambda: StudyGrowthRequest((NOWHERE,), other_steps=-1)) == (
        "-1 steps cannot be run; give 1 or more"
    )
    assert on_command_line(lambda: StudyGrowthRequest((NOWHERE,), steps_run=1.5)) == (
        "a share of 1.5 of the steps cannot be run; try --steps-run 20%"
    )


def test_what_is_asked_goes_to_the_study() -> None:
    settings = StudyGrowthRequest((NOWHERE,), steps=15, steps_run=0.2, go_on=True, seed=3).settings
    assert (settings.steps, settings.first, settings.go_on, settings.seed) == (15, 3, True, 3)
    assert StudyGrowthRequest((NOWHERE,)).settings.steps == 50


def test_it_is_written_where_that_is_asked_for(tmp_path: Path) -> None:
    crawl = sketched(tmp_path, LETTERS)
    found = run_study_growth(StudyGrowthRequest((crawl,), steps=2), as_run())
    assert (found.folder, found.is_answered) == (None, True)
    assert not (crawl / "studies").exists()
    written = run_study_growth(StudyGrowthRequest((crawl,), steps=2, write=True), as_run())
    assert written.folder == crawl / "studies" / "growth"
    assert (written.folder / "growth.parquet").is_file()


def test_after_all_steps_all_is_found(tmp_path: Path) -> None:
    """Three documents of six repeat another: two of the first cluster, one of the second."""
    found = webecho.study_growth(sketched(tmp_path, LETTERS), steps=3)
    rows = found.tables["growth"].to_pylist()
    assert [row["documents"] for row in rows] == [2, 4, 6]
    assert (rows[-1]["clusters"], rows[-1]["duplicates"]) == (2, 3)


def test_another_workspace_may_tell_of_the_rest(tmp_path: Path) -> None:
    crawl = sketched(tmp_path, LETTERS)
    (tmp_path / "other").mkdir()
    other = sketched(tmp_path / "other", LETTERS[:4])
    found = webecho.study_growth(crawl, steps=2, steps_run=0.5, estimate_from=other)
    # One step of the first, and both of the other.
    assert found.tables["growth"].num_rows == 1 + 2
    assert "estimates" in found.tables


def test_notes_are_for_python(tmp_path: Path) -> None:
    crawl = sketched(tmp_path, LETTERS)
    (note,) = webecho.study_growth(crawl, steps=2, steps_run=0.5, match="paper").notes
    assert note.endswith("is somewhat low; match='multiset' has none of that")
