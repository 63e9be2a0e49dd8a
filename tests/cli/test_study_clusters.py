"""`webecho study clusters` as a user sees it."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.command import contents, done
from tests.command import webecho as run
from webecho.workspace.run_file import read_run

TABLES = (
    *("clusters", "cluster_sizes", "power_laws", "outlying_sizes", "largest", "beside_paper"),
)
SHOWN = ("clusters", "outlying_sizes", "largest", "beside_paper")


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """Three copies of a page with markup for a terminal in it, and another page."""
    text = "an \x1b[31mold lamp [bold]for sale in our shop at the corner of the market"
    urls = [f"http://{host}.example/lamp.html" for host in "abc"]
    rows = {"url": [*urls, "http://a.example/"], "text": [*[text] * 3, "welcome to the village"]}
    pq.write_table(pa.table(rows), tmp_path / "crawl.parquet")
    done("sketch", "-q", tmp_path / "crawl.parquet", "-o", tmp_path / "crawl.echo")
    return tmp_path / "crawl.echo"


def test_what_is_written_and_printed(crawl: Path, tmp_path: Path) -> None:
    result = done("study", "clusters", crawl, "-o", tmp_path / "out")
    figures = ("-very-similar", "-virtually-identical", "_by_rule-crawl")
    assert {file.name for file in (tmp_path / "out").iterdir()} == {
        *(f"{name}.{kind}" for name in TABLES for kind in ("parquet", "csv", "tex")),
        *(
            f"cluster_sizes{name}{at_least}.{kind}"
            for name in figures
            for at_least in ("", "-at_least")
            for kind in ("pdf", "svg", "png", "caption.txt")
        ),
        *("checksums.json", "study.json"),
    }
    assert "\x1b" not in result.stdout
    assert "0 (+ 3)" in result.stdout and "nothing" in result.stdout
    assert "so 2 pages, or 50.0% of all, are near-duplicates of the 1 that stand" in result.stdout


def test_nothing_in_the_workspace_differs_from_run_to_run(crawl: Path) -> None:
    done("study", "clusters", crawl, "-q")
    before = contents(crawl)
    done("study", "clusters", crawl, "-q", "--threads", 1)
    assert contents(crawl) == before
    assert read_run(crawl)["study clusters"]["threads"] == 1


def test_python_and_the_command_line_tell_the_same(crawl: Path) -> None:
    options = (
        *("--rule", "tokens", "--rule", "similar-0.5", "--rows", 1, "--times", 3, "--agree", 0.5),
        *("--members", 1, "--sample", 1, "--seed", 3, "--repetitions", 0, "--format", "json"),
    )
    told = json.loads(done("study", "clusters", crawl, *options, "-q").stdout)
    found = webecho.study_clusters(
        *(crawl,),
        **{"rules": ["tokens", "similar-0.5"], "rows": 1, "times": 3, "agree": 0.5},
        **{"members": 1, "sample": 1, "seed": 3, "repetitions": 0},
    )
    assert [*told["tables"]] == [*SHOWN]
    for name in SHOWN:
        assert told["tables"][name] == found.tables[name].to_pylist()
    assert told["sentences"] == [*found.sentences]
    assert [row["compared"] for row in told["tables"]["largest"]] == [1, 1]


def test_several_workspaces_lie_upon_each_other(crawl: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.echo"
    done("sketch", "-q", tmp_path / "crawl.parquet", "-o", other)
    refused = run("study", "clusters", crawl, other)
    assert refused.exit_code == 2
    assert "give a folder for it: -o FOLDER" in " ".join(refused.stderr.split())
    out = tmp_path / "both"
    shown = done("study", "clusters", crawl, other, "-o", out, "--format", "csv").stdout
    assert shown.splitlines()[0].startswith("collection,rule,rank,urls,")
    assert len(shown.splitlines()) == 1 + 4
    assert {file.stem for file in out.glob("*.pdf") if "at_least" not in file.stem} == {
        *("cluster_sizes-very-similar", "cluster_sizes-virtually-identical"),
        *("cluster_sizes_by_rule-crawl", "cluster_sizes_by_rule-other"),
    }


def test_what_cannot_be_read_again_is_said(crawl: Path, tmp_path: Path) -> None:
    (tmp_path / "crawl.parquet").unlink()
    found = done("study", "clusters", crawl)
    assert "webecho: crawl: some clusters are not described, for " in found.stderr
    assert run("study", "clusters", crawl, "--strict").exit_code == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--rule", "nearly"), "no rule is called 'nearly'; there are payload, text, tokens"),
        (("--rows", "0"), "0 is not in the range x>=1"),
        (("--times", "1"), "1.0 is not in the range x>1"),
        (("--agree", "0"), "0.0 is not in the range 0<x<=1"),
        (("--members", "0"), "0 is not in the range x>=1"),
        (("--sample", "0"), "0 is not in the range x>=1"),
    ],
)
def test_wrong_use(crawl: Path, options: tuple[str, str], message: str) -> None:
    refused = run("study", "clusters", crawl, *options)
    assert refused.exit_code == 2 and message in " ".join(refused.stderr.split())
