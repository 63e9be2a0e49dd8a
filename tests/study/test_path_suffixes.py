"""Suffixes of paths, and the pages that match by them, exactly and by a Bloom filter."""

from pathlib import Path
from random import Random

import pyarrow as pa
import pytest

from tests.study.mirrors_made import Fetched, crawl, site, slowly
from webecho.api.runs import as_run
from webecho.group.rules.registry import rule
from webecho.study.mirror_pairs import Counting, add_located, add_pairs
from webecho.study.path_suffixes import Comparison, add_matches, path_of, suffixes
from webecho.workspace.workspace import Workspace

Matched = dict[tuple[str, str], tuple[int, int]]


def matches(path: Path, least: int, most: int = 10**6) -> tuple[Matched, Comparison]:
    """Of pairs that have some, how many pages match on the last arc, and on the last four."""
    workspace, run = Workspace.open(path), as_run()
    clusters = run.engine.clusters(workspace, rule("text", recipe=workspace.recipe), run)
    with run.database() as database:
        add_located(database, workspace, clusters)
        add_pairs(database, Counting(least, False, 1000))
        database.keep("remaining", "SELECT * FROM pairs WHERE status = 'remaining'")
        compared = add_matches(database, workspace, "remaining", most)
        rows = database.table(
            "SELECT left_name, right_name, last_arc, last_four FROM matches JOIN pairs "
            "ON pairs.left_host = matches.left_host AND pairs.right_host = matches.right_host"
        ).to_pylist()
    found = {
        (row["left_name"], row["right_name"]): (row["last_arc"], row["last_four"]) for row in rows
    }
    return found, compared


def test_paths_have_no_query() -> None:
    urls = [
        *("http://a.example/b/c?d=/e", "http://a.example", "https://a.example:80/#f/g"),
        "http://a.example?x/y",
    ]
    assert path_of(pa.array(urls)).to_pylist() == ["/b/c", "/", "/", "/"]


def test_suffixes_are_the_last_arcs() -> None:
    paths = pa.array(["/a/b/c/d/e.html", "/x/y/", "/", "/one"])
    rows = [
        tuple(row.values())
        for batch in suffixes(pa.array([0, 1, 2, 3]), paths)
        for row in batch.to_pylist()
    ]
    assert sorted(rows) == [
        (0, 1, "/e.html", 0),
        (0, 2, "/d/e.html", 0),
        (0, 3, "/c/d/e.html", 0),
        (0, 4, "/b/c/d/e.html", 1),
        (1, 1, "/y/", 0),
        (1, 2, "/x/y/", 1),
        (3, 1, "/one", 1),
    ]


def test_the_last_arc_and_the_last_four(tmp_path: Path) -> None:
    says = range(10)
    pages = [
        *site("a.example", None, says, "/pub/doc/manual/en/"),
        # Of the last four arcs the first differs.
        *site("b.example", None, says, "/pub/other/manual/en/"),
        # The last four are the same, the one before is not; of two pages the query is another.
        *site("c.example", None, range(8), "/mirror/doc/manual/en/"),
        *(Fetched(f"http://c.example/mirror/doc/manual/en/{n}.html?x", None, n) for n in (8, 9)),
        # All that there are: the last arc.
        *site("d.example", None, says),
        # Front pages confirm nothing.
        *(Fetched(f"http://e.example/?{n}", None, n) for n in says),
    ]
    found, compared = matches(crawl(tmp_path, pages), 10)
    assert compared.error is None
    assert found == {
        ("a.example", "b.example"): (10, 0),
        ("a.example", "c.example"): (10, 10),
        ("a.example", "d.example"): (10, 10),
        ("b.example", "c.example"): (10, 0),
        ("b.example", "d.example"): (10, 10),
        ("c.example", "d.example"): (10, 10),
    }


def test_pages_match_within_a_cluster_alone(tmp_path: Path) -> None:
    """Both hosts have the same ten names, but for other pages."""
    pages = site("a.example", None, range(10))
    pages += [Fetched(f"http://b.example/{n}.html", None, (n + 1) % 10) for n in range(10)]
    assert matches(crawl(tmp_path, pages), 10)[0] == {}


@pytest.mark.parametrize("seed", range(4))
def test_slowly_and_by_a_filter(tmp_path: Path, seed: int) -> None:
    chance = Random(seed)
    folders = ["/".join(chance.choices("abc", k=depth)) for depth in (1, 2, 3, 3, 4, 5) * 2]
    urls = {
        f"http://{chance.choice('abcdef')}.example/{chance.choice(folders)}/x?{number}": number
        for number in range(50)
    }
    pages = [Fetched(url, None, chance.choice(range(8))) for url in urls]
    path = crawl(tmp_path, pages)
    expected = slowly(pages, 2)
    assert expected.last_arc > expected.last_four > set()
    exact, _ = matches(path, 2)
    assert {pair for pair, (arc, _) in exact.items() if arc} == expected.last_arc
    assert {pair for pair, (_, four) in exact.items() if four} == expected.last_four
    by_filter, compared = matches(path, 2, most=10)
    assert by_filter == exact
    assert compared.suffixes > 10 and compared.error is not None and compared.error < 1e-6
    assert compared.questions > 0
