"""Blocks: every two pages that share a key meet in one at least."""

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pytest

from tests.engine.spark.grouped import repeating, workspace_of
from webecho.engine.spark.blocks import Blocks, blocks_of, fingerprints
from webecho.engine.spark.key_stars import Keys
from webecho.engine.spark.session import sibling
from webecho.group.rules.registry import rule
from webecho.settings import WEBECHO

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_pages_of_a_key_meet_however_many_they_are() -> None:
    page = np.arange(60, dtype=np.int64)
    keys = Keys.of(3, np.where(page < 40, 7, page % 5), None, page)
    large = fingerprints(np.array([3]), np.array([7]))
    blocks = Blocks(4, large, np.array([5]))
    at, block = blocks.of(keys)
    members: dict[int, set[int]] = {}
    for row, number in zip(at.tolist(), block.tolist(), strict=True):
        members.setdefault(number, set()).add(row)
    together = {pair for pages in members.values() for pair in combinations(sorted(pages), 2)}
    sharing = [
        (one, other) for one, other in combinations(range(60), 2) if keys.k0[one] == keys.k0[other]
    ]
    assert {*sharing} <= together
    # Slices of the large key, two and two, and each with itself.
    cut = [pages for number, pages in members.items() if number < 0]
    assert len(cut) == 15
    assert max(map(len, cut)) < 40
    assert {row for pages in cut for row in pages} == {*range(40)}


def test_without_large_keys() -> None:
    none = np.empty(0, np.int64)
    keys = Keys.of(0, np.array([5, 5, 6]), None, np.array([1, 2, 3]))
    at, block = Blocks(1, none, none).of(keys)
    assert (at.tolist(), block.tolist()) == ([0, 1, 2], [0, 0, 0])
    at, _ = Blocks(1, none, none).of(Keys.joined([]))
    assert not len(at)


@pytest.mark.spark
def test_keys_that_are_too_large_are_cut(
    tmp_path_factory: pytest.TempPathFactory, spark: "SparkSession"
) -> None:
    web = workspace_of(tmp_path_factory.mktemp("blocks"), repeating())
    searches = rule("b").searches(WEBECHO)
    every = pa.repeat(True, web.pages)
    lists = [row for row in web.table()["supershingles"].to_pylist() if row]
    counts: dict[tuple[int, int], int] = {}
    for row in lists:
        for place in enumerate(row):
            counts[place] = counts.get(place, 0) + 1
    expected = sorted(count for count in counts.values() if count > 3)
    found = blocks_of(sibling(spark), web, searches, every, None, 3, 6)
    assert sorted(found.slices.tolist()) == sorted(-(-2 * count // 3) for count in expected)
    assert len(expected) > 3
    assert found.count == web.pages * 6 // 3
