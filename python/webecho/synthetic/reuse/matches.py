"""What section 4 of Baeza-Yates 2007 would find in a made-up web over time, from the truth alone.

A *match* is a new page and two old ones that answer the same query. Candidates are all that share a
paragraph; then come the six conditions of section 4.1, one after the other:

1. the new page shares the minimal number of distinct paragraphs with each old page;
2. both are answers to the same query;
3. at least two of the paragraphs from either are not in the other;
4. the address of the new page is not in the old collection;
5. of new pages that are duplicates the first one counts;
6. each two clusters of old pages count once.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from webecho.synthetic.reuse.conditions import FREQUENT
from webecho.synthetic.reuse.genealogy import Genealogy, read_genealogy, rows
from webecho.synthetic.reuse.texts import windows
from webecho.synthetic.snapshots import read_across

Window = tuple[int, ...]
DISTINCT = 2


class Match(NamedTuple):
    """A new page, two old ones, the lower number first, and a query."""

    new: int
    first: int
    second: int
    query: str


@dataclass(frozen=True)
class Matches:
    """The truth of a web over time, and what its queries lead to."""

    genealogy: Genealogy
    queries: pa.Table
    answers: pa.Table

    def asked(self, log: str, role: str = FREQUENT) -> list[str]:
        """The queries of a log that are looked at."""
        columns = rows(self.queries, "log", "role", "query")
        return sorted({text for name, how, text in columns if (name, how) == (log, role)})

    def left(
        self, queries: Collection[str], old: int, minimal: int, without: Collection[int] = ()
    ) -> list[Match]:
        """What is left of a snapshot and the next one under all conditions but some."""
        found = self.candidates(queries, old, 1 if 1 in without else minimal, 2 in without)
        if 3 not in without:
            found = (match for match in found if self.distinct(match, old))
        if 4 not in without:
            stays = {pair.new for pair in self.genealogy.pairs[old, old + 1] if pair.equivalent}
            found = (match for match in found if match.new not in stays)
        left = sorted(set(found))
        if 5 not in without:
            clusters = self.genealogy.pages[old + 1]
            first: dict[int, int] = {}
            for match in left:
                first.setdefault(clusters[match.new], match.new)
            left = [match for match in left if first[clusters[match.new]] == match.new]
        return left if 6 in without else list(self.once(left, old))

    def candidates(
        self, queries: Collection[str], old: int, minimal: int, any_query: bool
    ) -> Iterator[Match]:
        """By the first two conditions."""
        known = {one for text in queries for one in self.led_to.get((text, old), ())}
        sources: dict[int, list[int]] = {}
        for pair in self.genealogy.pairs[old, old + 1]:
            if pair.old in known and pair.shared >= minimal:
                sources.setdefault(pair.new, []).append(pair.old)
        if any_query:
            for new, pages in sources.items():
                # One page will do, with itself.
                for first, second in [*combinations(pages, 2), *((one, one) for one in pages)]:
                    yield Match(new, first, second, "")
            return
        for text in queries:
            led_to = self.led_to.get((text, old), set())
            for new, pages in sources.items():
                for first, second in combinations(sorted(led_to.intersection(pages)), 2):
                    yield Match(new, first, second, text)

    def distinct(self, match: Match, old: int) -> bool:
        """Whether there are enough paragraphs of either old page that the other does not have."""
        new = self.paragraphs[old + 1][match.new]
        first, second = (self.paragraphs[old][page] for page in (match.first, match.second))
        return len(new & first - second) >= DISTINCT <= len(new & second - first)

    def once(self, matches: list[Match], old: int) -> Iterator[Match]:
        """The first of all matches with the same two clusters of old pages."""
        clusters = self.genealogy.pages[old]
        seen: dict[tuple[int, ...], Match] = {}
        for match in matches:
            both = tuple(sorted((clusters[match.first], clusters[match.second])))
            if seen.setdefault(both, match).new == match.new:
                yield match

    @cached_property
    def led_to(self) -> dict[tuple[str, int], set[int]]:
        """By query and snapshot: the pages that the paper considers among its answers."""
        found: dict[tuple[str, int], set[int]] = {}
        for text, snapshot, page in rows(self.answers, "query", "snapshot", "page"):
            if page in self.genealogy.pages[snapshot]:
                found.setdefault((text, snapshot), set()).add(page)
        return found

    @cached_property
    def paragraphs(self) -> dict[int, dict[int, frozenset[Window]]]:
        """By snapshot and page: its distinct overlapping paragraphs."""
        found: dict[int, dict[int, frozenset[Window]]] = {}
        for snapshot, page, sentences in rows(
            self.genealogy.truth, "snapshot", "page", "sentences"
        ):
            found.setdefault(snapshot, {})[page] = frozenset(windows(sentences))
        return found


def read_matches(folder: str | Path) -> Matches:
    """What the truth of the web in a folder says."""
    tables = (read_across(folder, name) for name in ("queries", "answers"))
    return Matches(read_genealogy(folder), *tables)
