"""What section 5 of Baeza-Yates 2007 would report of a made-up web over time, from the truth alone.

Counting all goes by Definition 9: an old page that shares the minimal number of paragraphs with a
new page of another address is a parent, that page a child. Counting as the paper does goes through
the pairs that share more than that number, by the new page and then the old, as Figure 6 has it:
the first pair of an old page that is still there counts it as an equivalent and nothing else; any
other makes the new page a child, unless it or a duplicate of it is one, and then the old page a
parent, once. A page's own later version is no child; the listing, taken by the letter, has it as
one if the old page was met before. Only documents that the paper considers are counted.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from webecho.synthetic.reuse.truth import read_reuse
from webecho.synthetic.snapshots import read_across

MINIMAL = 10


class Pair(NamedTuple):
    """A new page and an old one, by their numbers, and the paragraphs that they share; equivalent,
    if they are one document."""

    new: int
    old: int
    shared: int
    equivalent: bool = False


class Counts(NamedTuple):
    """A column of Table 7 or 8."""

    old: int  # the snapshots
    new: int
    parents: int
    children: int
    equivalents: int


class Descent(NamedTuple):
    """Who descends from whom over so many snapshots, from each to the next."""

    old: int
    new: int
    ancestors: int
    descendants: int
    pairs: int


@dataclass(frozen=True)
class Genealogy:
    """The truth of all snapshots, and the pairs of pages with their shared paragraphs."""

    truth: pa.Table
    copies: pa.Table
    equivalents: pa.Table

    @cached_property
    def pages(self) -> dict[int, dict[int, int]]:
        """By snapshot: the pages that the paper considers, each with its cluster of duplicates."""
        columns = ("snapshot", "page", "considered", "paragraph_cluster")
        found: dict[int, dict[int, int]] = {}
        for snapshot, page, considered, cluster in rows(self.truth, *columns):
            some = found.setdefault(snapshot, {})
            if considered:
                some[page] = cluster
        return found

    @cached_property
    def pairs(self) -> dict[tuple[int, int], list[Pair]]:
        """By old and new snapshot: all pairs, in the order of the new pages and then the old."""
        snapshots = sorted(self.pages)
        found: dict[tuple[int, int], list[Pair]] = {
            (old, new): [] for old in snapshots for new in snapshots if old < new
        }
        columns = ("parent_snapshot", "child_snapshot", "child_page", "parent_page", "shared")
        for old, new, child, parent, shared in rows(self.copies, *columns):
            found[old, new].append(Pair(child, parent, shared))
        columns = ("old_snapshot", "new_snapshot", "new_page", "old_page", "shared")
        for old, new, page, before, shared in rows(self.equivalents, *columns):
            found[old, new].append(Pair(page, before, shared, True))
        return {
            (old, new): sorted(
                pair for pair in some if pair.old in self.pages[old] and pair.new in self.pages[new]
            )
            for (old, new), some in found.items()
        }

    def related(self, old: int, new: int, least: int) -> list[Pair]:
        """Parents and children by Definition 9."""
        return [
            pair for pair in self.pairs[old, new] if pair.shared >= least and not pair.equivalent
        ]

    def counted(self, least: int = MINIMAL) -> list[Counts]:
        """Tables 7 and 8 by Definitions 8 and 9."""
        found = []
        for (old, new), some in self.pairs.items():
            pairs = self.related(old, new, least)
            parents, children = {pair.old for pair in pairs}, {pair.new for pair in pairs}
            equivalents = sum(pair.equivalent for pair in some)
            found.append(Counts(old, new, len(parents), len(children), equivalents))
        return found

    def counted_as_paper(self, least: int = MINIMAL) -> list[Counts]:
        """Tables 7 and 8 as Figure 6 counts."""
        return [self.figure_6(old, new, least) for old, new in self.pairs]

    def figure_6(self, old: int, new: int, least: int) -> Counts:
        columns = rows(self.equivalents, "old_snapshot", "new_snapshot", "old_page")
        still_there = {page for before, after, page in columns if (before, after) == (old, new)}
        seen: set[int] = set()
        parents: set[int] = set()
        children: set[int] = set()  # by their clusters
        equivalents = 0
        for pair in self.pairs[old, new]:
            if pair.shared <= least:
                continue
            first = pair.old not in seen
            seen.add(pair.old)
            if first and pair.old in still_there:
                equivalents += 1
            elif not pair.equivalent:
                cluster = self.pages[new][pair.new]
                if cluster not in children:
                    children.add(cluster)
                    parents.add(pair.old)
        return Counts(old, new, len(parents), len(children), equivalents)

    def descents(self, least: int = MINIMAL) -> list[Descent]:
        """Grandparents and those before them, by the recursive definition: a child of a child,
        each in the next snapshot."""
        found = []
        last = max(self.pages)
        for old in range(1, last - 1):
            pairs = {(pair.old, pair.new) for pair in self.related(old, old + 1, least)}
            for new in range(old + 2, last + 1):
                below: dict[int, list[int]] = {}
                for pair in self.related(new - 1, new, least):
                    below.setdefault(pair.old, []).append(pair.new)
                pairs = {(one, child) for one, other in pairs for child in below.get(other, ())}
                ancestors, descendants = {one for one, _ in pairs}, {one for _, one in pairs}
                found.append(Descent(old, new, len(ancestors), len(descendants), len(pairs)))
        return found


def read_genealogy(folder: str | Path) -> Genealogy:
    """What the truth of the web in a folder says."""
    tables = (read_across(folder, name) for name in ("copies", "equivalents"))
    return Genealogy(read_reuse(folder), *tables)


def rows(table: pa.Table, *names: str) -> Iterator[tuple[Any, ...]]:
    """The rows of some columns."""
    return zip(*(table[name].to_pylist() for name in names), strict=True)
