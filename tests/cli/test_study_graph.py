"""`webecho study graph` as a user sees it, of the tiny web of drawn_web.py."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.command import contents, done
from tests.command import webecho as run
from tests.study.drawn_web import drawn_web, url
from webecho.workspace.layout import Layout


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return drawn_web(tmp_path_factory.mktemp("crawl"))


def test_after_some_starts_it_stops_and_says_so(crawl: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done("study", "graph", crawl, "--start", "core", "-o", out)
    assert (out / "table_4.parquet").is_file()
    stopped = run("study", "graph", crawl, "--tries", 20, "--least", 0.7, "-o", out)
    assert stopped.exit_code == 1
    assert "none of 10 initial documents reached 70% of the documents, the best 60.0%" in (
        stopped.stderr
    )
    assert "--least 0.6" in stopped.stderr
    # What is known without a reachable part is there, and nothing of the run before.
    assert sorted(file.name for file in out.iterdir()) == [
        *("bow_tie.csv", "bow_tie.parquet", "bow_tie.tex", "checksums.json"),
        *(
            f"{name}.{kind}"
            for name in ("links", "pages", "starts")
            for kind in ("csv", "parquet", "tex")
        ),
        "study.json",
    ]
    assert len(pq.read_table(out / "starts.parquet")) == 10


def test_tables_and_figures_are_written_and_shown(crawl: Path) -> None:
    shown = done("study", "graph", crawl, "--start", url(0)).stdout
    for line in (
        "a             11         0  yes",
        "core              3  25.0%               3  30%",
        "crawl              4  40%                 1  25%                    2  33.3%",
        "Useful documents reached: 3 of 6, 50.0%.",
    ):
        assert line in shown
    folder = Layout(crawl).study("graph")
    assert (folder / "cluster_sizes-unreachable.png").read_bytes().startswith(b"\x89PNG")
    pages = pq.read_table(folder / "pages.parquet").to_pylist()
    assert [row["page"] for row in pages if row["reached"]] == [0, 1, 2, 3, 4]
    assert [row["page"] for row in pages if not row["document"]] == [3, 11]
    assert [row["bow_tie"] for row in pages][3:6] == ["out", "out", "in"]
    first = contents(crawl)
    told = json.loads(done("study", "graph", crawl, "--start", url(0), "--format", "json").stdout)
    assert told["links to pages of the collection"] == 11
    assert told["tables"]["table_5"][0]["clusters"] == 3
    # Same input, same output, figures too.
    assert contents(crawl) == first


def test_csv_has_the_main_table_and_names_the_rest(crawl: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    printed = run("study", "graph", crawl, "--start", "core", "--format", "csv", "-o", out)
    assert printed.stdout.startswith("collection,complete,share complete,reachable,")
    assert f"the others are in {out}" in printed.stderr


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (("--level", "host"), "--level host is for --edges"),
        (("--edges", "edges.csv", "--kind", "iframe"), "leave out --kind"),
        (("--edges", "edges.csv", "--obey-nofollow"), "--obey-nofollow"),
    ],
)
def test_options_that_would_do_nothing_are_refused(
    crawl: Path, wrong: tuple[str, ...], told: str
) -> None:
    refused = run("study", "graph", crawl, *wrong)
    assert refused.exit_code == 2
    assert told in " ".join(refused.stderr.split())
