"""Clusters are the connected components of the pairs, and equal what brute force finds."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

import webecho
import webecho.memory as memory_module
from tests.collections_made import (
    EXACT,
    NEAR,
    Page,
    as_jsonl,
    as_parquet,
    edited,
    many_pages,
    markup,
    page,
    prose,
    small_web,
)
from tests.command import contents, done
from webecho.engine.local import resemblances
from webecho.engine.local.engine import local_run
from webecho.engine.local.resemblances import rounds
from webecho.group.rules.registry import rule as named_rule
from webecho.memory import grouping
from webecho.workspace.layout import Layout
from webecho.workspace.workspace import Workspace

RULES = ("tokens", "very-similar", "virtually-identical", "similar")


def groups(rows: Iterable[dict[str, Any]]) -> list[set[int]]:
    """The clusters of two pages and more."""
    found: dict[int, set[int]] = {}
    for row in rows:
        found.setdefault(row["cluster"], set()).add(row["page"])
    return [group for group in found.values() if len(group) > 1]


def chains(count: int, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """For every page the lowest one of its component, by scipy."""
    edges = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
    graph = coo_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(count, count))
    _, labels = connected_components(graph, directed=False)
    lowest: dict[int, int] = {}
    for number, label in enumerate(labels):
        lowest.setdefault(label, number)
    return [lowest[label] for label in labels]


def near_copies() -> list[Page]:
    """Texts that are edited further and further, so that all numbers of supershingles agree."""
    pages = []
    for seed in range(8):
        text = prose(seed, 150)
        for edits in range(16):
            places = [9 * place + 5 for place in range(edits)]
            pages.append(markup(edited(text, *places)))
        pages += [pages[-1], pages[-5]]
    return [page(number, html) for number, html in enumerate(pages + many_texts())]


def many_texts() -> list[str]:
    return [each.html for each in small_web()]


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clusters")
    pages = as_parquet(folder / "pages.parquet", near_copies())
    done("sketch", pages, "-o", folder / "crawl.echo", "--part-pages", 30)
    return folder / "crawl.echo"


def agreeing(crawl: Path, least: int) -> set[tuple[int, int]]:
    """All pairs with the same tokens or bytes, or so many equal supershingles: every page with
    every other."""
    rows = Workspace.open(crawl).table().to_pylist()
    found = set()
    for left in rows:
        for right in rows[left["page"] + 1 :]:
            if left["digest"] is None or right["digest"] is None:
                raw = left["markup_digest"]
                same = left["digest"] is right["digest"] and raw is not None
                if same and raw == right["markup_digest"]:
                    found.add((left["page"], right["page"]))
                continue
            both = zip(left["supershingles"], right["supershingles"], strict=True)
            if left["digest"] == right["digest"] or sum(a == b for a, b in both) >= least:
                found.add((left["page"], right["page"]))
    return found


@pytest.mark.parametrize(("rule", "least"), [("very-similar", 2), ("virtually-identical", 6)])
def test_fetterlys_rules_equal_brute_force(crawl: Path, rule: str, least: int) -> None:
    expected = agreeing(crawl, least)
    pairs = webecho.pairs(str(crawl), rule).to_pylist()
    assert [(row["left"], row["right"]) for row in pairs] == sorted(expected)
    table = webecho.clusters(str(crawl), rule)
    assert table["cluster"].to_pylist() == chains(table.num_rows, expected)
    # The example says something: some pairs agree in one supershingle only, some in three.
    assert agreeing(crawl, 1) > agreeing(crawl, 2) > agreeing(crawl, 4) > agreeing(crawl, 6)


@pytest.mark.parametrize("recipe", ["fetterly2004", "henzinger2006"])
def test_the_papers_recipes_equal_brute_force_too(tmp_path: Path, recipe: str) -> None:
    pages = as_jsonl(tmp_path / "pages.jsonl", near_copies()[:60])
    done("sketch", pages, "-o", tmp_path / "w.echo", "--recipe", recipe)
    expected = agreeing(tmp_path / "w.echo", 2)
    found = webecho.pairs(str(tmp_path / "w.echo"), "very-similar").to_pylist()
    assert {(row["left"], row["right"]) for row in found} == expected
    assert len(expected) > 20


@pytest.mark.parametrize(
    ("rule", "resemblance"),
    [*((rule, None) for rule in RULES[:3]), ("similar", 0.5), ("similar", 0.8), ("similar", 1.0)],
)
def test_clusters_are_the_components_of_the_pairs(
    crawl: Path, rule: str, resemblance: float | None
) -> None:
    pairs = webecho.pairs(str(crawl), rule, resemblance).to_pylist()
    table = webecho.clusters(str(crawl), rule, resemblance)
    rows = table.to_pylist()
    edges = {(row["left"], row["right"]) for row in pairs}
    assert len(edges) == len(pairs)
    assert all(left < right for left, right in edges)
    assert table["page"].to_pylist() == list(range(table.num_rows))
    assert table["cluster"].to_pylist() == chains(table.num_rows, edges)
    sizes: dict[int, int] = {}
    for row in rows:
        sizes[row["cluster"]] = sizes.get(row["cluster"], 0) + 1
    assert [row["size"] for row in rows] == [sizes[row["cluster"]] for row in rows]
    assert len(groups(rows)) > 3


def test_the_small_web_has_the_clusters_it_was_made_with(tmp_path: Path) -> None:
    pages = str(as_jsonl(tmp_path / "pages.jsonl", small_web()))
    assert groups(webecho.clusters(pages, "tokens").to_pylist()) == EXACT
    assert groups(webecho.clusters(pages, "similar").to_pylist()) == NEAR
    # Page 4 has 196 of 206 shingles in common with 0; page 5 only 191 of 211 with 1.
    near = [{0, 2, 3, 4}, {8, 9}, {11, 13}]
    assert groups(webecho.clusters(pages, "similar", 0.94).to_pylist()) == near
    assert groups(webecho.clusters(pages, "similar", 0.96).to_pylist()) == EXACT


def test_empty_pages_stay_alone_under_every_rule(tmp_path: Path) -> None:
    empty = ["", "", "<p></p>", "<p></p>", " ", "  ", "...", "<hr>", "...", "<script>x</script>"]
    pages = as_jsonl(tmp_path / "pages.jsonl", [page(i, html) for i, html in enumerate(empty)])
    for rule in RULES:
        found = groups(webecho.clusters(str(pages), rule).to_pylist())
        assert found == [{2, 3}, {6, 8}]


def test_short_pages_that_differ_are_not_merged(tmp_path: Path) -> None:
    texts = ["yes", "no", "two words", "words two", "not found", "Not Found!", "a b c", "a b d"]
    texts += [
        "你好",
        "您好",
        "สวัสดี",
        "สวัสดีครับ",
        "नमस्ते",
        "नमस्कार",
        "مرحبا",
        "안녕",
        "안녕히",
        "1",
        "2",
    ]
    pages = as_jsonl(tmp_path / "pages.jsonl", [page(i, html) for i, html in enumerate(texts)])
    for rule in RULES:
        assert groups(webecho.clusters(str(pages), rule).to_pylist()) == [{4, 5}]


def test_every_page_comes_with_its_url_and_id(tmp_path: Path) -> None:
    web = small_web()
    table = webecho.clusters(str(as_jsonl(tmp_path / "pages.jsonl", web)), "tokens")
    assert table.column_names == ["page", "cluster", "size", "url", "id"]
    assert table["url"].to_pylist() == [each.url for each in web]
    assert table["id"].to_pylist() == [each.id for each in web]


def test_what_is_returned_is_what_is_written(crawl: Path) -> None:
    for rule, name in [("tokens", "tokens"), ("similar", "similar-0.8")]:
        returned = webecho.clusters(str(crawl), rule)
        assert pq.read_table(Layout(crawl).clusters(name)).equals(returned)


@pytest.mark.parametrize("rule", RULES)
def test_a_small_memory_budget_changes_nothing(
    crawl: Path, rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With room for eight rows the pages are gone through some twenty times."""
    workspace, chosen = Workspace.open(crawl), named_rule(rule)
    run = local_run()
    usual = run.engine.clusters(workspace, chosen, run).table
    monkeypatch.setattr(memory_module, "SORTING", 1000)
    asked = []

    def counted(bands: int, pages: int, memory: int | None) -> list[int]:
        asked.append(rounds(bands, pages, memory))
        return asked[-1]

    monkeypatch.setattr(resemblances, "rounds", counted)
    floor = grouping(workspace.pages)
    for memory in (floor, floor + 3000, floor + 30_000):
        run = local_run(memory=memory)
        assert run.engine.clusters(workspace, chosen, run).table.equals(usual)
    run = local_run(memory=floor - 1)
    with pytest.raises(webecho.MemoryBudgetError, match=r"give --memory \d+MB or more"):
        run.engine.clusters(workspace, chosen, run)
    if rule == "similar":
        assert max(map(len, asked)) == 16


def test_pairs_are_the_same_within_a_small_budget(crawl: Path) -> None:
    for rule in RULES:
        done("pairs", crawl, "--rule", rule)
        done("clusters", crawl, "--rule", rule)
    usual = contents(crawl)
    for rule in RULES:
        done("pairs", crawl, "--rule", rule, "--memory", "300MB", "--threads", 1)
        done("clusters", crawl, "--rule", rule, "--memory", "300MB", "--threads", 2)
    assert contents(crawl) == usual


def test_many_pages_of_one_text_are_one_cluster(tmp_path: Path) -> None:
    """A thousand copies make half a million pairs; clusters must not need them."""
    pages = [page(number, "<p>we are closed for the holidays</p>") for number in range(1000)]
    table = webecho.clusters(str(as_jsonl(tmp_path / "pages.jsonl", pages)))
    assert set(table["cluster"].to_pylist()) == {0}
    assert set(table["size"].to_pylist()) == {1000}


def test_a_chain_of_small_changes_is_one_cluster(tmp_path: Path) -> None:
    """The ends have nothing in common, but each is near to the next."""
    text, pages = prose(1, 104), []
    for number in range(20):
        text = edited(text, *range(5 * number, 5 * number + 5))
        pages.append(page(number, f"<p>{' '.join(text)}</p>"))
    source = str(as_jsonl(tmp_path / "pages.jsonl", pages))
    assert groups(webecho.clusters(source, "similar", 0.8).to_pylist()) == [set(range(20))]
    pairs = webecho.pairs(source, "similar", 0.8).to_pylist()
    assert {(row["left"], row["right"]) for row in pairs} == {(i, i + 1) for i in range(19)}


def test_clusters_of_more_pages_than_a_row_group(tmp_path: Path) -> None:
    web = many_pages(17_000, words=12)
    pages = as_parquet(tmp_path / "pages.parquet", web, rows=5000)
    done("sketch", pages, "-o", tmp_path / "w.echo")
    table = webecho.clusters(str(tmp_path / "w.echo"), "tokens")
    texts: dict[str, int] = {}
    expected = [
        texts.setdefault(each.html.partition("<p>")[2] + each.html.partition("</title>")[0], number)
        for number, each in enumerate(web)
    ]
    assert table["cluster"].to_pylist() == expected
