"""The graph of a workspace: which links are in it, and where they lead."""

from pathlib import Path

import pytest

import webecho
from tests.collections_made import Page, WarcFile, as_parquet, prose
from tests.command import done
from tests.study.drawn_web import drawn_web, url
from tests.study.no_pages import without_pages


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return drawn_web(tmp_path_factory.mktemp("crawl"))


def test_which_links_are_followed(tmp_path: Path) -> None:
    kinds = {
        1: "<a rel=nofollow href=/1></a>",
        2: "<iframe src=/2></iframe>",
        3: "<link rel=canonical href=/3>",
        4: "<meta http-equiv=refresh content='0;url=/4'>",
    }
    body = f"<p>{' '.join(prose(1, 100))}</p>"
    pages = [Page("0", "http://a.example/0", body + "".join(kinds.values()))]
    pages += [
        Page(str(n), f"http://a.example/{n}", f"<p>{' '.join(prose(n, 100))}</p>") for n in kinds
    ]
    done("sketch", as_parquet(tmp_path / "p.parquet", pages), "-o", tmp_path / "p.echo")

    def reached(**options: object) -> list[int]:
        found = webecho.study_graph(tmp_path / "p.echo", start="#0", **options)  # type: ignore[arg-type]
        return [row["page"] for row in found.tables["pages"].to_pylist() if row["reached"]]

    assert reached() == [0, 1, 2, 4]
    assert reached(obey_nofollow=True) == [0, 2, 4]
    assert reached(kinds=["canonical"]) == [0, 3]
    assert reached(kinds=["a", "iframe"]) == [0, 1, 2]
    with pytest.raises(webecho.SettingsError, match="no links are of the kind 'img'"):
        reached(kinds=["img"])


def test_an_edge_list_of_pages_or_of_hosts(crawl: Path, tmp_path: Path) -> None:
    pages = tmp_path / "edges.tsv"
    rows = [(9, 6), (6, 8), (0, 77), (8, 9)]
    pages.write_text("".join(f"{url(a)}\t{url(b)}\n" for a, b in rows))
    found = webecho.study_graph(crawl, start=url(9), edges=pages)
    assert [row["page"] for row in found.tables["pages"].to_pylist() if row["reached"]] == [6, 8, 9]
    assert found.facts["links to pages of the collection"] == 3
    assert "links" not in found.tables
    hosts = tmp_path / "hosts.csv"
    hosts.write_text("source,target\nwww.b.example,WWW.a.example.\n")
    found = webecho.study_graph(crawl, start=url(9), edges=hosts, level="host")
    assert all(found.tables["pages"]["reached"].to_pylist())
    found = webecho.study_graph(crawl, start=url(0), edges=hosts, level="host")
    assert found.tables["starts"]["pages reached"].to_pylist() == [10]
    with pytest.raises(webecho.InputError, match="say level=host"):
        webecho.study_graph(crawl, start="core", edges=hosts)


def test_too_little_memory_is_refused(crawl: Path) -> None:
    webecho.study_graph(crawl, start="core")
    with pytest.raises(webecho.MemoryBudgetError, match="the graph of the links needs at least"):
        webecho.study_graph(crawl, start="core", memory="150MB")


def test_a_revisit_has_the_links_of_what_it_repeats(tmp_path: Path) -> None:
    long = " ".join(prose(1, 100)).encode()
    body = b"<p>" + long + b"</p><a href='http://www.a.example/there'></a>"
    with WarcFile(tmp_path / "crawl.warc.gz") as crawl:
        first = crawl.response("http://www.a.example/first", body)
        crawl.response("http://www.a.example/there", long)
        crawl.revisit("http://www.b.example/again", Refers_To=first)
    done("sketch", crawl.file, "-o", tmp_path / "crawl.echo")
    found = webecho.study_graph(tmp_path / "crawl.echo", start="http://www.b.example/again")
    [start] = found.tables["starts"].to_pylist()
    assert (start["pages reached"], start["documents reached"]) == (2, 2)
    assert found.facts["links of revisits followed"] == 1


def test_redirects_lead_on_from_http_to_https_to_www(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "crawl.warc.gz") as crawl:
        crawl.response("http://b.example/", b"<p>one</p><a href='http://a.example/'>two</a>")
        crawl.response("http://a.example/", b"", "301 Moved", Location="https://a.example/")
        crawl.response("https://a.example/", b"", "301 Moved", Location="https://www.a.example/")
        crawl.response("https://www.a.example/", b"<p>three</p>")
    done("sketch", crawl.file, "-o", tmp_path / "crawl.echo")
    found = webecho.study_graph(tmp_path / "crawl.echo", start="http://b.example/")
    [start] = found.tables["starts"].to_pylist()
    assert start["pages reached"] == 2


def test_links_are_counted_by_kind_whether_followed_or_not(tmp_path: Path) -> None:
    links = "<a href=/1></a><a rel=nofollow href=/2></a><iframe src=/1></iframe>"
    pages = [Page(str(n), f"http://a.example/{n}", f"<p>{n}</p>{links}") for n in range(3)]
    done("sketch", as_parquet(tmp_path / "p.parquet", pages), "-o", tmp_path / "p.echo")
    found = webecho.study_graph(tmp_path / "p.echo", kinds=["a"], obey_nofollow=True)
    assert [tuple(row.values()) for row in found.tables["links"].to_pylist()] == [
        ("a", 6, 3, True),
        ("area", 0, 0, False),
        ("frame", 0, 0, False),
        ("iframe", 3, 0, False),
        ("redirect", 0, 0, False),
        ("canonical", 0, 0, False),
    ]
    counted = ("links", "links with nofollow", "links followed")
    assert [found.facts[name] for name in counted] == [9, 3, 3]


def test_a_workspace_without_pages_has_no_links(tmp_path: Path) -> None:
    found = webecho.study_graph(without_pages(tmp_path).path)
    assert {*found.tables["links"]["links"].to_pylist()} == {0}
    assert (found.facts["links"], found.facts["edges"]) == (0, 0)
