"""Matches held against looking at every new page, every query and every two old pages."""

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pytest

from webecho.study import reuse_matches
from webecho.study.answers import ANSWERS
from webecho.study.reuse_matches import (
    Given,
    Matches,
    Passed,
    find_matches,
    given_together,
    grouped,
    kinds_of,
    left_by,
)


class Case(NamedTuple):
    """Paragraphs of pages, which queries gave old ones, clusters, and pages of old addresses."""

    old: list[set[int]]
    new: list[set[int]]
    answers: list[list[int]]
    old_clusters: list[int]
    new_clusters: list[int]
    known: set[int]


def drawn(seed: int) -> Case:
    chance = Random(seed)
    old = [{chance.randrange(40) for _ in range(chance.randint(3, 16))} for _ in range(14)]
    new = [{chance.randrange(60) for _ in range(chance.randint(3, 30))} for _ in range(12)]
    answers = [chance.sample(range(14), chance.randint(0, 7)) for _ in range(9)]

    def clusters(count: int) -> list[int]:
        return [min(page, chance.randrange(count)) for page in range(count)]

    return Case(
        old, new, answers, first_of(clusters(14)), first_of(clusters(12)), {chance.randrange(12)}
    )


def first_of(clusters: list[int]) -> list[int]:
    """Clusters that are called by their lowest page."""
    return [clusters.index(each) for each in clusters]


def batches(case: Case, least: int) -> Iterator[pa.RecordBatch]:
    """Shared paragraphs some at a time, as the database gives them."""
    rows = [
        (new, old, paragraph)
        for new, paragraphs in enumerate(case.new)
        for old, theirs in enumerate(case.old)
        if len(paragraphs & theirs) >= least
        for paragraph in sorted(paragraphs & theirs)
    ]
    several = {new for new, _, _ in rows if len({old for each, old, _ in rows if each == new}) > 1}
    kept = [row for row in rows if row[0] in several]
    for start in range(0, len(kept), 7):
        some = zip(*kept[start : start + 7], strict=True)
        yield pa.record_batch([pa.array(each) for each in some], names=["new", "old", "paragraph"])


def found_in(case: Case, logs: list[set[int]], passed: Passed) -> Matches:
    rows = [
        (query, rank, page)
        for query, pages in enumerate(case.answers)
        for rank, page in enumerate(pages, 1)
    ]
    columns = np.array(rows, np.int64).reshape(-1, 3).T
    flags = np.array([[query in log for query in range(len(case.answers))] for log in logs])
    keys = {page: page for page in range(len(case.new))}
    return find_matches(
        grouped(batches(case, 2)),
        Given.of(pa.table([*columns], schema=ANSWERS), len(case.old)),
        flags,
        (keys, np.array(sorted(case.known))),
        (np.array(case.new_clusters), np.array(case.old_clusters)),
        passed,
    )


def slow(case: Case, log: set[int], minimal: int) -> list[set[int]]:
    """The new pages that pass the conditions 2, 3 and 4, and those left after 5 and 6."""
    matches = [
        (new, one, other, query)
        for new in range(len(case.new))
        for query in sorted(log)
        for one, other in combinations(sorted(case.answers[query]), 2)
        if min(len(case.new[new] & case.old[old]) for old in (one, other)) >= minimal
    ]

    def apart(new: int, one: int, other: int) -> bool:
        ours, theirs = case.new[new] & case.old[one], case.new[new] & case.old[other]
        return len(ours - theirs) >= 2 and len(theirs - ours) >= 2

    third = [match for match in matches if apart(*match[:3])]
    fourth = [match for match in third if match[0] not in case.known]
    first: dict[int, int] = {}
    for match in fourth:
        first.setdefault(case.new_clusters[match[0]], match[0])
    fifth = [match for match in fourth if match[0] in first.values()]
    pairs: dict[frozenset[int], int] = {}
    for match in sorted(fifth):
        both = frozenset(case.old_clusters[page] for page in match[1:3])
        pairs.setdefault(both, match[0])
    stages = [{match[0] for match in each} for each in (matches, third, fourth, fifth)]
    return [*stages, {*pairs.values()}]


@pytest.mark.parametrize("seed", range(25))
def test_as_by_looking_at_all(seed: int) -> None:
    case = drawn(seed)
    logs = [{0, 1, 2, 3, 4}, {3, 4, 5, 6, 7, 8}]
    passed = Passed()
    found = found_in(case, logs, passed)
    for number, log in enumerate(logs):
        flags = np.array([query in log for query in range(len(case.answers))])
        for minimal in (2, 3, 4, 5):
            two, three, four, five, six = slow(case, log, minimal)
            assert passed.counts(2, number, minimal) == len(two)
            assert passed.counts(3, number, minimal) == len(three)
            assert passed.counts(4, number, minimal) == len(four)
            count, left = left_by(found.at_least(minimal).of_queries(flags))
            assert count == len(five) and {*left.tolist()} == six


def test_there_is_something_to_look_at() -> None:
    sizes = [len(slow(drawn(seed), {0, 1, 2, 3, 4}, 3)[-1]) for seed in range(25)]
    assert sum(sizes) > 30


def test_of_too_many_kinds_those_with_the_most_paragraphs_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    [similar] = grouped(
        iter(
            [
                pa.record_batch(
                    [pa.array([7] * 6), pa.array([1, 1, 2, 3, 3, 4]), pa.array([5, 6, 5, 5, 6, 6])],
                    names=["new", "old", "paragraph"],
                )
            ]
        )
    )
    kinds, stands = kinds_of(similar)
    assert kinds.tolist() == [0, 1, 0, 2]
    assert stands.tolist() == [[True, True], [True, False], [False, True]]
    monkeypatch.setattr(reuse_matches, "MOST_KINDS", 2)
    kinds, stands = kinds_of(similar)
    assert kinds.tolist() == [0, 1, 0, -1]
    assert stands.tolist() == [[True, True], [True, False]]


def test_queries_of_two_pages_are_looked_up_some_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance = np.random.default_rng(1)
    pages = [np.flatnonzero(chance.random(20) < 0.4) for _ in range(10)]
    sizes = [len(each) for each in pages]
    given = Given(np.concatenate([[0], np.cumsum(sizes)]), np.concatenate(pages))
    both = [
        (one, other)
        for one, other in combinations(range(10), 2)
        if len(np.intersect1d(pages[one], pages[other]))
    ]
    monkeypatch.setattr(reuse_matches, "LOOKED_UP", 10)
    found = given_together(*np.array(both).T, given)
    for two, (one, other) in enumerate(both):
        assert found.of(two).tolist() == np.intersect1d(pages[one], pages[other]).tolist()
    flags = np.zeros(20, np.bool_)
    flags[[3, 4]] = True
    assert found.given(flags).tolist() == [
        bool({3, 4} & {*found.of(two)}) for two in range(len(both))
    ]
    kept = found.some(np.array([2, 5]))
    assert [kept.of(0).tolist(), kept.of(1).tolist()] == [
        found.of(2).tolist(),
        found.of(5).tolist(),
    ]
