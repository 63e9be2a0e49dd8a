"""What is done with a pack in its task: by the local kernels, which have its pages only."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.engine.local.engine import local_run
from webecho.engine.local.resemblances import Candidates, told_by_supershingles
from webecho.engine.local.similarities import Similarities, Sketches, similar_pairs
from webecho.engine.spark.compared_content import ComparedContent, PackContent, content_of
from webecho.engine.spark.key_stars import MANY, Keys, many_pages, stars_of
from webecho.engine.spark.packs import Answer
from webecho.engine.spark.search_keys import flat, positions
from webecho.group.evidence import Evidence
from webecho.group.hot_buckets import ALL_PAIRS, HotSettings, PairCounts
from webecho.group.partition import NO_SITE, numbered
from webecho.group.rules.checks import Agreement, EqualWords, Resemblance
from webecho.group.rules.keys import Bands, Supershingles
from webecho.group.rules.rule import Search
from webecho.settings import Recipe

TIES = pa.schema([("left", pa.int64()), ("right", pa.int64())])
REVISITS = pa.schema([("page", pa.int64()), ("content", pa.int64())])


@dataclass(frozen=True)
class Pack:
    """Pages, ascending, with what is compared of them. In the kernels they have the numbers from 0
    on, which their order leaves as it is."""

    rows: pa.Table
    searches: tuple[Search, ...]
    recipe: Recipe

    @cached_property
    def pages(self) -> pa.Array:
        return self.rows["page"].combine_chunks()

    @property
    def numbers(self) -> pa.Array:
        return pa.array(np.arange(len(self.rows), dtype=np.uint32))

    @property
    def partition(self) -> pa.Array | None:
        return self.column("partition", pa.uint32())

    def column(self, name: str, kind: pa.DataType) -> pa.Array | None:
        if name not in self.rows.column_names:
            return None
        return self.rows[name].combine_chunks().cast(kind)

    def values(self, name: str) -> pa.Array | None:
        """The lists of a column one after the other, if there is one."""
        return flat(self.rows[name]) if name in self.rows.column_names else None

    def sketches(self, numbers: pa.Array) -> Sketches:
        sites = pa.repeat(pa.scalar(NO_SITE, pa.uint32()), len(self.rows))
        if "site" in self.rows.column_names:
            sites = numbered([self.rows["site"].combine_chunks()], {None: NO_SITE})
        values = self.values("supershingles"), self.values("projection")
        return Sketches(numbers, sites, *values, self.partition)

    def candidates(self, column: str, bands: int, width: int) -> _core.Candidates:
        values = flat(self.rows[column])
        collected = _core.Bands(len(values) // max(len(self.rows), 1), width, 1)
        collected.begin(bands)
        collected.add(self.numbers, values, self.partition)
        return collected.close()

    def compared(self, content: PackContent | None = None) -> Candidates | Similarities:
        """The candidates with what decides on them: see `engine/local/comparing.py`."""
        match self.searches:
            case (Search(Bands() as keys, Resemblance(least) | EqualWords(least)),) if content:
                kernel = self.candidates("features", keys.bands, keys.width)
                found = self.content_evidence(content, kernel.members(), keys)
                return Candidates(kernel, found, least, content.kind.told, 1)
            case (Search(Supershingles(), Agreement(int(least_b), None, "any")),):
                count = self.recipe.supershingles
                kernel = self.candidates("supershingles", count, 1)
                found = self.evidence(kernel.members())
                return Candidates(kernel, found, least_b / count, told_by_supershingles, 1)
        return Similarities(self.sketches(self.numbers), self.searches, local_run())

    def measures(
        self, gone: pa.Array, stay: pa.Array, content: PackContent | None
    ) -> dict[str, pa.Array]:
        """What is measured of pairs of its pages, candidates or not."""
        match self.searches:
            case (Search(Bands() as keys, Resemblance() | EqualWords()),) if content:
                evidence = self.content_evidence(content, self.numbers, keys)
                return content.kind.told(evidence.kernel.measure(self.numbers, gone, stay, 1))
            case (Search(Supershingles(), Agreement(int(), None, "any")),):
                evidence = self.evidence(self.numbers)
                return told_by_supershingles(evidence.kernel.measure(self.numbers, gone, stay, 1))
        found = Similarities(self.sketches(self.numbers), self.searches, local_run())
        return found.measures(gone, stay)

    def evidence(self, members: pa.Array) -> Evidence:
        """The supershingles of some of its pages."""
        values = self.of_members(members, "supershingles")
        return Evidence(_core.Evidence(self.recipe.supershingles, values))

    def content_evidence(self, content: PackContent, members: pa.Array, keys: Bands) -> Evidence:
        """What is compared of some of its pages; a revisit has that of the page it repeats."""
        contents = pc.coalesce(self.rows["revisit_of"], self.rows["page"]).combine_chunks()
        features = self.of_members(members, "features")
        return content.evidence(contents.take(members), features, keys, self.recipe)

    def of_members(self, members: pa.Array, column: str) -> pa.Array:
        return flat(self.rows[column].combine_chunks().take(members))


@dataclass(frozen=True)
class PackTask:
    """What all tasks have."""

    searches: tuple[Search, ...]
    recipe: Recipe

    @property
    def content(self) -> ComparedContent | None:
        return content_of(self.searches)

    def opened(self, rows: pa.Table) -> tuple[Pack, Candidates | Similarities, list[Answer]]:
        """A pack, what decides on its pages, and what is to be told of what was missing."""
        members, content, answers = self.contents(rows)
        pack = Pack(members, self.searches, self.recipe)
        return pack, pack.compared(content), answers

    def contents(self, rows: pa.Table) -> tuple[pa.Table, PackContent | None, list[Answer]]:
        """The rows of members, their content, if it is compared, and why some is missing."""
        if self.content is None:
            return rows, None, []
        members, beside = self.content.apart(rows)
        return members, PackContent.of(self.content, beside), [*problems(beside)]


def problems(rows: pa.Table) -> Iterator[Answer]:
    """Why the first of the pages that could not be read again could not, if there are any."""
    missing = rows.filter(rows["problem"].is_valid()).sort_by("page")
    if len(missing):
        yield Answer("problem", missing.select(["problem"]).slice(0, 1), missing["page"][0].as_py())


class Sift(PackTask):
    """Which candidates stay such by their features: what shared bands hold together of them, each
    page tied to the lowest."""

    def __call__(self, rows: pa.Table) -> Iterator[Answer]:
        [search] = self.searches
        keys = search.keys
        if not isinstance(keys, Bands):
            raise TypeError(f"{keys} are not sifted")
        pack = Pack(rows, self.searches, self.recipe)
        kernel = pack.candidates("features", keys.bands, keys.width)
        m = self.recipe.m
        kernel.sift(pack.of_members(kernel.members(), "features"), m, keys.least)
        members = kernel.members()
        own = members.to_numpy().astype(np.int64)
        values = pack.of_members(members, "features").to_numpy().reshape(len(own), m)
        found = [Keys.of(band, key, None, own) for band, key in enumerate(positions(keys, values))]
        if pack.partition is not None:
            groups = pack.partition.take(members).to_numpy().astype(np.int64)
            found = [replace(each, k1=groups) for each in found]
        ties = stars_of(Keys.joined(found))
        forest = _core.Forest(len(pack.rows), 1)
        forest.unite(*(pa.array(each.astype(np.uint32)) for each in (ties.left, ties.right)))
        yield Answer("ties", tied(pack, forest))
        least, count = many_pages(ties.keys, MANY)
        lowest = pack.pages.take(pa.array(least))
        yield Answer("pairs", pa.table({"left": lowest, "pairs": count * (count - 1) // 2}))
        again = pack.column("revisit_of", pa.int64())
        if again is not None and again.null_count < len(again):
            content = again.take(members)
            page = pack.pages.take(members)
            revisits = pa.table({"page": page, "content": content}, schema=REVISITS)
            yield Answer("revisits", revisits.filter(content.is_valid()))


class Unite(PackTask):
    """What chains of pairs hold together, each page tied to the lowest."""

    def __call__(self, rows: pa.Table) -> Iterator[Answer]:
        pack, found, answers = self.opened(rows)
        yield from answers
        forest = _core.Forest(len(pack.rows), 1)
        found.unite(forest)
        yield Answer("ties", tied(pack, forest))


def tied(pack: Pack, forest: _core.Forest) -> pa.Table:
    """The pages of a pack that a forest has joined, each with the lowest of its tree."""
    names = forest.clusters()[0]
    moved = pc.not_equal(names, pack.numbers)
    left, right = pack.pages.filter(moved), pack.pages.take(names.filter(moved))
    return pa.table([left, right], schema=TIES)


@dataclass(frozen=True)
class Remove(PackTask):
    """Which pages go, with which, and what is measured of the two."""

    link: str
    fixed: int

    def __call__(self, rows: pa.Table) -> Iterator[Answer]:
        pack, found, answers = self.opened(rows)
        yield from answers
        ranks = pack.column("rank", pa.uint32())
        if ranks is None:
            raise RuntimeError("nothing says in which order pages stay")
        fixed = int(np.searchsorted(pack.pages.to_numpy(), self.fixed))
        if self.link == "kept":
            gone, stay = found.stars(ranks, fixed)
        else:
            forest = _core.Forest(len(pack.rows), 1)
            found.unite(forest)
            together = forest.firsts(ranks)
            moved = pc.not_equal(together, pack.numbers)
            gone, stay = pack.numbers.filter(moved), together.filter(moved)
        columns = {"gone": pack.pages.take(gone), "stay": pack.pages.take(stay)}
        yield Answer("gone", pa.table(columns | found.measures(gone, stay)))


@dataclass(frozen=True)
class Pairs(PackTask):
    """The pairs, and what was counted."""

    hot: HotSettings

    def __call__(self, rows: pa.Table) -> Iterator[Answer]:
        if self.content is not None:
            pack, found, answers = self.opened(rows)
            yield from answers
            if isinstance(found, Candidates):
                for batch in found.pairs():
                    yield Answer("pairs", numbered_pairs(pack, batch))
            return
        pack = Pack(rows, self.searches, self.recipe)
        # By their own numbers pairs of hot buckets are drawn.
        sketches = pack.sketches(pack.pages.cast(pa.uint32()))
        for number, search in enumerate(self.searches):
            counts = PairCounts()
            for batch in similar_pairs(sketches, [search], self.hot, counts, local_run()):
                yield Answer("pairs", pa.Table.from_batches([batch]))
            yield Answer("hot", pa.Table.from_batches(counts.hot_buckets), number)
            yield Answer("degrees", counts.degrees[0], number)
            yield Answer("counts", counted(counts), number)


class Links(PackTask):
    """Which pages make pairs, and nothing else of these."""

    def __call__(self, rows: pa.Table) -> Iterator[Answer]:
        pack, found, answers = self.opened(rows)
        yield from answers
        if isinstance(found, Candidates):
            batches = found.pairs()
        else:
            batches = similar_pairs(
                found.sketches, self.searches, ALL_PAIRS, PairCounts(), local_run()
            )
        for batch in batches:
            yield Answer("pairs", numbered_pairs(pack, batch.select(TIES.names)))


class Measure(PackTask):
    """What is measured of pages and those they go with, `stay`."""

    def __call__(self, rows: pa.Table) -> Iterator[Answer]:
        members, content, answers = self.contents(rows)
        yield from answers
        pack = Pack(members, self.searches, self.recipe)
        going = members["stay"].is_valid()
        gone = pack.numbers.filter(going.combine_chunks())
        stay = members["stay"].filter(going).combine_chunks()
        there = pc.index_in(stay, pack.pages).cast(pa.uint32())
        columns = {"gone": pack.pages.take(gone), "stay": stay}
        yield Answer("gone", pa.table(columns | pack.measures(gone, there, content)))


def numbered_pairs(pack: Pack, batch: pa.RecordBatch) -> pa.Table:
    """Pairs with the numbers of the pages."""
    table = pa.Table.from_batches([batch])
    for at, side in enumerate(("left", "right")):
        table = table.set_column(at, side, pack.pages.take(batch[side]))
    return table


COUNTED = ("pairs", "standard_error", "missed", "given", "comparisons")


def counted(counts: PairCounts) -> pa.Table:
    values: dict[str, list[Any]] = {name: [getattr(counts, name)] for name in COUNTED}
    return pa.table(values)
