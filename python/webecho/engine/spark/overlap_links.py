"""Pages that share chunks, for clusters and stars: executors compare them, and what is known of
each page is a few numbers at the driver, as in the local engine."""

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from webecho.engine.local.overlap_links import OverlapLinks
from webecho.engine.spark.chunk_frames import (
    chunk_frame,
    postings,
    wanted_frame,
)
from webecho.engine.spark.database import database
from webecho.engine.spark.overlaps import Compared
from webecho.engine.spark.streaming import streamed
from webecho.group.overlaps import FOUND, OverlapSearch
from webecho.group.rules.checks import Shared
from webecho.group.rules.keys import Chunks
from webecho.group.rules.rule import Rule, Search
from webecho.run import Run
from webecho.settings import Recipe
from webecho.workspace.union import Pages

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SIZES = pa.schema([("unit", pa.int64()), ("size", pa.int64())])


def by_chunks(rule: Rule, recipe: Recipe) -> bool:
    """Whether a rule looks for pages that share chunks."""
    match rule.searches(recipe):
        case (Search(Chunks(), Shared()),):
            return True
    return False


def overlap_links(
    session: "SparkSession",
    pages: Pages,
    rule: Rule,
    wanted: pa.Array,
    run: Run,
    partition: pa.Array | None = None,
    ranks: pa.Array | None = None,
) -> OverlapLinks:
    """The links that such a rule finds among the wanted pages, by executors."""
    search = OverlapSearch.of(rule, pages.recipe)
    compare = partial(SparkLinks, session)
    return OverlapLinks(pages, search, run, wanted, partition, ranks, compare=compare)


class SparkLinks:
    """The pairs of pages that share enough chunks, and how many each has."""

    def __init__(self, session: "SparkSession", links: OverlapLinks) -> None:
        self._ordered = links.ranks is not None
        self._pages = links.pages.pages
        search, run = links.search, links.run
        run.begin("sorting chunks")
        with ExitStack() as stack:
            held = stack.enter_context(database(session))
            wanted = wanted_frame(held, links.wanted, links.partition, links.ranks)
            chunks = chunk_frame(held, links.pages, search.chunking, search.bits, wanted)
            found = postings(held, held.hold(chunks), None)
            self._compared = Compared(held, found, search, self._pages, run)
            self._stack = stack.pop_all()
        self._sizes: np.ndarray | None = None

    def pairs(self) -> Iterator[pa.RecordBatch]:
        """The pairs once; when they have come executors hold nothing of them any more."""
        with self._stack:
            pairs = self._compared.pairs
            yield from streamed(pairs.orderBy("left", "right") if self._ordered else pairs, FOUND)
            if self._ordered:
                self._sizes = np.zeros(self._pages, np.int64)
                for batch in streamed(self._compared.postings.sizes, SIZES):
                    units, sizes = (column.to_numpy() for column in batch.columns)
                    self._sizes[units] = sizes

    def sizes(self, units: pa.Array) -> pa.Array:
        if self._sizes is None:
            raise RuntimeError("what pages have is asked for before their pairs have come")
        return pa.array(self._sizes[units.to_numpy()])
