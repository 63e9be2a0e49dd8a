"""Folders that mirror folders, of another host and of the same."""

from itertools import product
from pathlib import Path
from random import Random

import pyarrow as pa
import pytest

from tests.study.mirrors_made import Fetched, crawl, site
from webecho.api.runs import as_run
from webecho.group.rules.registry import rule
from webecho.study.mirror_pairs import Counting, add_located, add_pairs
from webecho.study.subtrees import (
    Mapped,
    Subtree,
    clearest,
    counterpart_pages,
    find_subtrees,
    folders,
    parent,
)
from webecho.workspace.workspace import Workspace

Told = dict[tuple[str, str, str, str], tuple[int, int, int, int]]


def subtrees(path: Path, least: int = 3) -> tuple[Told, int]:
    """Each mapping with the pages of both sides, counterparts and matched; and what was not
    compared."""
    workspace, run = Workspace.open(path), as_run()
    clusters = run.engine.clusters(workspace, rule("text", recipe=workspace.recipe), run)
    with run.database() as database:
        add_located(database, workspace, clusters)
        add_pairs(database, Counting(least, False, 1000))
        found, missed = find_subtrees(database, workspace, least)
        pages = counterpart_pages(database, [each.mapped for each in found])
    # As many pages are counterparts as were counted.
    numbers = pages["number"].to_pylist()
    assert [numbers.count(at) for at in range(len(found))] == [each.counterparts for each in found]
    return {
        (each.left_name, each.mapped.left_folder, each.right_name, each.mapped.right_folder): (
            *(each.left_pages, each.right_pages, each.counterparts, each.matched),
        )
        for each in found
    }, missed


def test_a_page_lies_in_every_folder_above_it() -> None:
    urls = ["http://a.example/x/y.html?q=1#z", "http://a.example/x/", "http://a.example"]
    rows = [
        tuple(row.values())
        for batch in folders(pa.array([0, 1, 2]), pa.array(urls))
        for row in batch.to_pylist()
    ]
    assert sorted(rows) == [
        (0, 1, "/x/", "/y.html", "/y.html?q=1"),
        (0, 2, "/", "/x/y.html", "/x/y.html?q=1"),
        (1, 1, "/x/", "/", "/"),
        (1, 2, "/", "/x/", "/x/"),
        (2, 1, "/", "/", "/"),
    ]


def test_a_folder_of_another_host(tmp_path: Path) -> None:
    """The manual of a stands below /pub/manual/ of b: one page is missing there, one differs, and b
    has another; both have other pages."""
    pages = [
        *site("a.example", None, range(6), "/manual/"),
        *site("a.example", None, range(20, 40)),
        *site("b.example", None, [0, 1, 2, 3, 9], "/pub/manual/"),
        Fetched("http://b.example/pub/manual/4.html", None, 99),
        *site("b.example", None, range(50, 60)),
    ]
    found, missed = subtrees(crawl(tmp_path, pages))
    assert found == {
        ("a.example", "/manual/", "b.example", "/pub/manual/"): (6, 6, 5, 4),
    }
    assert missed == 0


def test_a_whole_host(tmp_path: Path) -> None:
    pages = [
        Fetched("http://a.example/", None, 1),
        Fetched("http://a.example/news/", None, 2),
        *site("a.example", None, range(3, 8), "/docs/"),
    ]
    copies = [Fetched(each.url.replace("//a", "//b"), None, each.says) for each in pages]
    found, _ = subtrees(crawl(tmp_path, [*pages, *copies]))
    assert found == {("a.example", "/", "b.example", "/"): (7, 7, 7, 7)}


def test_a_smaller_subtree_is_told_if_it_is_covered_better(tmp_path: Path) -> None:
    """/docs/ is the same on both; of the rest each has a lot of its own, at the same place."""
    pages = [page for host in "ab" for page in site(f"{host}.example", None, range(8), "/docs/")]
    pages += site("a.example", None, range(20, 40))
    pages += site("b.example", None, range(60, 80))
    found, _ = subtrees(crawl(tmp_path, pages))
    assert found == {("a.example", "/docs/", "b.example", "/docs/"): (8, 8, 8, 8)}


def test_version_folders_of_one_host(tmp_path: Path) -> None:
    """Whichever of two pages was crawled first, they say the same mapping."""
    old, new = (site("a.example", None, range(6), f"/{name}/api/") for name in ("v1", "v2"))
    chance = Random(1)
    mixed = [page for pair in zip(old, new, strict=True) for page in chance.sample(pair, 2)]
    assert {page.url.split("/")[3] for page in mixed[::2]} == {"v1", "v2"}
    found, _ = subtrees(crawl(tmp_path, mixed))
    assert found == {("a.example", "/v1/", "a.example", "/v2/"): (6, 6, 6, 6)}


def test_the_query_is_part_of_an_address(tmp_path: Path) -> None:
    pages = [
        Fetched(f"http://{host}.example/show?id={n}", None, n)
        for host, n in product("ab", range(4))
    ]
    found, _ = subtrees(crawl(tmp_path, pages))
    assert found == {("a.example", "/", "b.example", "/"): (4, 4, 4, 4)}


def test_other_names_are_no_mapping(tmp_path: Path) -> None:
    pages = site("a.example", None, range(5))
    pages += [Fetched(f"http://b.example/{n}.htm", None, n) for n in range(5)]
    assert subtrees(crawl(tmp_path, pages)) == ({}, 0)


def test_large_clusters_are_compared_with_their_first_page(tmp_path: Path) -> None:
    """35 copies of an index on one host: each with the first makes 34 pairs of 595."""
    pages = [Fetched(f"http://a.example/{n:02}/index.html", None, 1) for n in range(35)]
    found, missed = subtrees(crawl(tmp_path, pages), least=1)
    assert missed == 35 * 34 // 2 - 34
    assert len(found) == 34
    assert {(left, right) for _, left, _, right in found} == {
        ("/00/", f"/{n:02}/") for n in range(1, 35)
    }


def subtree(one: str, other: str, pages: int, matched: int) -> Subtree:
    return Subtree(Mapped(1, one, 2, other), "a", "b", pages, pages, matched, matched)


def test_the_next_larger_subtree_that_is_known() -> None:
    known = {
        each.mapped: each for each in (subtree("/", "/x/", 9, 9), subtree("/a/b/", "/x/a/b/", 3, 3))
    }
    assert parent(Mapped(1, "/a/b/", 2, "/x/a/b/"), known) == Mapped(1, "/", 2, "/x/")
    assert parent(Mapped(1, "/a/", 2, "/x/b/"), known) is None
    assert parent(Mapped(1, "/", 2, "/x/"), known) is None


@pytest.mark.parametrize(("matched", "larger"), [(60, True), (40, False)])
def test_clearly_better_is_by_a_quarter(matched: int, larger: bool) -> None:
    """The folders in it are covered by two thirds: 0.6 is near enough, 0.4 is not."""
    top = subtree("/", "/", 100, matched)
    inner = [subtree("/a/", "/a/", 30, 20), subtree("/b/", "/b/", 30, 20)]
    assert clearest([top, *inner]) == ([top] if larger else inner)


def test_a_folder_is_no_mirror_of_itself(tmp_path: Path) -> None:
    """Pages that say the same under one path, told apart by their queries alone."""
    pages = [Fetched(f"http://a.example/item?id={number}", None, 7) for number in range(6)]
    assert subtrees(crawl(tmp_path, pages)) == ({}, 0)
