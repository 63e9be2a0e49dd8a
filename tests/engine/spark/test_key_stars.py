"""Key stars: as many ties as pages, however they come."""

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pytest

from webecho.engine.spark import key_stars as module
from webecho.engine.spark.key_stars import (
    MANY,
    NAMES,
    Keys,
    gathered,
    key_rows,
    key_stars,
    stars_of,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCHEMA = pa.schema([(name, pa.int64()) for name in NAMES])


def keys(*rows: tuple[int, int, int, int]) -> Keys:
    """Of kinds, two numbers and pages."""
    columns = np.array(rows, np.int64).reshape(-1, 4).T
    return Keys.of(columns[0], columns[1], columns[2], columns[3])


def tied(batches: list[pa.RecordBatch]) -> list[tuple[int, int]]:
    rows = pa.Table.from_batches(batches).to_pylist()
    return sorted((row["left"], row["right"]) for row in rows if not row["pairs"])


def test_each_page_is_tied_to_the_lowest_with_its_key() -> None:
    found = stars_of(keys((0, 7, 7, 5), (0, 7, 7, 2), (0, 7, 8, 1), (1, 7, 7, 0), (0, 7, 7, 9)))
    assert [*zip(found.left.tolist(), found.right.tolist(), strict=True)] == [(5, 2), (9, 2)]
    assert found.keys.page.tolist() == [2, 1, 0]
    assert found.keys.pages.tolist() == [3, 1, 1]


def test_what_tasks_have_of_a_key_is_gathered() -> None:
    """Two tasks with pages of one key; each hands on its lowest, and its ties as they are."""
    one = [*key_rows(stars_of(keys((0, 3, 0, 4), (0, 3, 0, 6))))]
    other = [*key_rows(stars_of(keys((0, 3, 0, 5), (0, 3, 0, 1), (2, 3, 0, 8))))]
    assert tied([*gathered(None, iter([*one, *other]))]) == [(4, 1), (5, 1), (6, 4)]


def test_labels_keep_keys_apart_and_are_told() -> None:
    page = np.array([1, 2], np.int64)
    both = Keys.joined([Keys.of(0, page * 0, None, page, label) for label in (3, 5)])
    found = pa.Table.from_batches([*gathered(None, key_rows(stars_of(both)))])
    assert [(row["left"], row["right"], row["label"]) for row in found.to_pylist()] == [
        (2, 1, 3),
        (2, 1, 5),
    ]


def test_pairs_are_told_of_keys_that_very_many_have() -> None:
    page = np.arange(MANY + 1, dtype=np.int64)
    rows = [*key_rows(stars_of(Keys.of(0, page * 0, None, page)))]
    assert rows[0].schema.names == [*NAMES]
    found = pa.Table.from_batches([*gathered(MANY, iter(rows))])
    assert found.filter(pa.compute.greater(found["pairs"], 0)).to_pylist() == [
        {"left": 0, "right": 0, "pairs": MANY * (MANY + 1) // 2, "label": 0}
    ]
    assert len(found) == MANY + 1


def test_no_keys() -> None:
    assert tied([*gathered(MANY, key_rows(stars_of(Keys.joined([]))))]) == []


@pytest.mark.spark
def test_keys_are_shared_out_by_their_number(
    spark: "SparkSession", monkeypatch: pytest.MonkeyPatch
) -> None:
    """And not by what Spark is set to, by which a task could have any number of them."""
    monkeypatch.setattr(module, "TASK_ROWS", 10)
    page = np.arange(100, dtype=np.int64)
    rows = pa.Table.from_batches(key_rows(stars_of(Keys.of(0, page // 2, None, page))))
    frame = key_stars(spark.createDataFrame(rows.cast(SCHEMA)), 100)
    assert frame.rdd.getNumPartitions() == 10
    assert tied(frame.toArrow().to_batches()) == [(odd, odd - 1) for odd in range(1, 100, 2)]
