"""*Match*: a new document, two old ones that one query gave, and that query, which pass the first
four conditions (see reuse_conditions.py).

Old documents that share the same paragraphs with a new one are of one *kind*: no two of them pass
condition 3, so that only kinds are compared, and a thousand pages with the same navigation are one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa

from webecho.study.reuse_conditions import (
    Flags,
    Hits,
    Numbers,
    distinct_paragraphs,
    highest,
    new_address,
    one_of_duplicates,
    one_of_old_pairs,
    two_answers,
)

# Of more kinds those with the most paragraphs are compared.
MOST_KINDS = 1000


@dataclass(frozen=True)
class Similar:
    """A new document, the old ones that it is similar to, and for each of these the numbers of the
    shared paragraphs, one after the other from `starts` on."""

    new: int
    old: Numbers
    starts: Numbers
    paragraphs: Numbers

    @property
    def shared(self) -> Numbers:
        """How many it shares with each."""
        return np.diff(np.append(self.starts, len(self.paragraphs)))


@dataclass(frozen=True)
class Given:
    """By which queries each old page was given: those of page p, ascending, from `starts[p]` to
    `starts[p + 1]`."""

    starts: Numbers
    queries: Numbers

    @classmethod
    def of(cls, answers: pa.Table, pages: int) -> "Given":
        page = answers["page"].to_numpy()
        query = answers["query"].to_numpy()
        order = np.lexsort((query, page))
        counts = np.bincount(page, minlength=pages)
        return cls(np.concatenate([[0], np.cumsum(counts)]), query[order])


@dataclass(frozen=True)
class Together:
    """By which queries two old pages were given together: those of the n-th two, ascending, from
    `starts[n]` to `starts[n + 1]`. Each two have one at the least."""

    starts: Numbers
    queries: Numbers

    def given(self, queries: Flags) -> Flags:
        """Which two were given by any of these queries, a flag for each that there is."""
        if len(self.starts) < 2:
            return np.zeros(0, np.bool_)
        found: Flags = np.logical_or.reduceat(queries[self.queries], self.starts[:-1])
        return found

    def of(self, two: int) -> Numbers:
        return self.queries[self.starts[two] : self.starts[two + 1]]

    def some(self, kept: Numbers) -> "Together":
        """Those of some of the two."""
        starts, lengths = self.starts[kept], np.diff(self.starts)[kept]
        ends = np.concatenate([[0], np.cumsum(lengths)])
        at = np.repeat(starts - ends[:-1], lengths) + np.arange(ends[-1])
        return Together(ends, self.queries[at])


@dataclass(frozen=True)
class Matches:
    """All matches of two collections, sorted by the cluster of the new document, then by that, then
    by the old ones, which `two` numbers together: the queries that gave them are in `together`, for
    they do not hang on the new document.

    `cluster` and `pair` number the clusters of new documents, and the pairs of those of old ones;
    `shared` is the lesser of what the new document shares with `one` and with `other`.
    """

    new: Numbers
    one: Numbers
    other: Numbers
    shared: Numbers
    shared_one: Numbers
    shared_other: Numbers
    cluster: Numbers
    pair: Numbers
    two: Numbers
    pairs: int
    together: Together

    def some(self, rows: Any) -> "Matches":
        """Some of them, in the same order."""
        columns = {name: getattr(self, name)[rows] for name in COLUMNS}
        return Matches(**columns, pairs=self.pairs, together=self.together)

    def of_queries(self, queries: Flags) -> "Matches":
        """Those of these queries, a flag for each that there is."""
        return self.some(self.together.given(queries)[self.two])

    def at_least(self, minimal: int) -> "Matches":
        """Those with enough paragraphs, and no queries but theirs."""
        found = self.some(self.shared >= minimal)
        kept, two = np.unique(found.two, return_inverse=True)
        return replace(found, two=two, together=self.together.some(kept))


COLUMNS = (
    *("new", "one", "other", "shared", "shared_one", "shared_other"),
    *("cluster", "pair", "two"),
)


@dataclass
class Passed:
    """How many new documents pass the conditions so far: for each condition, and each log, the
    largest minimal number of each that passes with some."""

    most: dict[int, list[Numbers]] = field(default_factory=lambda: {2: [], 3: [], 4: []})
    left_out_kinds: int = 0

    def counts(self, condition: int, log: int, minimal: int) -> int:
        return sum(int(each[log] >= minimal) for each in self.most[condition])


def grouped(batches: Iterator[pa.RecordBatch]) -> Iterator[Similar]:
    """The new documents of `shared_paragraphs`, one after the other."""
    held: list[tuple[Numbers, Numbers, Numbers]] = []
    for batch in batches:
        new, old, paragraph = (batch[name].to_numpy() for name in ("new", "old", "paragraph"))
        cuts = np.flatnonzero(np.diff(new)) + 1
        ends = [*cuts, len(new)]
        start = 0
        for end in ends:
            if end == start:
                continue
            if held and held[0][0][0] != new[start]:
                yield one_document(held)
                held = []
            held.append((new[start:end], old[start:end], paragraph[start:end]))
            start = end
    if held:
        yield one_document(held)


def one_document(held: list[tuple[Numbers, Numbers, Numbers]]) -> Similar:
    new, old, paragraphs = (np.concatenate(each) for each in zip(*held, strict=True))
    starts = np.flatnonzero(np.diff(old, prepend=-1))
    numbers = np.unique(paragraphs, return_inverse=True)[1]
    return Similar(int(new[0]), old[starts], starts, numbers)


def kinds_of(similar: Similar) -> tuple[Numbers, Flags]:
    """For each old document its kind, and which paragraphs those of each kind share; of too many
    kinds those with few paragraphs have −1."""
    ends = np.append(similar.starts[1:], len(similar.paragraphs))
    sets = [
        np.sort(similar.paragraphs[start:end])
        for start, end in zip(similar.starts, ends, strict=True)
    ]
    numbers: dict[bytes, int] = {}
    first: list[Numbers] = []
    kinds = np.empty(len(sets), np.int64)
    for place, each in enumerate(sets):
        kind = numbers.setdefault(each.tobytes(), len(first))
        if kind == len(first):
            first.append(each)
        kinds[place] = kind
    kept = range(len(first))
    if len(first) > MOST_KINDS:
        by_size = sorted(kept, key=lambda kind: (-len(first[kind]), kind))
        kept_kinds = np.full(len(first), -1)
        kept_kinds[by_size[:MOST_KINDS]] = np.arange(MOST_KINDS)
        kinds = kept_kinds[kinds]
        first = [first[kind] for kind in by_size[:MOST_KINDS]]
    stands = np.zeros((len(first), int(similar.paragraphs.max(initial=-1)) + 1), np.bool_)
    for kind, each in enumerate(first):
        stands[kind, each] = True
    return kinds, stands


def hits_of(similar: Similar, given: Given) -> Hits:
    starts, ends = given.starts[similar.old], given.starts[similar.old + 1]
    counts = ends - starts
    place = np.repeat(np.arange(len(similar.old)), counts)
    at = np.repeat(starts - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
    query = given.queries[at + np.arange(len(at))]
    order = np.argsort(query, kind="stable")
    place, query = place[order], query[order]
    return Hits(query, place, similar.shared[place])


def pairs_within(query: Numbers, kind: Numbers, apart: Flags) -> tuple[Numbers, Numbers]:
    """The places of all two rows of the same query, sorted, whose kinds are apart."""
    lefts, rights = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    left = np.arange(len(query))
    for step in range(1, len(query)):
        left = left[left + step < len(query)]
        left = left[query[left] == query[left + step]]
        if not len(left):
            break
        good = left[apart[kind[left], kind[left + step]]]
        lefts.append(good)
        rights.append(good + step)
    return np.concatenate(lefts), np.concatenate(rights)


def find_matches(
    documents: Iterator[Similar],
    given: Given,
    logs: Flags,
    keys: tuple[dict[int, int], Numbers],
    clusters: tuple[Numbers, Numbers],
    passed: Passed,
) -> Matches:
    """The matches of these new documents, counted on the way.

    `logs` says for each log which queries it has, `keys` have the key of each new address by its
    page and all old ones sorted, and `clusters` those of all new and of all old pages.
    """
    new_keys, old_keys = keys
    new_clusters, old_clusters = clusters
    found: list[tuple[Numbers, ...]] = []
    for similar in documents:
        hits = hits_of(similar, given)
        two = two_answers(hits, logs)
        if not two.any():
            continue
        passed.most[2].append(two)
        kinds, stands = kinds_of(similar)
        passed.left_out_kinds += int((kinds < 0).sum())
        apart = distinct_paragraphs(stands)
        if not apart.any():
            continue
        any_apart: Flags = np.logical_or.reduce(apart, axis=1)
        useful = any_apart[kinds[hits.place]] & (kinds[hits.place] >= 0)
        query, place, shared = (each[useful] for each in (hits.query, hits.place, hits.shared))
        left, right = pairs_within(query, kinds[place], apart)
        lesser = np.minimum(shared[left], shared[right])
        three = highest(logs, query[left], lesser)
        if not three.any():
            continue
        passed.most[3].append(three)
        if not new_address(new_keys.get(similar.new), old_keys):
            continue
        passed.most[4].append(three)
        one, other = similar.old[place[left]], similar.old[place[right]]
        rows = (one, other, shared[left], shared[right])
        found.append(distinct_pairs(similar.new, rows))
    return matches_of(found, new_clusters, old_clusters, given)


def distinct_pairs(new: int, rows: tuple[Numbers, ...]) -> tuple[Numbers, ...]:
    """The different pairs of old documents, that with the lower number first."""
    one, other, of_one, of_other = rows
    turned = one > other
    one, other = np.where(turned, other, one), np.where(turned, one, other)
    of_one, of_other = np.where(turned, of_other, of_one), np.where(turned, of_one, of_other)
    order = np.lexsort((other, one))
    first = np.ones(len(order), np.bool_)
    first[1:] = (np.diff(one[order]) != 0) | (np.diff(other[order]) != 0)
    kept = order[first]
    columns = (each[kept] for each in (one, other, of_one, of_other))
    return (np.full(len(kept), new), *columns)


def matches_of(
    found: list[tuple[Numbers, ...]], new_clusters: Numbers, old_clusters: Numbers, given: Given
) -> Matches:
    empty = tuple(np.zeros(0, np.int64) for _ in range(5))
    columns = [np.concatenate(each) for each in zip(empty, *found, strict=True)]
    new, one, other, of_one, of_other = columns
    clusters = np.sort(np.stack([old_clusters[one], old_clusters[other]]), axis=0)
    pairs, pair = np.unique(clusters, axis=1, return_inverse=True)
    both, two = np.unique(np.stack([one, other]), axis=1, return_inverse=True)
    cluster = np.unique(new_clusters[new], return_inverse=True)[1]
    made = Matches(
        *(new, one, other, np.minimum(of_one, of_other), of_one, of_other),
        *(cluster, pair.ravel(), two.ravel(), pairs.shape[1]),
        given_together(both[0], both[1], given),
    )
    return made.some(np.lexsort((other, one, new, cluster)))


# Rows that are looked up at a time.
LOOKED_UP = 1 << 22


def given_together(one: Numbers, other: Numbers, given: Given) -> Together:
    """The queries that gave both pages, for each two."""
    lengths = np.diff(given.starts)
    # The shorter list is looked up in the other.
    less, more = np.where(lengths[one] <= lengths[other], [one, other], [other, one])
    pages = np.repeat(np.arange(len(lengths)), lengths)
    most = int(given.queries.max(initial=0)) + 1
    known = pages * most + given.queries
    ends = np.cumsum(lengths[less])
    starts, queries = [np.zeros(1, np.int64)], [np.zeros(0, np.int64)]
    first = 0
    while first < len(one):
        limit = (ends[first - 1] if first else 0) + LOOKED_UP
        last = max(first + 1, int(np.searchsorted(ends, limit, side="right")))
        count = lengths[less[first:last]]
        place = np.repeat(np.arange(last - first), count)
        begin = given.starts[less[first:last]] - np.concatenate([[0], np.cumsum(count)[:-1]])
        asked = given.queries[np.repeat(begin, count) + np.arange(len(place))]
        wanted = more[first:last][place] * most + asked
        at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
        there = known[at] == wanted
        queries.append(asked[there])
        starts.append(np.bincount(place[there], minlength=last - first))
        first = last
    return Together(np.cumsum(np.concatenate(starts)), np.concatenate(queries))


def left_by(matches: Matches) -> tuple[int, Numbers]:
    """How many new documents of these matches are left after condition 5, and which after 6."""
    first = one_of_duplicates(matches.new, matches.cluster)
    new, pair = matches.new[first], matches.pair[first]
    firsts = one_of_old_pairs(new, pair, matches.pairs)
    left = np.unique(firsts[firsts >= 0])
    return len(np.unique(new)), left
