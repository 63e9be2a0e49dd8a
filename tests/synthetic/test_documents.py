"""Webs of documents: what the truth says of paragraphs, components and links is so, by slow and
obvious counting."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.command import contents
from tests.kernel.reference_text import read_markup
from webecho.settings import WEBECHO
from webecho.synthetic.making import write_web
from webecho.synthetic.truth import kinds
from webecho.synthetic.truth_tables import planted_tables
from webecho.synthetic.variants import DOCUMENT_KINDS
from webecho.synthetic.web import COMPONENT_NAMES, Web

WEB = Web(pages=900, seed=5, duplicates=0.5, form="parquet", file_pages=300, graph=True)

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documents") / "web"
    write_web(WEB, folder)
    return folder


@pytest.fixture(scope="module")
def truth(folder: Path) -> Rows:
    rows: Rows = pq.read_table(folder / "truth.parquet").to_pylist()
    return rows


@pytest.fixture(scope="module")
def html(folder: Path) -> list[str]:
    pages: list[str] = pq.read_table(folder / "pages")["html"].to_pylist()
    return pages


def reached_from(starts: Iterable[int], links: dict[int, list[int]]) -> set[int]:
    found, waiting = set(starts), list(starts)
    while waiting:
        for target in links[waiting.pop()]:
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


def test_components_are_those_of_the_links(truth: Rows) -> None:
    forward = {row["page"]: row["links"] for row in truth}
    backward: dict[int, list[int]] = {row["page"]: [] for row in truth}
    for page, targets in forward.items():
        for target in targets:
            backward[target].append(page)
    start = next(row["page"] for row in truth if row["component"] == "core")
    after, before = reached_from([start], forward), reached_from([start], backward)
    core = after & before
    inward, out = before - core, after - core
    found = {
        page: "core" if page in core else "in" if page in inward else "out" if page in out else None
        for page in forward
    }
    from_in, to_out = reached_from(inward, forward), reached_from(out, backward)
    for page, name in found.items():
        if name is None:
            both = (page in from_in) + (page in to_out)
            found[page] = ("disconnected", "tendrils", "tubes")[both]
    assert found == {row["page"]: row["component"] for row in truth}
    assert set(found.values()) == set(COMPONENT_NAMES)
    # No other component that is strongly connected is as large: from outside none comes back.
    for page in set(forward) - core:
        assert page not in reached_from([t for t in forward[page] if t not in core], forward)


def test_pages_have_the_links_of_the_truth(truth: Rows, html: list[str]) -> None:
    pages = {row["url"]: row["page"] for row in truth}
    assert len(pages) == len(truth)
    areas = 0
    for row, page in zip(truth, html, strict=True):
        targets = [urljoin(row["url"], link) for link in re.findall(r'href="(.*?)"', page)]
        areas += page.count("<area ")
        outside = [target for target in targets if target not in pages]
        assert len(outside) == (row["page"] % 5 == 0)
        assert [pages[target] for target in targets if target in pages] == row["links"]
    assert areas > 50


def paragraphs(page: str) -> list[str]:
    """Three sentences each, a sentence up to a period."""
    text = " ".join("".join(read_markup(page, WEBECHO).pieces).split())
    sentences = [sentence.strip() + "." for sentence in text.split(".")]
    assert sentences.pop() == "."
    assert all(40 <= len(sentence) < 150 for sentence in sentences)
    assert len(sentences) % 3 == 0
    return [" ".join(sentences[start : start + 3]) for start in range(0, len(sentences), 3)]


def test_paragraphs_of_pages_are_those_of_the_truth(truth: Rows, html: list[str]) -> None:
    texts: dict[int, str] = {}
    for row, page in zip(truth, html, strict=True):
        found = paragraphs(page)
        assert len(found) == len(row["paragraphs"])
        for number, text in zip(row["paragraphs"], found, strict=True):
            assert texts.setdefault(number, text) == text
        characters = sum(map(len, found))
        assert row["short"] == (characters <= 400) == (characters < 480)
    # Two paragraphs that are not the same say not the same.
    assert len(set(texts.values())) == len(texts) > 3000


def test_truth_of_families(truth: Rows) -> None:
    assert {row["kind"] for row in truth} == set(DOCUMENT_KINDS)
    by_paragraphs: dict[tuple[int, ...], list[int]] = defaultdict(list)
    by_order: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for row in truth:
        by_paragraphs[tuple(sorted(row["paragraphs"]))].append(row["page"])
        by_order[tuple(row["paragraphs"])].append(row["page"])
    for row in truth:
        same = by_paragraphs[tuple(sorted(row["paragraphs"]))]
        assert row["paragraph_cluster"] == (None if row["short"] else min(same))
        assert row["identity"] == min(by_order[tuple(row["paragraphs"])])
        if row["original"] is None:
            assert row["common"] is None is row["share"]
            continue
        original = truth[row["original"]]
        assert original["cluster"] == row["cluster"] <= row["page"]
        ours, theirs = Counter(row["paragraphs"]), Counter(original["paragraphs"])
        assert row["common"] == (ours & theirs).total()
        assert row["share"] == row["common"] / max(ours.total(), theirs.total())
        assert (row["kind"] == "shared paragraphs") == bool(set(ours) - set(theirs))
        if row["kind"] == "repeated paragraph":
            # A false match: as many, and each is found in the original.
            assert ours.total() == theirs.total() and set(ours) < set(theirs)
        if row["kind"] == "other order":
            assert ours == theirs and row["identity"] != original["identity"]
    shares = Counter(row["share"] for row in truth if row["kind"] == "shared paragraphs")
    assert all(shares[share] >= 3 for share in (0.9, 0.7, 0.5)) and len(shares) > 15


def joined(documents: Rows, least: int) -> list[int]:
    """The sizes of the clusters that are joined by pairs with a share of so many percent."""
    name = {row["page"]: row["page"] for row in documents}

    def of(page: int) -> int:
        while name[page] != page:
            page = name[page]
        return page

    by_paragraph: dict[int, set[int]] = defaultdict(set)
    counts = {row["page"]: Counter(row["paragraphs"]) for row in documents}
    for page, numbers in counts.items():
        for number in numbers:
            by_paragraph[number].add(page)
    pairs = {pair for pages in by_paragraph.values() for pair in combinations(sorted(pages), 2)}
    for one, other in pairs:
        ours, theirs = counts[one], counts[other]
        if 100 * (ours & theirs).total() >= least * max(ours.total(), theirs.total()):
            name[of(one)] = of(other)
    return [*Counter(of(page) for page in name).values()]


def counted(sizes: list[int]) -> dict[str, float]:
    duplicates = sum(sizes) - len(sizes)
    return {
        "documents": sum(sizes),
        "clusters": sum(size > 1 for size in sizes),
        "duplicates": duplicates,
        "share": duplicates / sum(sizes),
    }


def test_tables_of_the_truth_are_those_that_counting_gives(folder: Path, truth: Rows) -> None:
    tables = planted_tables(pq.read_table(folder / "truth.parquet"))
    documents = [row for row in truth if not row["short"]]
    assert len(documents) < len(truth) - 30
    reached = [row for row in documents if row["component"] in ("core", "out")]
    unreached = [row for row in documents if row["component"] not in ("core", "out")]
    whole = counted(joined(documents, 100))
    assert tables["2"].to_pylist() == [whole]
    assert tables["3"].to_pylist() == [
        {"least": f"{least} %"} | counted(joined(documents, least)) for least in (90, 70, 50)
    ]
    parts = {"complete": documents, "reachable": reached, "unreachable": unreached}
    assert tables["4"].to_pylist() == [
        {"part": name} | counted(joined(rows, 100)) for name, rows in parts.items()
    ]
    shares = tables["4"]["share"].to_pylist()
    # What the web is made for: more duplicates where links do not lead.
    assert shares[2] > shares[0] > shares[1]
    members: dict[int, list[int]] = defaultdict(list)
    for row in documents:
        members[row["paragraph_cluster"]].append(row["page"])
    pages = {row["page"] for row in reached}
    for number, name, some in (
        ("5", "clusters", [each for each in members.values() if len(each) > 1]),
        ("6", "unique", [each for each in members.values() if len(each) == 1]),
    ):
        there = sum(not pages.isdisjoint(each) for each in some)
        row = {name: len(some), "in the reachable part": there, "share": there / len(some)}
        assert tables[number].to_pylist() == [row]


def test_large_clusters_are_of_one_host(truth: Rows) -> None:
    hosts: dict[int, list[str]] = defaultdict(list)
    for row in truth:
        hosts[row["cluster"]].append(row["host"])
    large = [found for found in hosts.values() if len(found) > 10]
    assert large and all(len(set(found)) == 1 for found in large)
    assert any(len(set(found)) > 1 for found in hosts.values())


def test_the_same_bytes_whatever_the_processes(tmp_path: Path, folder: Path) -> None:
    write_web(WEB, tmp_path / "web", processes=2)
    assert contents(tmp_path / "web") == contents(folder)


def test_from_python_and_as_warc(tmp_path: Path) -> None:
    asked = {"core": 3.0, "out": 1.0, "disconnected": 1.0}
    made = webecho.synth(tmp_path / "web", pages=400, graph=True, components=asked)
    assert set(made["component"].to_pylist()) == set(asked)
    sketches = webecho.sketch(tmp_path / "web" / "pages", columns=[])
    assert sketches["url"].equals(made["url"])
    short = pa.array([chars <= 450 for chars in sketches["chars"].to_pylist()])
    assert made["short"].combine_chunks().equals(short)
    told = {row["kind"]: row for row in kinds(made).to_pylist()}
    assert told["same paragraphs"]["lowest share"] == 1.0
    assert sum(row["documents"] for row in told.values()) == 400


def test_a_web_may_be_all_core_and_without_copies(tmp_path: Path) -> None:
    made = write_web(
        replace(WEB, pages=60, duplicates=0, components=(("core", 1.0),)), tmp_path / "web"
    )
    assert set(made["component"].to_pylist()) == {"core"}
    tables = planted_tables(made)
    assert tables["2"]["duplicates"].to_pylist() == [0]
    assert tables["4"]["documents"].to_pylist()[1:] == [tables["2"]["documents"][0].as_py(), 0]
