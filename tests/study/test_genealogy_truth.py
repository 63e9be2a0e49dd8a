"""On a made-up web over time the tables are those of what was planted."""

from itertools import pairwise
from pathlib import Path

import pyarrow.compute as pc
import pytest

import webecho
from webecho.study.result import Study
from webecho.synthetic.reuse.genealogy import Counts, Descent, Genealogy, read_genealogy
from webecho.synthetic.reuse.making import write_reuse
from webecho.synthetic.snapshots import crawl_folder
from webecho.synthetic.web import Web

WEB = Web(pages=600, seed=11, reuse=True, snapshots=4, form="parquet")


@pytest.fixture(scope="module")
def workspaces(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("reused")
    write_reuse(WEB, folder / "web")
    found = [folder / f"{number}.echo" for number in range(1, WEB.snapshots + 1)]
    for number, path in enumerate(found, 1):
        webecho.sketch(crawl_folder(folder / "web", number), path, columns="none")
    return found


@pytest.fixture(scope="module")
def truth(workspaces: list[Path]) -> Genealogy:
    return read_genealogy(workspaces[0].parent / "web")


@pytest.fixture(scope="module")
def study(workspaces: list[Path]) -> Study:
    return webecho.study_genealogy(workspaces, parents=1000)


def counts(study: Study, way: str) -> list[Counts]:
    return [
        Counts(
            int(row["old"]),
            int(row["new"]),
            *(row[f"{what}, count {way}"] for what in ("parents", "children", "equivalents")),
        )
        for row in study.tables["counts"].to_pylist()
    ]


def test_tables_7_and_8_are_the_planted_ones(study: Study, truth: Genealogy) -> None:
    planted = truth.counted()
    assert min(each.children for each in planted) > 10
    assert counts(study, "all") == sorted(planted)
    paper = sorted(truth.counted_as_paper())
    assert counts(study, "paper") == paper
    # Which is something else.
    assert all(one.children < other.children for one, other in zip(paper, planted, strict=True))


def test_generations_are_the_planted_ones(study: Study, truth: Genealogy) -> None:
    found = [
        (int(row["oldest"]), int(row["newest"]), row["ancestors"], row["descendants"])
        for row in study.tables["generations"].to_pylist()
    ]
    planted: list[Descent] = truth.descents()
    assert [each[:4] for each in sorted(planted)] == found
    assert min(each.descendants for each in planted) > 0


def test_every_child_has_the_planted_parents(study: Study, truth: Genealogy) -> None:
    rows = study.tables["genealogy"]
    for old, new in truth.pairs:
        here = pc.and_(pc.equal(rows["old"], str(old)), pc.equal(rows["new"], str(new)))
        listed = rows.filter(here).select(["child", "parent", "shared_paragraphs"]).to_pylist()
        planted = truth.related(old, new, 10)
        assert [tuple(row.values()) for row in listed] == [pair[:3] for pair in planted]


def test_a_tree_has_the_planted_parents_and_children(
    workspaces: list[Path], truth: Genealogy
) -> None:
    """Of a page that has both: its parents in older snapshots, its children in newer ones."""
    last = len(workspaces)
    pages = truth.truth.to_pylist()
    urls = {(row["snapshot"], row["page"]): row["url"] for row in pages}
    address = next(
        urls[2, page]
        for page in truth.pages[2]
        if any(pair.new == page for pair in truth.related(1, 2, 10))
        and any(pair.old == page for pair in truth.related(2, 3, 10))
    )
    versions = [snapshot for (snapshot, _), url in urls.items() if url == address]
    page_of = {snapshot: page for (snapshot, page), url in urls.items() if url == address}
    first, newest = min(versions), max(versions)
    parents = {
        urls[old, pair.old]
        for old in range(1, newest)
        for pair in truth.related(old, newest, 10)
        if pair.new == page_of[newest]
    }
    children = {
        urls[new, pair.new]
        for new in range(first + 1, last + 1)
        for pair in truth.related(first, new, 10)
        if pair.old == page_of[first]
    }
    found = webecho.genealogy(workspaces, address, most=1000, depth=2).family
    assert {branch.member.url for branch in found.ancestors.branches} == parents
    assert {branch.member.url for branch in found.descendants.branches} == children
    assert children
    for tree, order in ((found.ancestors, -1), (found.descendants, 1)):
        for branch in tree.walk():
            for above, below in pairwise([branch.member, *(b.member for b in branch.branches[:1])]):
                assert (below.snapshot - above.snapshot) * order > 0
