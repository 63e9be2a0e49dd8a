"""How a call is run."""

import pytest

import webecho
from tests.collections_made import (
    as_table,
    small_web,
)


def test_memory_may_be_written_as_a_size() -> None:
    table = as_table(small_web())
    expected = webecho.clusters(table)
    for memory in ("2GB", "2 GiB", 2 << 30):
        assert webecho.clusters(table, memory=memory) == expected
        assert webecho.sketch(table, memory=memory).num_rows == 16
    with pytest.raises(webecho.SettingsError, match="'much' is no size; try 500MB or 2GB"):
        webecho.pairs(table, memory="much")
    with pytest.raises(webecho.MemoryBudgetError, match=r"give memory=\d+MB or more"):
        webecho.sketch(table, memory="1MB")
