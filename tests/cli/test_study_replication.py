"""`webecho study replication` as a user sees it."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.command import contents, done
from tests.command import webecho as run
from webecho.workspace.layout import Layout
from webecho.workspace.run_file import read_run

TABLES = ("replicas", "space", "time", "savings", "collections", "reasons", "beside_paper")


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """A manual of two pages on three servers, and a page of one of them."""
    urls = [f"http://{host}.example/doc/{page}.html" for host in "abc" for page in (1, 2)]
    texts = [f"page {page} of the manual" for _ in "abc" for page in (1, 2)]
    rows = {"url": [*urls, "http://a.example/"], "text": [*texts, "welcome"]}
    pq.write_table(pa.table(rows), tmp_path / "crawl.parquet")
    done("sketch", "-q", tmp_path / "crawl.parquet", "-o", tmp_path / "crawl.echo")
    return tmp_path / "crawl.echo"


def test_what_is_written_and_printed(crawl: Path, tmp_path: Path) -> None:
    result = done("study", "replication", crawl, "--pages", 2, "-o", tmp_path / "out")
    assert {file.name for file in (tmp_path / "out").iterdir()} == {
        *(f"{name}.{kind}" for name in TABLES for kind in ("parquet", "csv", "tex")),
        *(f"replicas-crawl.{kind}" for kind in ("pdf", "svg", "png", "caption.txt")),
        "checksums.json",
        "study.json",
    }
    assert "crawl       3                   6  85.7%                 6  85.7%" in result.stdout
    assert "crawl          1        3      2       6  http://a.example/doc/\n" in result.stdout, (
        result.stdout
    )
    assert "crawl: 14.3% of 7 pages have one replica, themselves, 0.0% two" in result.stdout
    assert "visits 57.1% fewer pages" in result.stdout


def test_nothing_in_the_workspace_differs_from_run_to_run(crawl: Path) -> None:
    done("study", "replication", crawl, "-q")
    folder = Layout(crawl).study("replication")
    written = {file.stem for file in folder.glob("*.csv")}
    assert written == {*TABLES} - {"time"}
    before = contents(crawl)
    done("study", "replication", crawl, "-q", "--threads", 1)
    assert contents(crawl) == before
    noted = read_run(crawl)["study replication"]
    assert noted["threads"] == 1
    assert {*noted["steps"]} == {
        f"{step}, {chunking}"
        for step in ("read and fingerprint", "sort", "overlap")
        for chunking in ("page", "lines:4", "lines:2")
    }


def test_chunks_made_before_and_now_tell_the_same(crawl: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "crawl.echo"
    other.parent.mkdir()
    chunks = "page,lines:4,lines:2"
    done("sketch", "-q", tmp_path / "crawl.parquet", "-o", other, "--chunks", chunks)
    one, two = webecho.study_replication(crawl), webecho.study_replication(other)
    for name in {*TABLES} - {"time"}:
        assert one.tables[name] == two.tables[name]


def test_python_and_the_command_line_tell_the_same(crawl: Path) -> None:
    options = ("--pages", 1, "--rows", 1, "--agree", 0.5, "--format", "json", "-q")
    told = json.loads(done("study", "replication", crawl, *options).stdout)
    found = webecho.study_replication(crawl, pages=1, rows=1, agree=0.5)
    assert [*told["tables"]] == [*TABLES]
    for name in {*TABLES} - {"time"}:
        assert told["tables"][name] == found.tables[name].to_pylist()
    assert told["sentences"] == [*found.sentences]
    assert len(told["tables"]["collections"]) == 1


def test_several_workspaces_need_a_folder(crawl: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.echo"
    done("sketch", "-q", tmp_path / "crawl.parquet", "-o", other)
    refused = run("study", "replication", crawl, other)
    assert refused.exit_code == 2
    assert "give a folder for it: -o FOLDER" in " ".join(refused.stderr.split())
    assert not (crawl / "studies").exists()
    out = tmp_path / "both"
    shown = done("study", "replication", crawl, other, "-o", out, "--format", "csv").stdout
    assert shown.splitlines()[0].startswith("collection,replicas,")
    assert len(shown.splitlines()) == 1 + 2 * 7
    # All collections in one figure by each chunking.
    assert {file.name for file in out.glob("replicas*.pdf")} == {
        *("replicas-crawl.pdf", "replicas-other.pdf", "replicas_by-page.pdf"),
        *("replicas_by-lines-4.pdf", "replicas_by-lines-2.pdf"),
    }
    assert read_run(out)["study replication"]["threads"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--agree", "0"), "0.0 is not in the range 0<x<=1"),
        (("--pages", "0"), "0 is not in the range x>=1"),
        (("--rows", "0"), "0 is not in the range x>=1"),
    ],
)
def test_wrong_use(crawl: Path, options: tuple[str, str], message: str) -> None:
    refused = run("study", "replication", crawl, *options)
    assert refused.exit_code == 2 and message in " ".join(refused.stderr.split())
