"""A tiny web drawn by hand, of which every number of the study is worked out by hand.

      ┌────────► 1 A ──┐             core: 0 1 2
      │ ┌──────► 2 A ──┤             out: 3 (short) and, through it, 4
    ► 0 ───► (3) ───► 4 B            in: 5
      ▲                ▲             tendril: 10
      5 B ───► 10      │             tube: 11 (short)
      └──────► (11) ───┘             disconnected: 6 to 9
      6 C ──► 7 C    8 C    9

A, B and C are texts that several pages have. The texts of 0, 9 and 10 are their own.
"""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import webecho
from tests.collections_made import Page, WarcFile, as_parquet, prose
from tests.command import contents, done
from tests.command import webecho as run
from webecho.study.reaching import StartSettings

A, B, C = 101, 102, 103
HOSTS = {5: "www.b.example", 9: "www.b.example"}
TEXTS = {0: 0, 1: A, 2: A, 4: B, 5: B, 6: C, 7: C, 8: C, 9: 9, 10: 10}
TARGETS = {0: [1, 2, 3], 1: [0], 2: [0], 3: [4], 5: [0, 10, 11], 6: [7], 11: [4]}


def url(number: int) -> str:
    return f"http://{HOSTS.get(number, 'www.a.example')}/{number}.html"


def page(number: int) -> Page:
    # A hundred words are more than 450 characters, five are not.
    words = prose(TEXTS[number], 100) if number in TEXTS else prose(number, 5)
    links = "".join(f"<a href='{url(to)}'></a>" for to in TARGETS.get(number, []))
    return Page(f"{number}", url(number), f"<p>{' '.join(words)}</p>{links}")


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crawl")
    source = as_parquet(folder / "pages.parquet", [page(number) for number in range(12)])
    done("sketch", source, "-o", folder / "crawl.echo", "--columns", "none")
    return folder / "crawl.echo"


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
        "Too few clusters for an exponent: complete, reachable, unreachable collection. It takes "
        "10 in each of 4 ranges of sizes (2 to 3, 4 to 7, 8 to 15, …).",
    )
    assert set(found.figures) == {
        f"cluster_sizes-{part}" for part in ("complete", "reachable", "unreachable")
    }


def test_a_random_start_must_reach_half_of_the_documents(crawl: Path) -> None:
    # Only from 5 more than four of ten documents are reached: 0, 1, 2, 4, 5 and 10.
    for seed in range(5):
        found = webecho.study_graph(crawl, seed=seed)
        starts = found.tables["starts"].to_pylist()
        assert [row["documents reached"] >= 5 for row in starts] == [False] * (len(starts) - 1) + [
            True
        ]
        assert starts[-1]["page"] == 5
        assert found.tables["table_4"]["reachable"].to_pylist() == [2]
    # With another seed another order.
    orders = {
        tuple(webecho.study_graph(crawl, seed=seed).tables["starts"]["page"].to_pylist())
        for seed in range(5)
    }
    assert len(orders) > 1


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
        *(f"{name}.parquet" for name in ("bow_tie", "links", "pages", "starts")),
        "study.json",
    ]
    assert len(pq.read_table(out / "starts.parquet")) == 10


@pytest.mark.parametrize(
    ("start", "page"),
    [(url(5), 5), ("HTTPS://www.B.example:443/x/../5.html#y", 5), ("5", 5), ("#0", 0)],
)
def test_a_start_by_its_name(crawl: Path, start: str, page: int) -> None:
    found = webecho.study_graph(crawl, start=start)
    assert found.tables["starts"]["page"].to_pylist() == [page]


def test_a_start_that_is_not_there(crawl: Path) -> None:
    with pytest.raises(
        webecho.InputError, match=r"no page is called 'http://www\.a\.example/77\.html'"
    ):
        webecho.study_graph(crawl, start=url(77))


def test_tables_and_figures_are_written_and_shown(crawl: Path) -> None:
    shown = done("study", "graph", crawl, "--start", url(0)).stdout
    for line in (
        "a             11         0  yes",
        "core              3  25.0%               3  30.0%",
        "crawl              4  40.0%               1  25.0%                  2  33.3%",
        "Useful documents reached: 3 of 6, 50.0%.",
    ):
        assert line in shown
    folder = crawl / "studies" / "graph"
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


def test_settings_that_cannot_be() -> None:
    with pytest.raises(webecho.SettingsError, match="at least one"):
        StartSettings(tries=0)
    with pytest.raises(webecho.SettingsError, match="no share"):
        StartSettings(least=1.5)


def test_nothing_to_tell(tmp_path: Path) -> None:
    short = as_parquet(tmp_path / "p.parquet", [Page("0", "http://a.example/", "<p>short")])
    done("sketch", short, "-o", tmp_path / "p.echo")
    found = webecho.study_graph(tmp_path / "p.echo")
    assert found.notes == (
        "there are no documents of more than 450 characters, and so nothing to tell",
    )


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


def test_no_links_at_all_are_told(tmp_path: Path) -> None:
    long = [Page(str(n), url(n), " ".join(prose(n, 100))) for n in range(3)]
    source = as_parquet(tmp_path / "pages.parquet", long)
    done("sketch", source, "-o", tmp_path / "crawl.echo", "--columns", "none")
    found = webecho.study_graph(tmp_path / "crawl.echo")
    assert "no page links to another page of the collection" in found.notes[0]
    (tmp_path / "edges.csv").write_text("source,target\n")
    with pytest.raises(webecho.InputError, match="has no edges"):
        webecho.study_graph(tmp_path / "crawl.echo", edges=tmp_path / "edges.csv")


def test_csv_has_the_main_table_and_names_the_rest(crawl: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    printed = run("study", "graph", crawl, "--start", "core", "--format", "csv", "-o", out)
    assert printed.stdout.startswith("collection,complete,share complete,reachable,")
    assert f"the others are in {out}" in printed.stderr


def test_a_workspace_is_no_folder_for_results(crawl: Path) -> None:
    before = contents(crawl)
    assert run("study", "graph", crawl, "-o", crawl).exit_code == 2
    assert contents(crawl) == before
