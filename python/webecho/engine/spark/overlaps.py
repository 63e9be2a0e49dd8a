"""*Overlap* on executors: pages, or hosts, that share chunks (Shivakumar 1998, section 2)."""

import time
import weakref
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from webecho.engine.spark.budgets import task_room
from webecho.engine.spark.chunk_frames import (
    Postings,
    chunk_frame,
    postings,
    visible_pages,
)
from webecho.engine.spark.copies import copies_of
from webecho.engine.spark.database import SparkDatabase, database
from webecho.engine.spark.failures import spark_errors
from webecho.engine.spark.pair_cells import ROOM
from webecho.engine.spark.progress import watched
from webecho.engine.spark.session import tasks_at_once
from webecho.engine.spark.shared_chunks import Sharing, shared_pairs, sharing
from webecho.engine.spark.streaming import streamed
from webecho.group.overlaps import FOUND, OverlapSearch, Units
from webecho.run import Run
from webecho.workspace.union import Pages

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


# What is said where no one method is taken for all.
BY_TASK = "sorted or coarse, as each task has room"


def overlaps(
    session: "SparkSession",
    pages: Pages,
    search: OverlapSearch,
    run: Run,
    *,
    units: Units | None = None,
    right: int | None = None,
) -> "SparkOverlaps":
    """The pairs of pages, or of the units that they belong to, that share enough chunks; of the
    pages of one collection copies are taken out first, and one is compared for all."""
    with ExitStack() as stack:
        held = stack.enter_context(database(session))
        run.begin("reading chunks")
        start = time.monotonic()
        wanted = None if search.hollow else visible_pages(held, pages)
        chunks = chunk_frame(held, pages, search.chunking, search.bits, wanted)
        seconds: dict[str, float] = {}
        copies = None
        if units is None and right is None:
            least = search.shared if search.least_copy is None else search.least_copy
            copies = held.hold(copies_of(chunks, least))
            copies.count()
            # Held, or each step would bring the chunks of all pages together with copies again.
            chunks = held.hold(chunks.join(copies, "page", "left_anti"))
            seconds["copies"] = time.monotonic() - start
        run.begin("sorting chunks")
        start = time.monotonic()
        count = pages.pages if units is None else units.count
        compared = Compared(held, postings(held, chunks, units), search, count, run, right)
        seconds["sort"] = time.monotonic() - start
        return SparkOverlaps(compared, copies, seconds, run, stack.pop_all())


class Compared:
    """Postings, what they share, and the pairs of units that share enough."""

    def __init__(
        self,
        held: SparkDatabase,
        postings: Postings,
        search: OverlapSearch,
        units: int,
        run: Run,
        right: int | None = None,
    ) -> None:
        self.postings = postings
        self.left: Sharing = sharing(held, postings.each, search, right)
        room = task_room(run.memory, tasks_at_once(held.session), ROOM)
        counted, self.cells = shared_pairs(self.left, search, units, room, right)
        self.counted = held.hold(counted)
        self.method = search.method

    @property
    def pairs(self) -> "DataFrame":
        """The pairs with what each has: the columns of `FOUND`, in no order."""
        found, sizes = self.counted, self.postings.sizes
        for side in ("left", "right"):
            named = sizes.select(sizes["unit"].alias(side), sizes["size"].alias(f"{side}_size"))
            found = found.join(named, side)
        return found.select(*FOUND.names)


class SparkOverlaps:
    """What was found, as it is asked for. Executors hold it as long as this is there."""

    def __init__(
        self,
        compared: Compared,
        copies: "DataFrame | None",
        seconds: dict[str, float],
        run: Run,
        stack: ExitStack,
    ) -> None:
        self.compared = compared
        # What each step has taken so far.
        self.seconds = seconds
        self._copies = copies
        self._run = run
        self._sets: tuple[np.ndarray, np.ndarray] | None = None
        weakref.finalize(self, stack.close)

    @property
    def forecast(self) -> dict[str, Any]:
        # Each task chooses by what it has to compare.
        chosen = BY_TASK if self.compared.method == "auto" else self.compared.method
        known = {"method": chosen, "tasks": self.compared.cells.count}
        return {**self.compared.left.facts, **known}

    def filtered(self) -> list[tuple[int, int, int, int]]:
        """Each cell has filters of its own; they are not told."""
        return []

    def pairs(self) -> Iterator[pa.RecordBatch]:
        """The pairs in their order, once."""
        start = time.monotonic()
        self._run.begin("counting")
        with self._working():
            yield from streamed(self.compared.pairs.orderBy("left", "right"), FOUND)
        self.seconds["overlap"] = time.monotonic() - start

    def copies(self) -> Iterator[pa.RecordBatch]:
        """The pages that others stand for, as `right`, in batches of `FOUND`."""
        from pyspark.sql import functions as sql

        if self._copies is None:
            return
        sides = [sql.col("stands").alias("left"), sql.col("page").alias("right")]
        sizes = [sql.col("size").alias(name) for name in FOUND.names[2:]]
        with self._working():
            found = self._copies.select(*sides, *sizes)
            yield from streamed(found.orderBy("left", "right"), FOUND)

    def standing_for(self, pages: pa.Array) -> pa.Array:
        """How many pages each of these stands for, itself included."""
        if self._copies is None:
            return pa.repeat(pa.scalar(1, pa.int64()), len(pages))
        if self._sets is None:
            with self._working():
                found = self._copies.select("stands", "pages").distinct().orderBy("stands")
                table = found.toArrow()
            self._sets = table["stands"].to_numpy(), table["pages"].to_numpy()
        stands, counts = self._sets
        asked = pages.to_numpy(zero_copy_only=False)
        if not len(stands):
            return pa.array(np.ones(len(asked), np.int64))
        at = np.minimum(np.searchsorted(stands, asked), len(stands) - 1)
        return pa.array(np.where(stands[at] == asked, counts[at], 1), pa.int64())

    @contextmanager
    def _working(self) -> Iterator[None]:
        with watched(self._run), spark_errors():
            yield
