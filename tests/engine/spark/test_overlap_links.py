"""Clusters and stars of pages that share chunks, by executors: those of the local engine."""

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.engine.spark.grouped import check_clusters, check_stars
from tests.group.overlapping import lined_pages, written
from webecho.chunkings import Chunking
from webecho.engine.local.engine import local_run
from webecho.engine.spark import pair_cells, shared_chunks
from webecho.engine.spark.engine import spark_run
from webecho.engine.spark.overlap_links import by_chunks
from webecho.group.pairs import write_pairs
from webecho.group.rules.registry import RULES, rule
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
OVERLAP = rule("overlap", chunk=Chunking("lines", 2), shared=6, most_pages=40)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    folder = tmp_path_factory.mktemp("links")
    texts = [*lined_pages(4, 80), "only\none", "only\none"]
    webecho.sketch(written(folder / "a.parquet", texts), folder / "a.echo", chunks="lines:2")
    return Workspace.open(folder / "a.echo")


@pytest.fixture(autouse=True)
def shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some chunks have no list, and there are several cells."""
    monkeypatch.setattr(shared_chunks, "HOT", 25)
    monkeypatch.setattr(pair_cells, "COMPARISONS", 2000)


def test_which_rules_they_are_of(web: Workspace) -> None:
    assert [name for name in RULES if by_chunks(rule(name), web.recipe)] == ["overlap"]


def test_clusters(web: Workspace, spark: "SparkSession") -> None:
    assert 1 < check_clusters(web, OVERLAP, spark) < web.pages


def test_pairs(web: Workspace, spark: "SparkSession") -> None:
    found, expected = (
        pq.read_table(write_pairs(web, OVERLAP, run=run).file)
        for run in (spark_run(spark), local_run())
    )
    assert found.equals(expected) and len(found)


@pytest.mark.parametrize("link", ["kept", "chain"])
def test_stars(link: str, web: Workspace, spark: "SparkSession") -> None:
    assert check_stars(web, OVERLAP, link, spark) > 2


def test_pages_of_other_groups_are_kept_apart(web: Workspace, spark: "SparkSession") -> None:
    partition = pa.array([page % 3 for page in range(web.pages)], pa.uint32())
    ranks = pa.array(range(web.pages), pa.uint32())
    assert check_stars(web, OVERLAP, "kept", spark, ranks=ranks, partition=partition, fixed=40)
