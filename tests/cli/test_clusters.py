"""`webecho clusters` as a user sees it."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import UNREAD
from tests.collections_made import WarcFile, as_jsonl, page
from tests.command import done, lines

RULES = ("tokens", "very-similar", "virtually-identical", "similar")


def test_clusters_as_a_table(crawl: Path) -> None:
    result = done("clusters", crawl.name, "--rule", "tokens")
    three, two = (f"    {n}     {n}      2         0                 2" for n in (3, 2))
    assert lines(result.stdout) == [
        "rule                 tokens",
        "pages                16",
        "pages in clusters    7",
        "clusters             3",
        "duplicates           4",
        "share of duplicates  25.0%",
        "",
        "The largest clusters",
        "pages  urls  hosts  machines  hosts without ip  title  "
        "representative                  cluster",
        f"{three}  First  http://a.example.org/0.html           0",
        f"{two}         http://www.example.net/8.html         8",
        f"{two}         http://www.example.net/11.html       11",
    ]
    assert result.stderr == f"{UNREAD}written: crawl.echo/clusters/tokens.parquet\n"


def test_clusters_as_json(crawl: Path) -> None:
    result = done("clusters", crawl.name, "--rule", "tokens", "--format", "json", "--quiet")
    found = json.loads(result.stdout)
    rows = found.pop("rows")
    assert found == {
        "rule": "tokens",
        "pages": 16,
        "pages in clusters": 7,
        "clusters": 3,
        "duplicates": 4,
        "share of duplicates": 0.25,
    }
    assert rows[0] == {
        "pages": 3,
        "urls": 3,
        "hosts": 2,
        "machines": 0,
        "hosts without ip": 2,
        "title": "First",
        "representative": "http://a.example.org/0.html",
        "cluster": 0,
    }
    assert [row["cluster"] for row in rows] == [0, 8, 11]


def test_clusters_as_csv(crawl: Path) -> None:
    result = done("clusters", crawl.name, "--rule", "tokens", "--format", "csv", "--quiet")
    assert result.stdout == (
        "pages,urls,hosts,machines,hosts without ip,title,representative,cluster\n"
        "3,3,2,0,2,First,http://a.example.org/0.html,0\n"
        "2,2,2,0,2,,http://www.example.net/8.html,8\n"
        "2,2,2,0,2,,http://www.example.net/11.html,11\n"
    )


@pytest.mark.usefixtures("here")
def test_a_collection_in_which_nothing_repeats() -> None:
    as_jsonl(Path("other.jsonl"), [page(0, "one page"), page(1, "another one")])
    done("sketch", "other.jsonl", "-o", "w.echo")
    for rule in RULES:
        shown = done("clusters", "w.echo", "--rule", rule).stdout
        assert lines(shown)[1:] == [
            "pages                2",
            "pages in clusters    0",
            "clusters             0",
            "duplicates           0",
            "share of duplicates  0.0%",
        ]
        assert lines(done("pairs", "w.echo", "--rule", rule).stdout)[1:] == ["pairs  0"]


def test_titles_from_a_crawl_do_not_reach_the_terminal_as_commands(here: Path) -> None:
    wicked = "<title>\x1b]0;owned\x07 [red]x[/red]\x1b[2J</title>same words"
    with WarcFile(here / "in.warc") as warc:
        for number in range(2):
            warc.response(f"http://a.example.org/{number}\x1b[31m", wicked.encode())
    done("sketch", "in.warc", "-o", "w.echo")
    for verb in ("clusters", "pairs"):
        shown = done(verb, "w.echo", "--rule", "tokens").stdout
        assert "\x1b" not in shown and "\x07" not in shown
    assert "[red]x[/red]" in done("clusters", "w.echo", "--rule", "tokens").stdout


def test_odd_texts_come_through_csv_and_json(here: Path) -> None:
    title = 'a, "b"\u2028; é 漢字'
    pages = [{"url": f'u,{i}\n"x"', "html": f"<title>{title}</title>same"} for i in range(2)]
    pq.write_table(pa.Table.from_pylist(pages), here / "odd.parquet")
    done("sketch", "odd.parquet", "-o", "w.echo")
    found = json.loads(done("clusters", "w.echo", "--format", "json").stdout)
    assert found["rows"][0]["title"] == title
    assert found["rows"][0]["representative"] == 'u,0\n"x"'
    table = done("clusters", "w.echo", "--format", "csv").stdout
    assert 'a, ""b""' in table
