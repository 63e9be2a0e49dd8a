"""What the truth says of pages and of their changes is counted again in the pages themselves."""

import re
from collections import Counter
from itertools import pairwise, zip_longest

import pytest

from tests.synthetic.evolving.conftest import SNAPSHOTS, Evolved, Row, tokens


def shingles(html: str) -> set[tuple[str, ...]]:
    words = tokens(html)
    return set(zip(*(words[start:] for start in range(5)), strict=False))


def slow_resemblance(one: str, other: str) -> float:
    left, right = shingles(one), shingles(other)
    return len(left & right) / len(left | right)


def test_words_are_the_tokens_of_the_page(evolved: Evolved) -> None:
    for snapshot in (1, 4):
        for url, row in evolved.truths[snapshot].items():
            assert row["words"] == len(tokens(evolved.html[snapshot][url]))


def test_changes_are_of_successive_snapshots_that_have_the_page(evolved: Evolved) -> None:
    found = {(row["url"], row["from_snapshot"], row["to_snapshot"]) for row in all_changes(evolved)}
    assert len(found) == len(all_changes(evolved))
    expected = set()
    for url in {url for truth in evolved.truths.values() for url in truth}:
        there = [number for number in SNAPSHOTS if url in evolved.truths[number]]
        expected |= {(url, *pair) for pair in pairwise(there)}
    assert found == expected
    # Some were absent for a snapshot.
    assert any(to - since > 1 for _, since, to in found)


def all_changes(evolved: Evolved) -> list[Row]:
    return evolved.table("changes")


def test_words_changed_are_recounted(evolved: Evolved) -> None:
    for row in all_changes(evolved):
        before = evolved.html[row["from_snapshot"]][row["url"]]
        after = evolved.html[row["to_snapshot"]][row["url"]]
        old, new = tokens(before), tokens(after)
        assert row["page_words"] == len(new)
        assert row["words"] == sum(one != other for one, other in zip_longest(old, new))
        if row["kind"] == "none":
            assert before == after
        elif row["kind"] == "markup":
            assert before != after
            assert old == new
        else:
            assert old != new


def test_resemblances_are_recounted(evolved: Evolved) -> None:
    rows = [row for row in all_changes(evolved) if row["words"]][::7]
    assert len(rows) > 150
    for row in rows:
        pages = (evolved.html[row[name]][row["url"]] for name in ("from_snapshot", "to_snapshot"))
        assert row["resemblance"] == pytest.approx(slow_resemblance(*pages))
    for row in all_changes(evolved):
        assert (row["resemblance"] == 1.0) or row["words"]


def test_kinds_of_change(evolved: Evolved) -> None:
    counts = Counter(row["kind"] for row in all_changes(evolved))
    assert set(counts) == {
        *("none", "markup", "volatile", "few", "some", "many", "all"),
        *("leave", "return", "join"),
    }
    one_step = [
        row for row in all_changes(evolved) if row["to_snapshot"] - row["from_snapshot"] == 1
    ]
    # What else differs on every visit is some numbers in one line.
    volatile = ("time stamp", "execution time", "visitor count")
    for row in one_step:
        own = evolved.truths[row["to_snapshot"]][row["url"]]
        if row["kind"] == "few" and not any(own[name.replace(" ", "_")] for name in volatile):
            # Those of the family, and those of the page by itself.
            assert 1 <= row["words"] <= 10
        elif row["kind"] == "volatile":
            assert 1 <= row["words"] <= 6
        elif row["kind"] == "all":
            assert row["words"] > 0.8 * row["page_words"]
    nothing_left = [row for row in one_step if row["kind"] == "all" and row["resemblance"] == 0]
    assert len(nothing_left) > 10


def test_memberships_change_as_the_changes_say(evolved: Evolved) -> None:
    for row in all_changes(evolved):
        before = evolved.truths[row["from_snapshot"]][row["url"]]
        after = evolved.truths[row["to_snapshot"]][row["url"]]
        if row["kind"] == "leave":
            assert after["kind"] == "original"
            assert after["family"] != before["family"]
        elif row["kind"] == "return":
            assert (before["follows"], after["follows"]) == (False, True)
        elif row["kind"] == "join":
            assert after["family"] != before["family"]
            assert after["kind"] == "exact copy"
        elif row["kind"] not in ("all", "markup", "none"):
            assert after["family"] == before["family"]


def test_resemblance_to_the_original(evolved: Evolved) -> None:
    checked = 0
    for snapshot in (2, 4):
        urls = {row["page"]: url for url, row in evolved.truths[snapshot].items()}
        for url, row in evolved.truths[snapshot].items():
            assert (row["kind"] == "original") == (row["resemblance"] is None)
            if row["original"] is None:
                continue
            original = evolved.html[snapshot][urls[row["original"]]]
            assert row["resemblance"] == pytest.approx(
                slow_resemblance(original, evolved.html[snapshot][url])
            )
            assert evolved.truths[snapshot][urls[row["original"]]]["family"] == row["family"]
            checked += 1
    assert checked > 1000


def test_mirrors_have_the_pages_of_their_originals_at_the_lag(evolved: Evolved) -> None:
    lags = Counter[int]()
    for snapshot in SNAPSHOTS:
        for url, row in evolved.truths[snapshot].items():
            if row["mirrors"] is None:
                continue
            then = max(1, snapshot - row["lag"])
            before = evolved.html[then].get(row["mirrors"])
            if before is not None:
                assert evolved.html[snapshot][url] == before
                lags[row["lag"]] += 1
    assert min(lags[lag] for lag in (0, 1, 2)) > 50


def test_followers_follow_their_anchor(evolved: Evolved) -> None:
    for snapshot in SNAPSHOTS:
        truth = evolved.truths[snapshot]
        seen = {
            row["page"]: " ".join(re.sub(r"<[^>]*>", " ", evolved.html[snapshot][url]).split())
            for url, row in truth.items()
        }
        families = set()
        for row in truth.values():
            assert (row["follows"] is None) == (row["rate"] is None)
            if row["follows"] and row["original"] is not None:
                assert seen[row["page"]] == seen[row["original"]]
                # It stands for its cluster.
                assert row["original"] == row["cluster"]
                families.add(row["family"])
            elif row["follows"] is False:
                assert list(seen.values()).count(seen[row["page"]]) == 1
        # The third crawl lost some hosts.
        assert len(families) == 30 or snapshot == 3
