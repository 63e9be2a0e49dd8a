"""Pairs by the Spark engine, with what is measured of them and what is counted."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.engine.spark.grouped import GROUPED, check_pairs, repeating, workspace_of
from webecho.group.hot_buckets import HotSettings
from webecho.group.rules.registry import rule
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return workspace_of(tmp_path_factory.mktemp("pairs"), repeating())


SEARCHING = [name for name in GROUPED if rule(name).columns]


@pytest.mark.parametrize("name", SEARCHING)
def test_every_rule(name: str, web: Workspace, spark: "SparkSession") -> None:
    assert check_pairs(web, rule(name), spark) > 0


@pytest.mark.parametrize("name", ["b", "by-site"])
def test_of_hot_buckets_a_sample(name: str, web: Workspace, spark: "SparkSession") -> None:
    assert check_pairs(web, rule(name), spark, HotSettings(hot=2, drawn=2, seed=5)) > 0


def test_no_pages(tmp_path: Path, spark: "SparkSession") -> None:
    workspace = workspace_of(tmp_path, [])
    assert check_pairs(workspace, rule("c"), spark, HotSettings()) == 0
