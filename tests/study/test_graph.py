"""The study of the graph: of a tiny web every number is worked out by hand (see drawn_web.py)."""

from pathlib import Path

import pytest

import webecho
from tests.collections_made import Page, as_parquet, prose
from tests.command import done
from tests.study.drawn_web import drawn_web, url


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return drawn_web(tmp_path_factory.mktemp("crawl"))


def test_from_the_core(crawl: Path) -> None:
    found = webecho.study_graph(crawl, start="core")
    tables = {name: table.to_pylist() for name, table in found.tables.items()}
    assert [(row["part"], row["pages"], row["documents"]) for row in tables["bow_tie"]] == [
        *(("core", 3, 3), ("in", 1, 1), ("out", 2, 1), ("tubes", 1, 0), ("tendrils", 1, 1)),
        ("disconnected", 4, 4),
    ]
    assert tables["starts"] == [
        {
            "page": 0,
            "url": url(0),
            "documents reached": 4,
            "share of documents": 0.4,
            "pages reached": 5,
        }
    ]
    # Together A, B and C; of those that are reached A alone; of the others C alone.
    assert tables["table_4"] == [
        {
            "collection": "crawl",
            "complete": 4,
            "share complete": 4 / 10,
            "reachable": 1,
            "share reachable": 1 / 4,
            "unreachable": 2,
            "share unreachable": 2 / 6,
        }
    ]
    # A and B of three; 0 of 0, 9 and 10.
    share = "share in the reachable part"
    assert tables["table_5"] == [
        {"collection": "crawl", "clusters": 3, "in the reachable part": 2, share: 2 / 3}
    ]
    assert tables["table_6"] == [
        {"collection": "crawl", "unique": 3, "in the reachable part": 1, share: 1 / 3}
    ]
    assert [
        [row[name] for name in ("documents", "clusters", "unique")] for row in tables["parts"]
    ] == [
        *([10, 3, 3], [4, 1, 2], [6, 1, 3]),
    ]
    assert [(row["part"], row["size"], row["clusters"]) for row in tables["cluster_sizes"]] == [
        *(("complete", 2, 2), ("complete", 3, 1), ("reachable", 2, 1), ("unreachable", 3, 1)),
    ]
    # A is on one site, B on two, C on one.
    sites = [row for row in tables["sites"] if row["clusters"]]
    assert [(row["to"], row["clusters"], row["on one site"]) for row in sites] == [
        *((2, 2, 1), (10, 1, 1)),
    ]
    assert (found.facts["useful documents"], found.facts["useful documents reached"]) == (6, 3)
    assert found.sentences == (
        "The reachable component has 40.0% of the documents: 4 of 10.",
        "Of the complete collection 40.0% are duplicates, 25.0% of the reachable component: 60.0% "
        "higher (in Baeza-Yates 2007 50.9 % higher in the mean). In numbers 4 are 4.00 times 1.",
        "Of the unreachable component 33.3% are duplicates, 25.0% of the reachable component: "
        "33.3% higher (in Baeza-Yates 2007 74.6 % higher in the mean). In numbers 2 are 2.00 times "
        "1.",
        "Useful documents reached: 3 of 6, 50.0%.",
        "2 clusters have two documents in the complete collection, 1 in its two parts "
        "together; up to clusters of 2 documents the whole has more than its parts.",
        "Clusters of the complete, reachable, unreachable collection by size. Too few clusters for "
        "a power law: it takes 50, not all of one size. Too few clusters for a line through "
        "log-log counts: it takes 10 in each of 4 ranges of sizes (1, 2 to 3, 4 to 7, 8 to 15, …).",
    )
    assert set(found.figures) == {
        f"cluster_sizes-{part}" for part in ("complete", "reachable", "unreachable")
    }


def test_nothing_to_tell(tmp_path: Path) -> None:
    short = as_parquet(tmp_path / "p.parquet", [Page("0", "http://a.example/", "<p>short")])
    done("sketch", short, "-o", tmp_path / "p.echo")
    found = webecho.study_graph(tmp_path / "p.echo")
    assert found.notes == (
        "there are no documents of more than 450 characters, and so nothing to tell",
    )


def test_no_links_at_all_are_told(tmp_path: Path) -> None:
    long = [Page(str(n), url(n), " ".join(prose(n, 100))) for n in range(3)]
    source = as_parquet(tmp_path / "pages.parquet", long)
    done("sketch", source, "-o", tmp_path / "crawl.echo", "--columns", "none")
    found = webecho.study_graph(tmp_path / "crawl.echo")
    assert "no page links to another page of the collection" in found.notes[0]
    (tmp_path / "edges.csv").write_text("source,target\n")
    with pytest.raises(webecho.InputError, match="has no edges"):
        webecho.study_graph(tmp_path / "crawl.echo", edges=tmp_path / "edges.csv")


def test_figures_can_be_drawn_from_python(crawl: Path, tmp_path: Path) -> None:
    files = webecho.study_graph(crawl, start="core").draw(tmp_path)
    assert {file.name for file in files} == {
        f"cluster_sizes-{part}{form}.{kind}"
        for part in ("complete", "reachable", "unreachable")
        for form in ("", "-at_least")
        for kind in ("pdf", "svg", "png", "caption.txt")
    }
    assert all(file.is_file() for file in files)
