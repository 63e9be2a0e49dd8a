"""`webecho study evolution` as a user sees it."""

import json
from pathlib import Path

import pytest

from tests.command import contents, done
from tests.command import webecho as run
from tests.study.snapshots_made import snapshots, words
from webecho.workspace.run_file import read_run

A, B, C = "http://a.example/", "http://b.example/", "http://c.example/"
PRINTED = (
    *("snapshots", "persistence", "absent_hosts", "coefficients", "power_laws", "change_classes"),
    *("unchanged_hosts", "events", "arrivals", "calibration", "skipping", "beside_paper"),
)
LISTS = ("changes", "host_changes", "each_address", "event_list", "event_pages", "revisits")
FIGURES = (
    *("containment", "similarity", "containment_reverse", "sizes", "sizes-at_least"),
    *("host_changes", "change_buckets", "change_relative", "change_classes", "calibration"),
)


@pytest.fixture
def crawls(tmp_path: Path) -> list[Path]:
    same = words("same")
    made = snapshots(
        tmp_path,
        [(A, same), (B, same), (C, words("own"))],
        [(A, same), (B, f"<b>{same}</b>"), (C, words("other"))],
        [(A, same), (B, same)],
    )
    return [each.path for each in made]


def test_what_is_written_and_printed(crawls: list[Path], tmp_path: Path) -> None:
    result = done("study", "evolution", *crawls, "-o", tmp_path / "out")
    written = {file.name for file in (tmp_path / "out").iterdir()}
    assert written == {
        *(f"{name}.{kind}" for name in (*PRINTED, *LISTS) for kind in ("parquet", "csv", "tex")),
        *(f"{name}.{kind}" for name in FIGURES for kind in ("pdf", "svg", "png", "caption.txt")),
        *("checksums.json", "study.json", "run.json"),
    }
    assert "   1   2          3           3               1" in result.stdout, result.stdout
    assert "       3  2–10 pages                 2           1.0000" in result.stdout
    assert "Of the 3 addresses of 1, 2 are similar to some other, while 1 are not" in result.stdout
    # One of three hosts is absent in the last.
    assert "webecho: 3: 1 of the 3 hosts of the snapshot before (33.3%)" in result.stderr
    assert read_run(tmp_path / "out")["study evolution"]["seconds"] > 0
    settings = json.loads((tmp_path / "out" / "study.json").read_text())["settings"]
    assert (settings["rule"], settings["missing"]) == ("very-similar", "cluster")


def test_the_same_bytes_whatever_threads(crawls: list[Path], tmp_path: Path) -> None:
    for threads in (1, 2):
        out = tmp_path / f"out-{threads}"
        done("study", "evolution", *crawls, "-q", "-o", out, "--threads", threads)
        (out / "run.json").unlink()
    assert contents(tmp_path / "out-1") == contents(tmp_path / "out-2")


def test_json_has_all_that_is_printed(crawls: list[Path], tmp_path: Path) -> None:
    out = ("-o", tmp_path / "out", "--missing", "drop", "--rule", "tokens", "--format", "json")
    result = done("study", "evolution", *crawls, "-q", *out)
    assert {*json.loads(result.stdout)["tables"]} == {*PRINTED}


def test_what_is_refused(crawls: list[Path], tmp_path: Path) -> None:
    assert "give a folder for it: -o FOLDER" in run("study", "evolution", *crawls).stderr
    one = run("study", "evolution", crawls[0], "-o", tmp_path / "out")
    assert one.exit_code == 2 and "two snapshots or more" in one.stderr
    wrong = run("study", "evolution", *crawls, "-o", tmp_path / "out", "--missing", "gone")
    assert wrong.exit_code == 2 and "'cluster', 'drop'" in wrong.stderr
