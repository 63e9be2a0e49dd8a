"""Rules and their pairs, on a few addresses by hand; and of half of the pages on the other half."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.command import done
from tests.crawling.conftest import Crawled
from webecho.api.runs import as_run
from webecho.crawling.url_rules import HOLDS, UrlRule, directed, held_against, learn
from webecho.crawling.visits import add_addresses
from webecho.engine.protocol import Database
from webecho.group.keeping import Keep, ranks
from webecho.group.rules.registry import rule
from webecho.study.shares import wilson
from webecho.workspace.workspace import Workspace

Split = Callable[[str], bytes]


def rules_of(*pages: tuple[str, str], least: float = 0.0) -> list[dict[str, object]]:
    """The rules that addresses with these texts teach."""
    table = pa.table({"url": [url for url, _ in pages], "text": [text for _, text in pages]})
    found: list[dict[str, object]] = webecho.savings(table, least=least).rules.to_pylist()
    return found


def named(row: dict[str, object]) -> tuple[object, ...]:
    return tuple(row[name] for name in ("host", "way", "rule", "into", "pairs", "contradictions"))


def test_a_parameter_that_changes_nothing() -> None:
    rows = rules_of(
        *(
            (f"http://h.a/x?id={page}&sid={sid}", f"page {page}")
            for page in (1, 2)
            for sid in "pqr"
        ),
        ("http://h.a/x?id=1", "page 1"),
    )
    # Of the first page three addresses are pairs with that without it, of the second two.
    assert [*map(named, rows)] == [("h.a", "parameter", "sid", "", 5, 0)]
    assert (rows[0]["low"], rows[0]["high"]) == wilson(1.0, 2)
    assert (rows[0]["places"], rows[0]["share"]) == (2, 1.0)


def test_a_rule_that_most_pairs_contradict_is_none() -> None:
    pages = [(f"http://h.a/x?id={number}", f"page {number // 2}") for number in range(6)]
    assert rules_of(*pages) == []
    some = [*pages[:2], ("http://h.a/x", "page 0"), ("http://h.a/x?id=9", "page 9")]
    [row] = rules_of(*some)
    assert named(row) == ("h.a", "parameter", "id", "", 2, 1)
    assert (row["status"], row["canonical"], row["deny"]) == ("contradicted", False, False)


def test_www_and_scheme_go_where_the_first_pages_are() -> None:
    texts = [f"page {number}" for number in range(3)]
    bare = [(f"http://h.a/{text[-1]}", text) for text in texts]
    www = [(f"http://www.h.a/{text[-1]}", text) for text in texts]
    [row] = rules_of(*bare, *www)
    assert named(row) == ("www.h.a", "www", "www.h.a", "h.a", 3, 0)
    [row] = rules_of(*www, *bare)
    assert named(row) == ("www.h.a", "www", "h.a", "www.h.a", 3, 0)
    safe = [(url.replace("http", "https"), text) for url, text in bare]
    [row] = rules_of(*safe, *bare)
    assert named(row) == ("h.a", "scheme", "http", "https", 3, 0)


def test_the_shortest_prefix_that_holds_is_told() -> None:
    doubled = [
        (f"http://h.a/{version}/api/c/{number}", f"page {number}")
        for version in ("v1", "v2")
        for number in range(4)
    ]
    [row] = rules_of(*doubled)
    assert named(row) == ("h.a", "prefix", "/v2/", "/v1/", 4, 0)
    other = [(f"http://h.a/{version}/news", f"news of {version}") for version in ("v1", "v2")]
    rows = rules_of(*doubled, *other)
    assert [*map(named, rows)] == [
        ("h.a", "prefix", "/v2/api/", "/v1/api/", 4, 0),
        ("h.a", "prefix", "/v2/", "/v1/", 4, 1),
    ]


def test_which_of_two_prefixes_goes() -> None:
    assert directed("/mirror/", "/", 0, 9) == ("/mirror/", "/")
    assert directed("/a/", "/b/", 1, 3) == ("/b/", "/a/")
    assert directed("/long/", "/b/", 2, 2) == ("/long/", "/b/")


def test_too_few_pairs_are_called_so() -> None:
    pages = [(f"http://h.a/x?sid={sid}", "the page") for sid in range(9)]
    [row] = rules_of(*pages, least=0.7)
    # Eight pairs of one place are one witness.
    assert (row["pairs"], row["places"], row["status"]) == (8, 1, "too few")


def by_page(url: str) -> bytes:
    """Any half of the pages: three in four pairs are lost."""
    return url.encode()


def by_name(url: str) -> bytes:
    """Pages of one name in one half, so that pairs stay together."""
    return url.partition("?")[0].rpartition("/")[2].encode()


def halves(folder: Path, pages: pa.Table, split: Split) -> tuple[Workspace, Workspace]:
    sides = [hashlib.md5(split(url)).digest()[0] % 2 for url in pages["url"].to_pylist()]
    found = []
    for side in (0, 1):
        file = folder / f"{side}.parquet"
        pq.write_table(pages.filter(pa.array([each == side for each in sides])), file)
        done("sketch", "-q", file, "-o", folder / f"{side}.echo")
        found.append(Workspace.open(folder / f"{side}.echo"))
    return found[0], found[1]


def learned_and_tested(one: Workspace, other: Workspace) -> list[tuple[UrlRule, UrlRule]]:
    run = as_run()

    def add(database: Database, workspace: Workspace) -> None:
        order = ranks(workspace, [Keep("first")])
        stars = run.engine.stars(workspace, rule("text"), "kept", order, run)
        add_addresses(database, workspace, stars, order)

    with run.database() as database:
        add(database, one)
        learned = learn(database, one, 0.7)
    with run.database() as database:
        add(database, other)
        return held_against(database, other, learned, 0.7)


def check_halves(folder: Path, pages: pa.Table) -> None:
    """Of what one half teaches, nine in ten hold on the other within the interval: the share of the
    other where pairs stay together; where few are left, a share that the other does not refuse."""
    (folder / "name").mkdir()
    (folder / "page").mkdir()
    found = learned_and_tested(*halves(folder / "name", pages, by_name))
    within = [mine.low <= theirs.share <= mine.high for mine, theirs in found]
    assert len(found) >= 10
    assert sum(within) >= 0.9 * len(within)
    # What goes into the lists holds there without exception.
    sure = [theirs for mine, theirs in found if mine.status == HOLDS]
    assert sure
    assert all(theirs.contradictions == 0 for theirs in sure)
    found = learned_and_tested(*halves(folder / "page", pages, by_page))
    within = [mine.low <= theirs.high and theirs.low <= mine.high for mine, theirs in found]
    assert len(found) >= 10
    assert sum(within) >= 0.9 * len(within)


def test_rules_of_one_half_hold_on_the_other(tmp_path: Path, crawled: Crawled) -> None:
    sketches = crawled.workspace.table()
    # The digest of the text stands for the text.
    texts = [digest.hex() for digest in sketches["text_digest"].to_pylist()]
    check_halves(tmp_path, pa.table({"url": sketches["url"], "text": texts}))


@pytest.mark.data
def test_rules_of_one_half_of_a_snapshot_hold_on_the_other(tmp_path: Path, data: Path) -> None:
    check_halves(tmp_path, pq.read_table(data / "snapshots" / "3.parquet", columns=["url", "html"]))
