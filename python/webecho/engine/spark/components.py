"""*Components*: the pages that ties hold together, each named by its lowest page.

Few ties are joined in one go by the local kernel. Of more, alternating *large-stars* and
*small-stars* make stars step by step (Kiveris, Lattanzi, Mirrokni, Rastogi, Vassilvitskii 2014,
"Connected Components in MapReduce and Beyond"): a large-star ties the higher neighbours of every
page to its lowest one, a small-star the lower ones and the page itself. When a *round* of both
changes nothing, every page is tied to the lowest of its component. What a step gives is written to
a folder, so that plans stay short and no executor that is lost takes anything along.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.engine.spark.parquet_files import by_files
from webecho.engine.spark.session import is_local
from webecho.errors import WebechoError
from webecho.workspace.scratch import temporary_folder

if TYPE_CHECKING:
    from pyspark import StorageLevel
    from pyspark.sql import DataFrame, SparkSession

# So many ties take 512 MB, in which one process joins them in a second or two; a round of stars
# takes several seconds however few there are.
FEW = 1 << 24
# Of a chain, the worst case, the rounds are the logarithm of its length.
MOST_ROUNDS = 100

LARGE_STAR = """
SELECT DISTINCT v AS u, lowest AS v FROM (
    SELECT u, v, least(u, min(v) OVER (PARTITION BY u)) AS lowest FROM (
        SELECT u, v FROM {ties} UNION ALL SELECT v AS u, u AS v FROM {ties}
    )
) WHERE v > u
"""
SMALL_STAR = """
SELECT DISTINCT node AS u, lowest AS v FROM (
    SELECT u, v, min(v) OVER (PARTITION BY u) AS lowest FROM {ties}
) LATERAL VIEW explode(array(u, v)) nodes AS node
WHERE node <> lowest
"""
# A higher page and a lower one, each tie once.
ORIENTED = """
SELECT DISTINCT greatest("left", "right") AS u, least("left", "right") AS v FROM {ties}
WHERE "left" <> "right"
"""


@dataclass(frozen=True)
class Rounds:
    """Stars, as `u` and the lower `v`, and how many rounds they took."""

    ties: "DataFrame"
    rounds: int


@dataclass(frozen=True)
class Joined:
    """How many rounds it took to join ties, 0 where the kernel did it alone; and those of the ties
    that have `pairs`."""

    rounds: int
    pairs: pa.Table


def unite_ties(
    forest: _core.Forest, ties: "DataFrame", most: int, path: Path, few: int = FEW
) -> Joined:
    """Joins in a forest what ties (`left`, `right`, `pairs`) hold together, of which there are at
    `most` so many."""
    if most <= few:
        return Joined(0, unite_all(forest, ties.toArrow()))
    ties = ties.persist(disk_only())
    try:
        if ties.count() <= few:
            return Joined(0, unite_all(forest, ties.toArrow()))
        with scratch(ties.sparkSession, path) as folder:
            found = star_rounds(ties.where("pairs = 0"), folder)
            unite_all(forest, found.ties.toArrow())
            return Joined(found.rounds, ties.where("pairs > 0").toArrow())
    finally:
        ties.unpersist()


def unite_all(forest: _core.Forest, ties: pa.Table) -> pa.Table:
    """Joins what is tied, and gives the ties that have pairs."""
    for batch in ties.to_batches():
        forest.unite(batch.column(0).cast(pa.uint32()), batch.column(1).cast(pa.uint32()))
    return ties.filter(pc.greater(ties["pairs"], 0)) if "pairs" in ties.column_names else ties


def star_rounds(ties: "DataFrame", folder: Path) -> Rounds:
    """The components of ties; what every round gives is written below the folder."""
    session = ties.sparkSession
    made, state = written(session.sql(ORIENTED, ties=ties), folder / "ties-0")
    for number in range(1, MOST_ROUNDS + 1):
        large = session.sql(LARGE_STAR, ties=made)
        small = session.sql(SMALL_STAR, ties=large)
        before, (made, after) = state, written(small, folder / f"ties-{number}")
        shutil.rmtree(folder / f"ties-{number - 1}", ignore_errors=True)
        if after == before:
            return Rounds(made, number)
        state = after
    raise WebechoError(f"components were not found within {MOST_ROUNDS} rounds; please report this")


State = tuple[int, int]


def written(frame: "DataFrame", folder: Path) -> tuple["DataFrame", State]:
    """The ties, by way of files, and numbers that change if any of them does."""
    from pyspark.sql import functions as sql

    mixed = sql.coalesce(sql.bit_xor(sql.xxhash64("u", "v")), sql.lit(0)).alias("mixed")
    rows, seen = by_files(frame, folder, "u long, v long", mixed)
    return rows, (seen["rows"], seen["mixed"])


@contextmanager
def scratch(session: "SparkSession", path: Path) -> Iterator[Path]:
    """A folder that the driver and all executors see, gone when the block ends: on one machine any,
    on a cluster one beside the workspace at `path`, which they see too."""
    if is_local(session.sparkContext.master, java_runs=True):
        with temporary_folder() as folder:
            yield folder
        return
    beside = path.absolute() / f".rounds-{uuid4().hex}"
    try:
        beside.mkdir()
        yield beside
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def disk_only() -> "StorageLevel":
    from pyspark import StorageLevel

    return StorageLevel.DISK_ONLY
