"""Packs: whole families, and as many as fit."""

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from webecho import _core
from webecho.engine.spark.pack_tasks import TIES, Answer
from webecho.engine.spark.packs import (
    ANSWERS,
    Packs,
    PackSizes,
    answered,
    decoded,
    packs_of,
    tables,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NO_PAIRS = pa.table({"left": pa.array([], pa.int64()), "pairs": pa.array([], pa.int64())})


def forest(pages: int, *pairs: tuple[int, int]) -> _core.Forest:
    made = _core.Forest(pages, 1)
    left, right = ([each[side] for each in pairs] for side in (0, 1))
    made.unite(pa.array(left, pa.uint32()), pa.array(right, pa.uint32()))
    return made


def numbers(packs: Packs) -> list[int]:
    found: list[int] = packs.numbers.to_pylist()
    return found


def test_a_family_is_in_one_pack_and_pages_alone_are_in_none() -> None:
    made = forest(9, (0, 3), (3, 5), (1, 2), (7, 8))
    found = numbers(packs_of(made, NO_PAIRS, PackSizes(pages=3)))
    assert found[4] == found[6] == 0
    assert found[0] == found[3] == found[5] > 0
    assert found[1] == found[2] != found[0]
    assert {*numbers(packs_of(made, NO_PAIRS, PackSizes(pages=100)))} == {0, 2}


def test_families_that_are_too_large_are_told() -> None:
    made = forest(6, (0, 1), (1, 2), (4, 5))
    by_pages = packs_of(made, NO_PAIRS, PackSizes(most_pages=2))
    pairs = pa.table({"left": [1], "pairs": [50]})
    by_pairs = packs_of(made, pairs, PackSizes(most_pairs=49))
    for found in (by_pages, by_pairs):
        assert found.large.to_pylist() == [True] * 3 + [False] * 3
        assert numbers(found)[:4] == [0, 0, 0, 0]
        assert numbers(found)[4] == numbers(found)[5] > 0
        assert found.packed.true_count == 2
    assert packs_of(made, pairs, PackSizes(most_pairs=49).by_pages).large.true_count == 0
    assert packs_of(made, pairs, PackSizes(most_pages=2).by_pages).large.true_count == 3
    whole = packs_of(made, pairs, PackSizes(most_pairs=49), whole=True)
    assert not whole.large.true_count
    assert numbers(whole)[0] == numbers(whole)[2] != numbers(whole)[4]


def test_families_with_hot_keys_share_a_pack() -> None:
    """However large they are; keys are hot of more than three pages."""
    made = forest(8, (0, 1), (2, 3), (4, 5), (6, 7))
    pairs = pa.table({"left": [0, 4, 6], "pairs": [6, 3, 6]})
    found = packs_of(made, pairs, PackSizes(pages=1, most_pairs=1), together=3)
    assert numbers(found)[:2] == numbers(found)[6:] == [1, 1]
    assert found.large.to_pylist() == [False] * 4 + [True] * 2 + [False] * 2


def test_answers_come_back_in_their_order() -> None:
    def task(rows: pa.Table) -> list[Answer]:
        pages = rows["page"].to_pylist()
        ties = pa.table([pages[:1], pages[1:]], schema=TIES)
        return [Answer("ties", ties, 2), Answer("ties", ties.slice(1), 1)]

    found = answered(task, pa.table({"page": [9, 4]}))  # type: ignore[arg-type]
    assert [table.to_pylist() for table in tables(found, "ties")] == [[], [{"left": 4, "right": 9}]]
    assert tables(found, "gone") == []


def in_pieces(count: int, piece: int) -> pa.Table:
    """Answers of so many ties after others and before others."""

    def task(_: pa.Table) -> list[Answer]:
        ties = pa.table([range(count), range(count, 2 * count)], schema=TIES)
        return [Answer("ties", ties, 1), Answer("pairs", ties), Answer("ties", ties.slice(1, 2))]

    return answered(task, pa.table({"page": [4, 9]}), piece)  # type: ignore[arg-type]


def test_answers_are_cut_into_pieces() -> None:
    """Of 16 bytes a row; a row is never cut."""
    found = in_pieces(1000, 1600)
    assert found["what"].to_pylist() == ["ties"] * 10 + ["pairs"] * 10 + ["ties"]
    assert found["rows"].num_chunks == 21
    sizes = [len(table) for table in tables(found, "ties")]
    assert sizes == [2] + [100] * 10
    rows = pa.concat_tables(tables(found, "ties"))["left"].to_pylist()
    assert rows == [1, 2, *range(1000)]
    assert len(in_pieces(10, 1)) == 22
    assert len(in_pieces(0, 1)) == 3


@pytest.mark.spark
def test_pieces_are_read_by_tasks(spark: "SparkSession") -> None:
    frame = spark.createDataFrame(in_pieces(1000, 1600), ANSWERS)
    found = decoded(frame, "pairs", TIES.names, "`left` long, `right` long").toArrow()
    assert sorted(found["left"].to_pylist()) == [*range(1000)]
    assert found["right"].to_numpy().sum() == sum(range(1000, 2000))
