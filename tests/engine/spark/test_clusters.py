"""Clusters by the Spark engine are those of the local one."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.collections_made import small_web
from tests.engine.spark.grouped import (
    GROUPED,
    SMALL,
    check_clusters,
    recorded,
    repeating,
    workspace_of,
)
from webecho.engine.local.clusters import clusters as clusters_locally
from webecho.engine.local.engine import local_run
from webecho.engine.spark.clusters import clusters
from webecho.engine.spark.engine import spark_run
from webecho.engine.spark.searching import Searching
from webecho.engine.spark.session import sibling
from webecho.group.rules.registry import rule
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Every kind of page that stages treat differently, and many that repeat others."""
    return workspace_of(tmp_path_factory.mktemp("clusters"), repeating())


@pytest.mark.parametrize("name", GROUPED)
def test_every_rule(name: str, web: Workspace, spark: "SparkSession") -> None:
    assert 1 < check_clusters(web, rule(name), spark) < web.pages


@pytest.mark.parametrize("least", [1, 3, 6])
def test_any_number_of_supershingles(least: int, web: Workspace, spark: "SparkSession") -> None:
    assert 1 < check_clusters(web, rule("b", least_b=least), spark) < web.pages


@pytest.mark.parametrize("name", ["similar", "edited", "by-site"])
def test_large_families(name: str, web: Workspace, spark: "SparkSession") -> None:
    """They are compared block by block."""
    with recorded(Searching, "blocked") as blocked:
        found = clusters(sibling(spark), web, rule(name), spark_run(spark), sizes=SMALL)
    assert [frame is None for frame in blocked] == [False]
    assert found.table.equals(clusters_locally(web, rule(name), local_run()).table)


def test_no_pages(tmp_path: Path, spark: "SparkSession") -> None:
    assert check_clusters(workspace_of(tmp_path, []), rule("similar"), spark) == 0


@pytest.mark.parametrize("name", ["similar", "edited"])
def test_without_the_source_what_is_alike_is_estimated(
    name: str, tmp_path: Path, spark: "SparkSession"
) -> None:
    workspace = workspace_of(tmp_path, small_web(), part_pages=3)
    (tmp_path / "web.jsonl").unlink()
    run = spark_run(spark)
    why = run.engine.clusters(workspace, rule(name), run).estimated
    assert why is not None and "web.jsonl" in why
    assert check_clusters(workspace, rule(name), spark) < workspace.pages
