"""`webecho study mirrors` as a user sees it."""

import json
import shutil
from pathlib import Path

import pytest

import webecho
from tests.command import contents, done
from tests.command import webecho as run
from tests.study.mirrors_made import crawl, site
from webecho.workspace.layout import Layout
from webecho.workspace.run_file import read_run

TABLES = (
    *("funnel", "methods", "mirrors", "auto_mirrors", "mirrored", "sizes", "power_laws"),
    *("unconfirmed", "subtrees", "groups", "group_hosts", "crawler", "beside_paper"),
)
OVER_TIME = ("retention", "changes", "freshness")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    pages = [page for host in "abc" for page in site(f"{host}.example", None, range(10), "/d/")]
    return crawl(tmp_path, pages)


def test_what_is_written_and_printed(path: Path, tmp_path: Path) -> None:
    result = done("study", "mirrors", path, "-o", tmp_path / "out", "-q")
    assert {file.name for file in (tmp_path / "out").glob("*.parquet")} == {
        f"{name}.parquet" for name in TABLES
    }
    assert (tmp_path / "out" / "sizes.pdf").is_file()
    assert "crawl       remaining                                   3             37,367" in (
        result.stdout
    )
    assert "not known: there are no IP addresses" in result.stdout
    assert "3 remain, of which 3 (100.0%) match in the last arc" in result.stdout


def test_nothing_in_the_workspace_differs_from_run_to_run(path: Path) -> None:
    done("study", "mirrors", path, "-q")
    assert {file.stem for file in Layout(path).study("mirrors").glob("*.csv")} == {*TABLES}
    before = contents(path)
    done("study", "mirrors", path, "-q", "--threads", 1)
    assert contents(path) == before
    assert read_run(path)["study mirrors"]["threads"] == 1


def test_python_and_the_command_line_tell_the_same(path: Path) -> None:
    options = ("--pages", 5, "--count", "roots", "--rule", "text", "--format", "json", "-q")
    told = json.loads(done("study", "mirrors", path, *options).stdout)
    found = webecho.study_mirrors(path, "text", pages=5, count="roots")
    for name, rows in told["tables"].items():
        assert rows == found.tables[name].to_pylist()
    assert told["sentences"] == [*found.sentences]


def test_several_snapshots(path: Path, tmp_path: Path) -> None:
    later = shutil.copytree(path, tmp_path / "later.echo")
    for second, why in ((later, "give a folder for it: -o FOLDER"), (path, "is given twice")):
        refused = run("study", "mirrors", path, second)
        assert refused.exit_code == 2 and why in " ".join(refused.stderr.split())
    out = tmp_path / "both"
    shown = done("study", "mirrors", path, later, "-o", out, "--format", "csv", "-q").stdout
    assert shown.splitlines()[0].startswith("collection,step,host pairs,")
    assert len(shown.splitlines()) == 1 + 2 * 11
    assert {file.stem for file in out.glob("*.csv")} == {*TABLES, *OVER_TIME}
    assert {file.stem for file in out.glob("*.pdf")} >= {"sizes_over_time", "changes"}
    assert read_run(out)["study mirrors"]["threads"]


def test_savings_take_it_in(path: Path) -> None:
    done("study", "mirrors", path, "-q")
    shown = done("savings", path, "--mirrors", path, "-q").stdout
    assert "mirrors told                     2" in shown
    patterns = (Layout(path).savings("text") / "scrapy-canonical.txt").read_text()
    assert "b.example/ mirrors a.example/ (10 pairs" in patterns


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--pages", "0"), "0 is not in the range x>=1"),
        (("--most-hosts", "1"), "1 is not in the range x>=2"),
        (("--sample", "-1"), "-1 is not in the range x>=0"),
        (("--count", "some"), "'some' is not one of 'all', 'roots'"),
    ],
)
def test_wrong_use(path: Path, options: tuple[str, str], message: str) -> None:
    refused = run("study", "mirrors", path, *options)
    assert refused.exit_code == 2 and message in " ".join(refused.stderr.split())
