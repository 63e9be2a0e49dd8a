"""Requests of the study of clusters, and `webecho.study_clusters`."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.api.refusals import on_command_line
from webecho.api.runs import as_run
from webecho.api.study_clusters import StudyClustersRequest, run_study_clusters
from webecho.errors import SettingsError

NOWHERE = Path("nowhere.echo")


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    texts = ["the same page", "the same page", "another one"]
    urls = [f"http://{host}.example/" for host in "abc"]
    pq.write_table(pa.table({"url": urls, "text": texts}), tmp_path / "crawl.parquet")
    webecho.sketch(tmp_path / "crawl.parquet", tmp_path / "crawl.echo")
    return tmp_path / "crawl.echo"


def test_what_is_asked_goes_to_the_study() -> None:
    settings = StudyClustersRequest(
        *((NOWHERE,), ("tokens",), 7, 6.0, 0.5),
        **{"members": 8, "sample": 9, "repetitions": 10, "seed": 11},
    ).settings
    assert (settings.rows, settings.times, settings.agree) == (7, 6.0, 0.5)
    sampling, fits = settings.sampling, settings.fits
    assert (sampling.members, sampling.sample, sampling.seed) == (8, 9, 11)
    assert (fits.repetitions, fits.seed) == (10, 11)
    usual = StudyClustersRequest((NOWHERE,))
    assert usual.rules == ("very-similar", "virtually-identical")
    assert (usual.settings.rows, usual.settings.times, usual.settings.agree) == (20, 5.0, 0.8)


def test_settings_are_checked_when_they_are_made() -> None:
    assert on_command_line(lambda: StudyClustersRequest((NOWHERE,), times=1.0)) == (
        "--times 1.0 is not above 1; try 5"
    )
    assert "no rule is called 'nearly'" in on_command_line(
        lambda: StudyClustersRequest((NOWHERE,), rules=("nearly",))
    )
    with pytest.raises(SettingsError, match="members=0: give 1 or more"):
        webecho.study_clusters(NOWHERE, members=0)


def test_several_workspaces_need_a_folder() -> None:
    assert "give a folder for it: -o FOLDER" in on_command_line(
        lambda: StudyClustersRequest((NOWHERE, NOWHERE), write=True)
    )
    StudyClustersRequest((NOWHERE, NOWHERE), write=True, out=Path("out"))


def test_it_is_written_if_asked_for(crawl: Path) -> None:
    found = run_study_clusters(StudyClustersRequest((crawl,)), as_run())
    assert found.folder is None and not (crawl / "studies").exists()
    written = run_study_clusters(StudyClustersRequest((crawl,), write=True), as_run())
    assert written.folder == crawl / "studies" / "clusters"
    assert (written.folder / "largest.parquet").is_file()


def test_python_has_the_tables_and_writes_them_all(crawl: Path, tmp_path: Path) -> None:
    found = webecho.study_clusters([crawl], rules="tokens", rows=3)
    [row] = found.tables["largest"].to_pylist()
    assert (row["rule"], row["urls"], row["description"]) == (
        *("tokens", 2),
        "nothing but the same page",
    )
    found.write(tmp_path / "out")
    noted = json.loads((tmp_path / "out" / "study.json").read_bytes())
    assert noted["settings"] == {
        **{"rows": 3, "times": 5.0, "agree": 0.8},
        "sampling": {"members": 50, "sample": 1000, "seed": 0},
        "fits": {"repetitions": 500, "seed": 0},
        "rules": ["tokens"],
        "workspaces": [str(crawl)],
    }
