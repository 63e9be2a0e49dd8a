"""Sums of floats in SQL: the same in any order, and of whole numbers what they always were."""

import random

import pyarrow as pa
import pytest

from webecho.engine.exact_sums import total, units
from webecho.engine.local.engine import local_run


def summed(values: list[float], query: str, threads: int = 1) -> float:
    with local_run(threads).database() as database:
        numbers = {"value": pa.array(values, pa.float64()), "times": range(len(values))}
        database.add("given", pa.table(numbers))
        database.view("numbers", f"SELECT *, {units('value')} AS units FROM given")
        found = database.row(f"SELECT {query} AS found FROM numbers")["found"]
    assert isinstance(found, float)
    return found


def test_the_order_of_the_rows_does_not_matter() -> None:
    chance = random.Random(1)
    values = [chance.choice([1 / 3, 1e9 / 7, 0.1, 1e-3]) for _ in range(20_000)]
    shuffled = chance.sample(values, len(values))
    # As floats they are another sum in another order, or nothing would be shown.
    assert sum(values) != sum(shuffled)
    found = {summed(each, total(), threads) for each in (values, shuffled) for threads in (1, 2, 7)}
    assert [*found] == [pytest.approx(sum(values), rel=1e-9)]


def test_whole_numbers_and_halves_are_summed_exactly() -> None:
    assert summed([1.0, 2.5, 3e15], total()) == 3e15 + 3.5
    assert summed([1.0, 2.0, 3.0], total("times > 0")) == 5
    assert summed([1.5, 2.5, 4.0], total(times="times")) == 2.5 + 8
