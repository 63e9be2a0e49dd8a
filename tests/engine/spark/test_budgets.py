"""How the memory of an executor is divided."""

import pytest

from webecho.engine.spark.budgets import Budget, budget
from webecho.errors import MemoryBudgetError

GB = 10**9


def test_both_sides_together_hold_what_is_allowed() -> None:
    for memory in (923 * 10**6, GB, 2 * GB, 4 * GB, 64 * GB):
        found = budget(memory)
        assert found.heap + found.beside == memory
        # Spark starts with no smaller heap, and the kernels need room beside it.
        assert found.heap >= 480 << 20 and found.beside >= 400 << 20
    assert budget(10 * GB) == Budget(6 * GB, 4 * GB)


def test_it_is_said_as_spark_takes_it() -> None:
    found = Budget(3 << 30, 1 << 30)
    assert found.settings(local=True) == {"spark.driver.memory": "3072m"}
    assert found.settings(local=False) == {
        "spark.executor.memory": "3072m",
        "spark.executor.memoryOverhead": "1024m",
    }


def test_too_little_is_refused_with_what_is_enough() -> None:
    with pytest.raises(MemoryBudgetError, match=r"needs at least 923MB .* give --memory 923MB"):
        budget(900 * 10**6)
    budget(923 * 10**6)
