"""Requests of the study of replication, and `webecho.study_replication`."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.api.refusals import on_command_line
from webecho.api.runs import as_run
from webecho.api.study_replication import (
    StudyReplicationRequest,
    reading_seconds,
    run_study_replication,
    times,
    without_times,
)
from webecho.errors import SettingsError
from webecho.study.result import Study
from webecho.workspace.run_file import read_run

NOWHERE = Path("nowhere.echo")


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    texts = ["a page", "A page.", "another"]
    urls = [f"http://{host}.example/" for host in "abc"]
    pq.write_table(pa.table({"url": urls, "text": texts}), tmp_path / "crawl.parquet")
    webecho.sketch(tmp_path / "crawl.parquet", tmp_path / "crawl.echo")
    return tmp_path / "crawl.echo"


def test_what_is_asked_goes_to_the_study() -> None:
    settings = StudyReplicationRequest((NOWHERE,), agree=0.5, pages=3, rows=7).settings
    assert (settings.agree, settings.pages, settings.rows) == (0.5, 3, 7)
    usual = StudyReplicationRequest((NOWHERE,)).settings
    assert (usual.agree, usual.pages, usual.rows) == (0.8, 10, 5)


def test_settings_are_checked_when_they_are_made() -> None:
    assert on_command_line(lambda: StudyReplicationRequest((NOWHERE,), agree=2.0)) == (
        "--agree 2.0 is not above 0 and at most 1"
    )
    with pytest.raises(SettingsError, match="rows=0: give 1 or more"):
        webecho.study_replication(NOWHERE, rows=0)


def test_several_workspaces_need_a_folder() -> None:
    assert "give a folder for it: -o FOLDER" in on_command_line(
        lambda: StudyReplicationRequest((NOWHERE, NOWHERE), write=True)
    )
    StudyReplicationRequest((NOWHERE, NOWHERE), write=True, out=Path("out"))


def test_times_are_written_elsewhere_but_not_into_a_workspace(crawl: Path, tmp_path: Path) -> None:
    """In which run.json alone differs from run to run."""
    found = run_study_replication(StudyReplicationRequest((crawl,)), as_run())
    assert (found.folder, found.is_answered) == (None, True)
    assert not (crawl / "studies").exists()
    written = run_study_replication(StudyReplicationRequest((crawl,), write=True), as_run())
    assert written.folder == crawl / "studies" / "replication"
    assert (written.folder / "space.parquet").is_file()
    assert not (written.folder / "time.parquet").exists()
    assert "time" in written.study.tables
    before = {file.name: file.read_bytes() for file in written.folder.iterdir()}
    run_study_replication(StudyReplicationRequest((crawl,), write=True), as_run(threads=1))
    assert {file.name: file.read_bytes() for file in written.folder.iterdir()} == before
    out = tmp_path / "out"
    run_study_replication(StudyReplicationRequest((crawl,), write=True, out=out), as_run())
    assert {f"time.{kind}" for kind in ("parquet", "csv", "tex")} <= {
        file.name for file in out.iterdir()
    }


def test_times_of_several_collections_are_added_up() -> None:
    rows = [
        {"collection": name, "step": "sort", "page": 1.5, "lines:4": seconds, "lines:2": 0.25}
        for name, seconds in (("one", 2.0), ("two", None))
    ]
    tables = {"space": pa.table({"step": ["x"]}), "time": pa.Table.from_pylist(rows)}
    study = Study("replication", tables, {"space": "Space", "time": "Time"})
    assert times(study) == {"sort, page": 3.0, "sort, lines:4": 2.0, "sort, lines:2": 0.5}
    kept = without_times(study)
    assert [*kept.tables] == [*kept.titles] == ["space"]


def test_what_reading_took_is_counted_where_it_is_read(crawl: Path) -> None:
    sketched = read_run(crawl).get("sketch", {}).get("seconds")
    first = reading_seconds(crawl, as_run())
    assert [*first] == ["page", "lines:4", "lines:2"]
    assert all(seconds is not None for seconds in first.values())
    # Now that the chunks are there, what sketching took is what is known.
    assert {*reading_seconds(crawl, as_run()).values()} == {sketched}


def test_python_has_the_tables_and_writes_them_all(crawl: Path, tmp_path: Path) -> None:
    found = webecho.study_replication([crawl])
    same = webecho.study_replication(str(crawl), threads=1)
    for name in {*found.tables} - {"time"}:
        assert found.tables[name] == same.tables[name]
    [row, *_] = found.tables["savings"].to_pylist()
    assert (row["collection"], row["pages"], row["pages saved"]) == ("crawl", 3, 1)
    found.write(tmp_path / "out")
    assert (tmp_path / "out" / "time.csv").is_file()
    noted = json.loads((tmp_path / "out" / "study.json").read_bytes())
    assert noted["settings"] == {
        "agree": 0.8,
        "pages": 10,
        "rows": 5,
        "workspaces": [str(crawl)],
    }
