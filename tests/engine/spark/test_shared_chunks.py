"""What units share is pruned of what can be in no pair."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from webecho.chunkings import Chunking
from webecho.engine.spark import shared_chunks
from webecho.engine.spark.database import SparkDatabase, database
from webecho.engine.spark.shared_chunks import Sharing, flattened, sharing
from webecho.group.overlaps import OverlapSearch

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
# As in the test of the kernel: 9 shares one chunk only; without it 3 does too.
LISTS = {10: [1, 2], 11: [1, 2, 3], 12: [3, 9], 13: [5]}


@pytest.fixture
def held(spark: "SparkSession") -> Iterator[SparkDatabase]:
    with database(spark) as found:
        yield found


def shared(
    held: SparkDatabase, least: int, most: int | None = None, right: int | None = None
) -> Sharing:
    rows = [
        {"group": 0, "chunk": chunk, "unit": unit}
        for chunk, units in LISTS.items()
        for unit in units
    ]
    return shared_of(held, rows, OverlapSearch(Chunking("lines", 4), least, 64, most), right)


def shared_of(
    held: SparkDatabase,
    rows: list[dict[str, int]],
    search: OverlapSearch,
    right: int | None = None,
) -> Sharing:
    return sharing(held, held.frame(pa.Table.from_pylist(rows)), search, right)


def left(found: Sharing) -> list[tuple[int, int]]:
    rows = flattened(found.lists)
    if found.hot is not None:
        rows = rows.unionByName(found.hot)
    return sorted((row["chunk"], row["unit"]) for row in rows.collect())


@pytest.mark.parametrize("hot", [2, 100])
def test_what_makes_no_pair_is_pruned(
    hot: int, held: SparkDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_chunks, "HOT", hot)
    monkeypatch.setattr(shared_chunks, "WORTH", 10**9)
    found = shared(held, 2)
    assert {*left(found)} >= {(10, 1), (10, 2), (11, 1), (11, 2)}
    if hot == 100:
        assert len(left(found)) == 4
        assert (found.facts["pruned_chunks"], found.facts["pruned_pairs"]) == (2, 2)
    assert (found.facts["distinct"], found.facts["chunks"]) == (4, 3)


def test_plans_do_not_grow_with_the_rounds(
    held: SparkDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a chain each round takes the ends, until nothing is left."""
    monkeypatch.setattr(shared_chunks, "WORTH", 10**9)
    chain = [{"group": 0, "chunk": at, "unit": unit} for at in range(12) for unit in (at, at + 1)]
    found = shared_of(held, chain, OverlapSearch(Chunking("lines", 4), 2, 64))
    assert left(found) == []
    assert found.facts["pruned_entries"] == 0
    # The postings, and the units that the last round left.
    plan = found.lists._jdf.queryExecution().analyzed()
    assert plan.collectLeaves().size() == 2


def test_what_stands_on_many_pages_is_left_out_and_counted(held: SparkDatabase) -> None:
    found = shared(held, 1, most=2)
    assert left(found) == [(10, 1), (10, 2), (12, 3), (12, 9)]
    known = found.facts
    assert (known["left_out_chunks"], known["left_out_units"], known["chunks"]) == (1, 3, 2)


def test_across_two_sides_a_list_needs_both(held: SparkDatabase) -> None:
    found = shared(held, 1, right=3)
    assert left(found) == [(11, 1), (11, 2), (11, 3)]
    assert (found.facts["pruned_pairs"], found.facts["longest"]) == (2, 3)
