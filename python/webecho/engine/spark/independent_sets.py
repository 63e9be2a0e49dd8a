"""Which pages stay by the link `kept`, of pairs: the first *maximal independent set* in keep order.
A page stays if no page before it that makes a pair with it does, and else goes with the first such.

Few pairs are gone through in order by the local kernel. Of more, rounds decide on many pages at
once: one without a pair with a page before it on which it is not yet decided stays, and those after
it that make a pair with it go. What is left of the pairs after a round is less, and few in the end.
"""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.engine.spark.components import FEW, scratch
from webecho.engine.spark.parquet_files import by_files

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Two pages by their places in keep order.
PLACES = "a long, b long"
GONE = """
SELECT DISTINCT b FROM {pairs} AS pairs LEFT ANTI JOIN {pairs} AS before ON pairs.a = before.b
"""
LEFT = """
SELECT a, b FROM {pairs} AS pairs
LEFT ANTI JOIN {gone} AS one ON pairs.a = one.b
LEFT ANTI JOIN {gone} AS other ON pairs.b = other.b
"""
FIRSTS = """
SELECT b, min(a) AS a FROM {pairs} AS pairs LEFT ANTI JOIN {gone} AS gone ON pairs.a = gone.b
GROUP BY b
"""


@dataclass(frozen=True)
class Decided:
    """Pages that go, those they go with, and how many rounds it took; 0 where the kernel did it."""

    gone: pa.Array
    stay: pa.Array
    rounds: int


def decided(pairs: "DataFrame", ranks: pa.Array, fixed: int, path: Path, few: int = FEW) -> Decided:
    """What goes, of pairs (`left`, `right`, each once), pages of the lowest ranks first, those
    below number `fixed` never."""
    order = np.lexsort((np.arange(len(ranks)), ranks.to_numpy())).astype(np.uint32)
    place = np.empty(len(order), np.uint32)
    place[order] = np.arange(len(order), dtype=np.uint32)
    always = pa.array(order < fixed)
    session = pairs.sparkSession
    with scratch(session, path) as folder:
        # Pages have the numbers of their places in keep order from here on.
        whole, _ = by_files(placed(pairs, place, fixed), folder / "pairs", PLACES)
        gone, rounds = gone_places(whole, folder, always, few)
        lost = session.createDataFrame(pa.table({"b": pa.array(gone.astype(np.int64))}))
        firsts = session.sql(FIRSTS, pairs=whole, gone=lost)
        found = firsts.toArrow().sort_by("b")
    found = found.filter(pc.is_in(found["b"], pa.array(gone.astype(np.int64))))
    by_place = pa.array(order)
    return Decided(
        by_place.take(found["b"].combine_chunks()),
        by_place.take(found["a"].combine_chunks()),
        rounds,
    )


def placed(pairs: "DataFrame", place: "np.ndarray", fixed: int) -> "DataFrame":
    """The pairs by the places of their pages, the earlier first; a page that always stays is held
    by none before it."""
    from pyspark.sql import functions as sql

    pages = np.arange(len(place), dtype=np.int64)
    table = pa.table({"page": pages, "place": place.astype(np.int64)})
    places = pairs.sparkSession.createDataFrame(table)
    one = places.select(sql.col("page").alias("left"), sql.col("place").alias("l"))
    other = places.select(sql.col("page").alias("right"), sql.col("place").alias("r"))
    both = pairs.select("left", "right").join(one, "left").join(other, "right")
    later = sql.when(sql.col("l") < sql.col("r"), sql.col("right")).otherwise(sql.col("left"))
    return both.where(later >= fixed).select(
        sql.least("l", "r").alias("a"), sql.greatest("l", "r").alias("b")
    )


def gone_places(
    pairs: "DataFrame", folder: Path, always: pa.Array, few: int
) -> tuple["np.ndarray", int]:
    """The places of all pages that go, and the rounds it took to tell."""
    session = pairs.sparkSession
    gone = [np.empty(0, np.int64)]
    rounds, left, count = 0, pairs, pairs.count()
    while count > few:
        rounds += 1
        lost = session.sql(GONE, pairs=left).toArrow()
        gone.append(lost["b"].to_numpy())
        rest = session.sql(LEFT, pairs=left, gone=session.createDataFrame(lost))
        left, seen = by_files(rest, folder / f"left-{rounds}", PLACES)
        count = seen["rows"]
        shutil.rmtree(folder / f"left-{rounds - 1}", ignore_errors=True)
    last = left.toArrow().sort_by([("a", "ascending"), ("b", "ascending")])
    stars = _core.OverlapStars(len(always), always)
    for batch in last.to_batches():
        one, other = (batch[name].cast(pa.uint32()) for name in ("a", "b"))
        stars.add(one, other, pa.repeat(pa.scalar(1, pa.uint32()), len(batch)))
    gone.append(stars.gone().to_numpy().astype(np.int64))
    return np.concatenate(gone), rounds
