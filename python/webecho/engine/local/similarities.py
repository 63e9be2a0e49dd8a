"""*B-similar*, *C-similar*: pages of which enough supershingles, or bits of the projection, agree.

The kernel brings pages together that share a supershingle, or a *piece* of their projections, and
gives each pair once; hot buckets give a sample of theirs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.group.columns import flat_lists
from webecho.group.hot_buckets import ALL_PAIRS, HotSettings, PairCounts
from webecho.group.pair_columns import SIMILARITIES
from webecho.group.partition import site_numbers
from webecho.group.rules.checks import Agreement
from webecho.group.rules.keys import Pieces
from webecho.group.rules.rule import Search
from webecho.run import Run
from webecho.workspace.mapped import mapped_values
from webecho.workspace.union import Pages

# A hundred thousand pages in a bucket: 2³³ comparisons, some ten seconds on two cores.
COMPARISONS = 1 << 33


@dataclass(frozen=True)
class Sketches:
    """What is compared of some pages; the values lie in mapped files. With `partition`, a number
    for each page, only pages of the same number are."""

    pages: pa.Array
    sites: pa.Array
    supershingles: pa.Array | None
    projections: pa.Array | None
    partition: pa.Array | None = None

    @classmethod
    def of(
        cls,
        workspace: Pages,
        wanted: pa.Array,
        needed: Sequence[str],
        read: Sequence[str] = ("supershingles", "projection"),
        partition: pa.Array | None = None,
    ) -> "Sketches":
        """Of the wanted pages what is needed, and of the rest of `read` what there is."""
        for column in needed:
            workspace.require(column)
        pages: pa.Array = pa.array([], pa.uint32())
        found: dict[str, pa.Array] = {}
        columns = workspace.pieces[-1][0].manifest.columns
        for column in (each for each in read if each in columns):
            numbers = [pa.array([], pa.uint32())]

            def values(
                column: str = column, numbers: list[pa.Array] = numbers
            ) -> Iterator[pa.Array]:
                for rows, flat in flat_lists(workspace, column, wanted):
                    numbers.append(rows.cast(pa.uint32()))
                    yield flat

            found[column] = mapped_values(values())
            pages = pa.concat_arrays(numbers)
        sites = site_numbers(workspace).take(pages)
        lists = found.get("supershingles"), found.get("projection")
        return cls(pages, sites, *lists, None if partition is None else partition.take(pages))

    def search(self, search: Search, run: Run, hot: HotSettings = ALL_PAIRS) -> _core.Pairing:
        limits = {
            "hot": hot.hot,
            "sample": hot.drawn,
            "seed": hot.seed % 2**64,
            "comparisons": COMPARISONS,
        }
        return _core.Pairing(
            self.pages,
            self.sites,
            self.supershingles,
            self.projections,
            kernel_settings(search) | limits,
            run.threads,
            self.partition,
        )


def kernel_settings(search: Search) -> dict[str, Any]:
    """What the kernel is to look for."""
    keys, check = search.keys, search.check
    if not isinstance(check, Agreement):
        raise TypeError(f"{check} is not about similarities")
    asked = {
        "least_b": check.least_b or 0,
        "least_c": check.least_c or 0,
        "sites": check.sites,
        "pieces": 0,
        "asked": None,
    }
    if isinstance(keys, Pieces):
        return asked | {"by": "projections", "pieces": keys.count, "asked": keys.asked}
    return asked | {"by": "supershingles"}


def similar_pairs(
    sketches: Sketches,
    searches: Sequence[Search],
    hot: HotSettings,
    counts: PairCounts,
    run: Run,
) -> Iterator[pa.RecordBatch]:
    """The pairs of all searches, in batches of `SIMILARITIES`."""
    for each in searches:
        search = sketches.search(each, run, hot)
        while (batch := search.next()) is not None:
            yield pa.RecordBatch.from_arrays(batch.columns, schema=SIMILARITIES)
        add(counts, search)


def add(counts: PairCounts, search: _core.Pairing) -> None:
    """Adds what a search has counted."""
    pairs, missed, comparisons, given = search.counts
    hot = search.hot_buckets()
    counts.pairs += pairs
    counts.missed += missed
    counts.comparisons += comparisons
    counts.given += given
    errors = pc.sum(pc.multiply(hot["standard_error"], hot["standard_error"])).as_py() or 0.0
    counts.standard_error = (counts.standard_error**2 + errors) ** 0.5
    counts.hot_buckets.append(hot)
    pages, degrees = search.degrees()
    names = {"page": pages.cast(pa.int64()), "degree": degrees.cast(pa.int64())}
    counts.degrees.append(pa.table(names))


@dataclass(frozen=True)
class Similarities:
    """Searches among the same pages, in which nothing is hot."""

    sketches: Sketches
    searches: tuple[Search, ...]
    run: Run
    # Similarities are never estimated.
    estimated: None = None

    def unite(self, forest: _core.Forest) -> None:
        """Joins what a chain of pairs holds together."""
        for search in self.searches:
            self.sketches.search(search, self.run).unite(forest)

    def stars(self, ranks: pa.Array, fixed: int) -> tuple[pa.Array, pa.Array]:
        """The pages that go, and those they go with; a rank is given for every page."""
        searches = [self.sketches.search(search, self.run) for search in self.searches]
        return _core.pair_stars(searches, ranks.take(self.sketches.pages), fixed)

    def measures(self, gone: pa.Array, stay: pa.Array) -> dict[str, pa.Array]:
        """What is measured of pairs of pages: columns of `REMOVED`."""
        found = self.sketches.search(self.searches[0], self.run).measure(gone, stay)
        return {name: found[name] for name in ("b_similarity", "c_similarity")}
