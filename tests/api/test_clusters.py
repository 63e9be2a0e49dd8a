"""`webecho.clusters`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
import pyarrow as pa
import pytest

import webecho
from tests.api.tables import of_every_kind
from tests.collections_made import (
    EXACT,
    as_jsonl,
    as_table,
    small_web,
)


@pytest.fixture(scope="module")
def grouped(tmp_path_factory: pytest.TempPathFactory) -> tuple[pa.Table, pa.Table]:
    """Its clusters and pairs."""
    file = as_jsonl(tmp_path_factory.mktemp("grouped") / "pages.jsonl", small_web())
    return webecho.clusters(str(file)), webecho.pairs(str(file))


@of_every_kind
def test_every_table_gives_the_same_clusters_and_pairs(
    made: Callable[..., Any], grouped: tuple[pa.Table, pa.Table]
) -> None:
    found = tuple(verb(made(as_table(small_web()))) for verb in (webecho.clusters, webecho.pairs))
    assert found == grouped


def test_a_workspace_can_be_used_again(tmp_path: Path) -> None:
    web = as_table(small_web())
    path = tmp_path / "crawl.echo"
    sketches = webecho.sketch(web, path)
    assert sketches.num_rows == 16
    for given in (path, str(path)):
        found = webecho.clusters(given, "tokens")
        assert [set(group) for group in by_cluster(found)] == EXACT
    assert (path / "clusters" / "tokens.parquet").exists()


def by_cluster(table: pa.Table) -> list[list[int]]:
    found: dict[int, list[int]] = {}
    for row in table.to_pylist():
        found.setdefault(row["cluster"], []).append(row["page"])
    return [group for group in found.values() if len(group) > 1]


def test_a_frame_with_odd_columns_beside_is_read() -> None:
    frame = pandas.DataFrame({"text": ["one two", "one two"], "odd": [object(), {1, 2}], 7: [1, 2]})
    assert webecho.clusters(frame, "tokens")["size"].to_pylist() == [2, 2]


def test_clusters_by_another_recipe() -> None:
    table = pa.table({"text": ["One two three", "one two three"]})
    assert webecho.clusters(table, "tokens")["cluster"].to_pylist() == [0, 0]
    papers = webecho.clusters(table, "tokens", recipe="fetterly2004")
    assert papers["cluster"].to_pylist() == [0, 1]


def test_whole_numbers_stay_numbers() -> None:
    """So that a user can join the result with his own table."""
    table = pa.table({"id": [3, 2**53 + 1, -7], "text": ["same words"] * 3})
    assert webecho.clusters(table)["id"].type == pa.int64()
    assert webecho.pairs(table)["left_id"].to_pylist() == [3, 3, 2**53 + 1]
