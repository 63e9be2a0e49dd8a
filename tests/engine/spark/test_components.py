"""Components by rounds of stars are those of the kernel."""

import random
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from webecho import _core
from webecho.engine.spark.components import star_rounds, unite_ties
from webecho.engine.spark.session import sibling

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark
PAGES = 60


def ties(session: "SparkSession", pairs: list[tuple[int, int]]) -> "DataFrame":
    columns = [*zip(*pairs, strict=True)] or [(), ()]
    table = {name: pa.array(each, pa.int64()) for name, each in zip("lr", columns, strict=True)}
    table = {"left": table["l"], "right": table["r"], "pairs": pa.array([0] * len(pairs))}
    return session.createDataFrame(pa.table(table, schema=SCHEMA))


SCHEMA = pa.schema([(name, pa.int64()) for name in ("left", "right", "pairs")])


def names(pairs: list[tuple[int, int]], few: int, session: "SparkSession") -> tuple[list[int], int]:
    forest = _core.Forest(PAGES, 1)
    joined = unite_ties(forest, ties(session, pairs), len(pairs), Path(), few)
    return forest.clusters()[0].to_pylist(), joined.rounds


def test_few_ties_are_joined_by_the_kernel_and_more_by_rounds(spark: "SparkSession") -> None:
    session = sibling(spark)
    chance = random.Random(3)
    pairs = [(chance.randrange(PAGES), chance.randrange(PAGES)) for _ in range(40)]
    pairs += [(7, 7), pairs[0], pairs[0][::-1]]
    alone, none = names(pairs, len(pairs), session)
    counted, _ = names(pairs, len(pairs) - 1, session)
    by_rounds, rounds = names(pairs, 1, session)
    assert alone == counted == by_rounds
    assert (none, rounds > 1) == (0, True)
    assert 2 < len({*alone}) < PAGES


def test_stars_take_no_round_but_the_one_that_tells(tmp_path: Path, spark: "SparkSession") -> None:
    session = sibling(spark)
    found = star_rounds(ties(session, [(5, 2), (9, 2), (4, 3)]), tmp_path)
    assert found.rounds == 1
    assert sorted(tuple(row) for row in found.ties.collect()) == [(4, 3), (5, 2), (9, 2)]
    assert [each.name for each in tmp_path.iterdir()] == ["ties-1"]
