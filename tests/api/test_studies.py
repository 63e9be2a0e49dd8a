"""What all studies have in common."""

import json
from pathlib import Path

import pyarrow as pa
import pytest

import webecho
from tests.collections_made import as_jsonl, small_web
from webecho.api.runs import as_run
from webecho.api.studies import Studied, check_snapshots, workspaces_with, write_into
from webecho.errors import SettingsError, WorkspaceError
from webecho.show.files.drawing import Drawing
from webecho.study.result import Study

STUDY = Study("duplicates", {"sizes": pa.table({"size": [2]})}, {"sizes": "Sizes"})


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    webecho.sketch(as_jsonl(tmp_path / "web.jsonl", small_web()), tmp_path / "crawl.echo")
    return tmp_path / "crawl.echo"


def test_an_answer_is_usual_and_a_folder_is_not() -> None:
    assert Studied(STUDY) == Studied(STUDY, folder=None, is_answered=True)


def test_workspaces_have_what_a_study_needs(crawl: Path) -> None:
    """Which is made, once, from the sources of one that has it not."""
    with workspaces_with([crawl], [], as_run()) as [workspace]:
        assert not workspace.stored("paragraphs").files
    with workspaces_with([crawl], ["paragraphs"], as_run()) as [workspace]:
        assert workspace.table("paragraphs").num_rows == 16


def test_nothing_is_added_to_workspaces_meanwhile(crawl: Path, tmp_path: Path) -> None:
    more = as_jsonl(tmp_path / "more.jsonl", small_web()[:1])
    with workspaces_with([crawl], [], as_run()), pytest.raises(WorkspaceError):
        webecho.sketch(more, crawl, append=True)
    webecho.sketch(more, crawl, append=True)


def test_a_study_is_written_into_its_workspace_or_elsewhere(tmp_path: Path) -> None:
    crawl, out = tmp_path / "crawl.echo", tmp_path / "out"
    own = crawl / "studies" / "duplicates"
    assert write_into(STUDY, crawl, None, Drawing(), as_run()) == own
    assert write_into(STUDY, crawl, out, Drawing(), as_run()) == out
    for folder in (crawl / "studies" / "duplicates", out):
        assert sorted(file.name for file in folder.iterdir()) == [
            *("checksums.json", "sizes.csv", "sizes.parquet", "sizes.tex", "study.json")
        ]


def test_a_snapshot_is_given_once(tmp_path: Path) -> None:
    one, other = tmp_path / "1.echo", tmp_path / "2.echo"
    check_snapshots([other, one], 2)
    with pytest.raises(SettingsError, match=r"1\.echo is given twice"):
        check_snapshots([one, other, tmp_path / "x" / ".." / "1.echo"], 2)


def test_a_study_tells_by_which_recipes_its_collections_were_sketched(
    crawl: Path, tmp_path: Path
) -> None:
    found = webecho.study_growth(crawl, steps=2)
    assert found.recipes == {"crawl": "webecho (version 2)"}
    found.write(tmp_path / "out")
    told = json.loads((tmp_path / "out" / "study.json").read_text())
    assert told["recipes"] == {"crawl": "webecho (version 2)"}
