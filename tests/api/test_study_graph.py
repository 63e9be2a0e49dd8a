"""Requests of the study of the graph, and `webecho.study_graph`."""

from pathlib import Path

import pytest

import webecho
from tests.api.refusals import in_python, on_command_line
from tests.study.drawn_web import drawn_web, url
from webecho.api.runs import as_run
from webecho.api.study_graph import StudyGraphRequest, run_study_graph

NOWHERE = Path("nowhere.echo")


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return drawn_web(tmp_path_factory.mktemp("crawl"))


def test_a_level_is_for_edges() -> None:
    def no_edges() -> object:
        return StudyGraphRequest((NOWHERE,), level="host")

    assert on_command_line(no_edges) == "--level host is for --edges, which is not given"
    assert in_python(no_edges) == "level=host is for edges=, which is not given"
    assert StudyGraphRequest((NOWHERE,), level="host", edges=Path("edges.csv")).level == "host"


def test_edges_have_no_kinds() -> None:
    def kinds_of_edges() -> object:
        return StudyGraphRequest((NOWHERE,), edges=Path("edges.csv"), kinds=("a",))

    told = "edges.csv does not tell of which kind links are; leave out "
    assert on_command_line(kinds_of_edges) == f"{told}--kind and --obey-nofollow"
    assert in_python(kinds_of_edges) == f"{told}kinds= and obey_nofollow=True"


def test_other_wrong_values_are_refused_at_once() -> None:
    assert on_command_line(lambda: StudyGraphRequest((NOWHERE,), tries=0)) == (
        "with 0 starts nothing is reached; try at least one"
    )
    assert on_command_line(lambda: StudyGraphRequest((NOWHERE,), least=1.5)) == (
        "--least 1.5 is no share of the documents; try 0.5"
    )
    assert on_command_line(lambda: StudyGraphRequest((NOWHERE,), kinds=("b",))).startswith(
        "no links are of the kind 'b'; there are a, "
    )


def test_without_a_reachable_part_there_is_no_answer(crawl: Path) -> None:
    found = run_study_graph(StudyGraphRequest((crawl,), start=url(0)), as_run())
    assert (found.is_answered, found.folder) == (True, None)
    # From no document more than six of ten are reached.
    stopped = run_study_graph(StudyGraphRequest((crawl,), least=0.7), as_run())
    assert not stopped.is_answered
    assert "table_4" not in stopped.study.tables
    assert not (crawl / "studies").exists()
    # What to do about it is said in the words of whoever asked.
    assert "with --start core, from a page with --start URL, or " in stopped.study.notes[0]
    (note,) = webecho.study_graph(crawl, least=0.7).notes
    told = "start from the core with start='core', from a page with start=URL, or be content with "
    assert f"{told}less: least=0." in note


def test_it_is_written_where_that_is_asked_for(crawl: Path, tmp_path: Path) -> None:
    asked = StudyGraphRequest((crawl,), start="core", write=True, out=tmp_path / "out")
    assert run_study_graph(asked, as_run()).folder == tmp_path / "out"
    assert (tmp_path / "out" / "table_4.parquet").is_file()


def test_one_kind_needs_no_list(crawl: Path) -> None:
    found = webecho.study_graph(crawl, start="core", kinds="a")
    assert found.tables == webecho.study_graph(crawl, start="core", kinds=["a"]).tables
    assert found.facts["useful documents reached"] == 3
    # No page links by a frame, and so a page reaches itself alone.
    alone = webecho.study_graph(crawl, start=url(0), kinds="frame")
    assert alone.tables["starts"]["pages reached"].to_pylist() == [1]


def test_what_several_tell_together_is_written_into_none_of_them(
    crawl: Path, tmp_path: Path
) -> None:
    other = drawn_web(tmp_path)

    def without_out() -> object:
        return StudyGraphRequest((crawl, other), start="core", write=True)

    told = "what 2 workspaces tell together is written into none of them; give a folder for it: "
    assert on_command_line(without_out) == f"{told}-o FOLDER"
    # Python writes only what it is asked to.
    assert StudyGraphRequest((crawl, other), start="core").workspaces == (crawl, other)
    asked = StudyGraphRequest((crawl, other), start="core", write=True, out=tmp_path / "out")
    run_study_graph(asked, as_run())
    assert (tmp_path / "out" / "higher.parquet").is_file()
    assert not (crawl / "studies").exists() and not (other / "studies").exists()
