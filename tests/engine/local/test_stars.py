"""What stays, against a slow and obvious implementation over all pairs."""

import random
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import webecho
from tests.collections_made import as_jsonl, as_warc, edited, prose
from tests.collections_made import page as made_page
from webecho.engine.local.stars import needed_memory
from webecho.group.rules.registry import RULES
from webecho.group.rules.registry import rule as named_rule
from webecho.memory import deduplicating, grouping, pairing
from webecho.workspace.workspace import Workspace

WORDS = 96
# Such as leave some families together and part others.
GIVEN: dict[str, dict[str, Any]] = {
    "similar": {"resemblance": 0.7},
    "edited": {"equal_words": 0.96},
    "b": {"least_b": 3},
    "c": {"least_c": 350},
    "combined": {"least_b": 1, "least_c": 345},
    "by-site": {"least_b": 1, "least_c": 340, "least_c_across": 350},
    "overlap": {"chunk": "words:3:sliding", "shared": 86},
}


def family(seed: int, count: int) -> list[str]:
    """Texts that were made from one another, each with up to three words changed."""
    chance = random.Random(seed)
    texts = [prose(seed, WORDS)]
    for _ in range(count - 1):
        changes = [chance.randrange(WORDS) for _ in range(chance.randrange(4))]
        texts.append(edited(chance.choice(texts), *changes))
    return [" ".join(text) for text in texts]


def collection(seed: int, families: int = 6, count: int = 12) -> pa.Table:
    """Families in a shuffled row, with values to keep by, dates and groups, not all known."""
    texts = [text for number in range(families) for text in family(seed * 100 + number, count)]
    chance = random.Random(seed)
    chance.shuffle(texts)
    total = len(texts)
    return pa.table(
        {
            "text": texts,
            "url": [
                f"http://h{chance.randrange(3)}.example/{'x' * chance.randrange(9)}" for _ in texts
            ],
            "date": [chance.choice([None, f"2020-01-{1 + row % 28:02d}"]) for row in range(total)],
            "score": [chance.choice([None, 1.5, 2.5, 3.5]) for _ in texts],
            "lang": [chance.choice([None, "a", "b"]) for _ in texts],
        }
    )


def order_by(table: pa.Table, keep: str) -> list[int]:
    """The pages in keep order."""
    values = {
        "first": lambda _: 0,
        "longest": lambda row: -len(row["text"]),
        "shortest-url": lambda row: len(row["url"]),
        "earliest": lambda row: row["date"] and int(row["date"].replace("-", "")),
        "latest": lambda row: row["date"] and -int(row["date"].replace("-", "")),
        "max:score": lambda row: row["score"] and -row["score"],
        "min:score": lambda row: row["score"],
    }
    found = [values[keep](row) for row in table.to_pylist()]
    return sorted(range(len(found)), key=lambda page: (found[page] is None, found[page] or 0, page))


def pairs_of(table: pa.Table, rule: str) -> set[tuple[int, int]]:
    if rule == "overlap":
        return sharing(table["text"].to_pylist(), GIVEN[rule]["shared"])
    pairs = webecho.pairs(table, rule, **GIVEN.get(rule, {}))
    return set(zip(pairs["left"].to_pylist(), pairs["right"].to_pylist(), strict=True))


def sharing(texts: list[str], shared: int) -> set[tuple[int, int]]:
    """The pairs of texts that share so many different runs of three words."""
    lists = [text.split() for text in texts]
    runs = [{*zip(words, words[1:], words[2:], strict=False)} for words in lists]
    pairs = combinations(range(len(runs)), 2)
    return {(one, other) for one, other in pairs if len(runs[one] & runs[other]) >= shared}


def everywhere(_: int) -> object:
    """All pages are of one group."""


def slow(
    table: pa.Table,
    rule: str,
    order: list[int],
    link: str = "kept",
    *,
    group: Callable[[int], object] = everywhere,
    fixed: int = 0,
) -> dict[int, int]:
    """For each page the one it goes with. The first page of an identity set stands for it, but by
    paragraphs there are none."""
    texts = table["text"].to_pylist()
    firsts: dict[object, int] = {}
    first_of = {}
    for page in order:
        same = page if rule == "paragraphs" else (texts[page], group(page))
        first_of[page] = firsts.setdefault(same, page)
    pairs = set()
    for each in {group(page) for page in order}:
        there = sorted(page for page in firsts.values() if group(page) == each)
        here = pairs_of(table.take(there), rule)
        pairs |= {(there[left], there[right]) for left, right in here}
    stars = slow_stars if link == "kept" else slow_chains
    goes_with = stars([page for page in order if first_of[page] == page], pairs, fixed)
    return {page: page if page < fixed else goes_with[first_of[page]] for page in order}


def slow_stars(order: list[int], pairs: set[tuple[int, int]], fixed: int) -> dict[int, int]:
    """Each page goes with the first that stays, if it is held together with one."""
    stay: list[int] = []
    goes_with = {}
    for page in order:
        near = [kept for kept in stay if (min(kept, page), max(kept, page)) in pairs]
        goes_with[page] = near[0] if near and page >= fixed else page
        if goes_with[page] == page:
            stay.append(page)
    return goes_with


def slow_chains(order: list[int], pairs: set[tuple[int, int]], _: int) -> dict[int, int]:
    """Each page goes with the first of those that chains lead to."""
    together = {page: {page} for page in order}
    for left, right in pairs:
        both = together[left] | together[right]
        for page in both:
            together[page] = both
    return {page: min(together[page], key=order.index) for page in order}


def found(result: webecho.Deduplicated) -> dict[int, int]:
    clusters = result.clusters
    return dict(zip(clusters["page"].to_pylist(), clusters["cluster"].to_pylist(), strict=True))


def deduplicated(table: pa.Table, rule: str, **more: object) -> webecho.Deduplicated:
    return webecho.dedup(table, rule=rule, **GIVEN.get(rule, {}), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    "keep",
    ["first", "longest", "shortest-url", "earliest", "latest", "max:score", "min:score"],
)
def test_each_page_goes_with_the_first_that_stays(rule: str, keep: str) -> None:
    table = collection(1)
    expected = slow(table, rule, order_by(table, keep))
    result = deduplicated(table, rule, keep=keep)
    assert found(result) == expected
    assert 5 < len(result.duplicates) < len(table) - 5
    assert result.kept["text"].to_pylist() == [
        text for page, text in enumerate(table["text"].to_pylist()) if expected[page] == page
    ]


@pytest.mark.parametrize("rule", RULES)
def test_chains_hold_together_what_pairs_join(rule: str) -> None:
    table = collection(2)
    for keep in ("first", "max:score"):
        result = deduplicated(table, rule, link="chain", keep=keep)
        assert found(result) == slow(table, rule, order_by(table, keep), "chain")


@given(st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_any_collection(seed: int) -> None:
    table = collection(seed, families=3, count=10)
    expected = slow(table, "similar", order_by(table, "min:score"))
    assert found(deduplicated(table, "similar", keep="min:score")) == expected


@pytest.mark.parametrize(
    ("within", "by"), [("host", None), ("site", None), ("collection", "lang"), ("host", "lang")]
)
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("link", ["kept", "chain"])
def test_pages_are_compared_within_their_groups(
    rule: str, link: str, within: str, by: str | None
) -> None:
    table = collection(3, count=30)
    rows = table.to_pylist()

    def group(page: int) -> tuple[object, ...]:
        host = rows[page]["url"].split("/")[2]
        # A site is what comes before a public suffix: here each host is one.
        return host if within != "collection" else None, rows[page]["lang"] if by else None

    result = deduplicated(table, rule, link=link, within=within, by=by)
    assert found(result) == slow(table, rule, order_by(table, "first"), link, group=group)
    assert len(result.duplicates) > 3


@pytest.mark.parametrize("link", ["kept", "chain"])
@pytest.mark.parametrize("rule", RULES)
def test_what_an_earlier_collection_has_goes(tmp_path: Path, rule: str, link: str) -> None:
    """What stays of the old pages comes first, and none of it goes."""
    texts = [row["text"] for row in collection(4).to_pylist()]
    cut = len(texts) // 2
    pages = [made_page(number, text) for number, text in enumerate(texts)]
    old = as_jsonl(tmp_path / "old.jsonl", pages[:cut])
    new = as_jsonl(tmp_path / "new.jsonl", pages[cut:])
    given = {"rule": rule, "link": link} | GIVEN.get(rule, {})
    before = webecho.dedup(old, tmp_path / "old", **given)
    assert 0 < len(before.duplicates) < cut - 5
    result = webecho.dedup(new, tmp_path / "new", against=tmp_path / "old.echo", **given)
    assert 0 < len(result.duplicates) < len(texts) - cut
    kept = [*before.kept["page"].to_pylist(), *range(cut, len(texts))]
    table = pa.table(
        {"text": [texts[each] for each in kept], "url": [pages[each].url for each in kept]}
    )
    first = len(before.kept)
    expected = slow(table, rule, [*range(len(table))], link, fixed=first)
    clusters = {
        row["page"] + first: kept.index(row["cluster"])
        if row["kept_in"]
        else row["cluster"] + first
        for row in result.clusters.to_pylist()
    }
    assert clusters == {each: stays for each, stays in expected.items() if each >= first}


def test_pages_that_are_no_documents_are_not_compared_by_paragraphs() -> None:
    long, short = " ".join(prose(1, 200)), "one page. two sentences. three."
    table = pa.table({"text": [long, short, long, short, long.upper()]})
    result = webecho.dedup(table, rule="paragraphs")
    assert found(result) == {0: 0, 1: 1, 2: 0, 3: 3, 4: 4}
    assert result.duplicates["rule"].to_pylist() == ["paragraphs"]
    assert result.duplicates["agrees"].to_pylist() == ["payload"]
    assert result.summary["counts"]["kept, not compared"] == 2


@pytest.mark.parametrize("link", ["kept", "chain"])
def test_shared_chunks_are_counted_in_little_memory(link: str) -> None:
    table = collection(5, families=8, count=20)
    expected = slow(table, "overlap", order_by(table, "longest"), link)
    result = deduplicated(table, "overlap", keep="longest", link=link, memory="650MB")
    assert found(result) == expected


def test_what_is_measured_of_shared_chunks() -> None:
    """94 runs of three words; a changed word within takes three of them away."""
    words = prose(1, WORDS)
    texts = [
        words,
        edited(words, 40),
        edited(words, 40),
        edited(words, 0),
        edited(words, 40, 50, 60),
    ]
    table = pa.table({"text": [" ".join(text) for text in texts]})
    rows = deduplicated(table, "overlap").duplicates.to_pylist()
    told = [(row["page"], row["kept_page"], row["rule"], row["shared_chunks"]) for row in rows]
    # Copies are found first; what was counted of the one that stands for them is theirs too.
    assert told == [(1, 0, "overlap", 91), (2, 0, "overlap", 91), (3, 0, "overlap", 93)]
    assert [row["containment"] for row in rows] == [91 / 94, 91 / 94, 93 / 94]
    assert [row["resemblance"] for row in rows] == [91 / 97, 91 / 97, 93 / 95]
    assert {row["agrees"] for row in rows} == {"near"}


def test_the_least_memory_is_by_what_is_held_of_every_page(tmp_path: Path) -> None:
    texts = [(f"d{number}", " ".join(prose(number, 20))) for number in range(4)]
    lines = as_jsonl(tmp_path / "a.jsonl", [made_page(name, text) for name, text in texts])
    webecho.sketch(lines, tmp_path / "a.echo")
    workspace, similar = Workspace.open(tmp_path / "a.echo"), named_rule("similar")
    first, last = (pa.array(ranks, pa.uint32()) for ranks in ([0, 1, 2, 3], [3, 2, 1, 0]))
    assert needed_memory(workspace, similar, first, None) == deduplicating(4)
    assert needed_memory(workspace, similar, last, None) == grouping(4)
    assert needed_memory(workspace, similar, first, first) == grouping(4)
    assert needed_memory(workspace, named_rule("c"), first, None) == pairing(4)
    archive = as_warc(tmp_path / "a.warc.gz", [made_page(name, text) for name, text in texts])
    webecho.sketch(archive, tmp_path / "b.echo")
    records = Workspace.open(tmp_path / "b.echo")
    assert needed_memory(records, similar, first, None) == grouping(4)
