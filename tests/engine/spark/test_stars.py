"""What stays and what goes by the Spark engine, as by the local one."""

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from tests.engine.spark.grouped import GROUPED, check_stars, repeating, workspace_of
from webecho.group.rules.registry import rule
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return workspace_of(tmp_path_factory.mktemp("stars"), repeating())


@pytest.mark.parametrize("link", ["kept", "chain"])
@pytest.mark.parametrize("name", GROUPED)
def test_every_rule(name: str, link: str, web: Workspace, spark: "SparkSession") -> None:
    assert check_stars(web, rule(name), link, spark) > 0


@pytest.mark.parametrize("name", ["tokens", "similar", "combined"])
def test_pages_of_other_groups_are_kept_apart(
    name: str, web: Workspace, spark: "SparkSession"
) -> None:
    partition = pa.array([page % 3 for page in range(web.pages)], pa.uint32())
    check_stars(web, rule(name), "kept", spark, partition=partition)


def test_what_was_there_before_stays(web: Workspace, spark: "SparkSession") -> None:
    ranks = pa.array(range(web.pages), pa.uint32())
    check_stars(web, rule("similar"), "kept", spark, ranks=ranks, fixed=90)


def test_no_pages(tmp_path: Path, spark: "SparkSession") -> None:
    assert check_stars(workspace_of(tmp_path, []), rule("similar"), "kept", spark) == 0
