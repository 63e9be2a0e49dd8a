"""Sets by digests that are shuffled."""

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from tests.engine.spark.grouped import repeating, workspace_of
from webecho.engine.local.engine import local_run
from webecho.engine.local.sets import unite_sets as unite_locally
from webecho.engine.spark import sets
from webecho.engine.spark.session import sibling
from webecho.group.columns import hollow_pages
from webecho.group.rules.keys import DIGESTS
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return workspace_of(tmp_path_factory.mktemp("sets"), repeating())


@pytest.mark.parametrize("few", [sets.FEW, 10])
def test_all_digests_in_one_pass(
    few: int, web: Workspace, spark: "SparkSession", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sets, "FEW", few)
    partition = pa.array([page % 2 for page in range(web.pages)], pa.uint32())
    run = local_run()
    found = sets.digest_sets(sibling(spark), web, DIGESTS, run, partition=partition)
    hollow = hollow_pages(web)
    assert found.hollow.equals(hollow)
    for digest, forest in zip(DIGESTS, found.forests, strict=True):
        expected = unite_locally(web, digest, run, partition=partition, hollow=hollow)
        assert forest.clusters()[0].equals(expected.clusters()[0])


def test_digests_are_two_numbers() -> None:
    digests = pa.array([bytes(range(16)), bytes(15) + b"\x01"], pa.binary())
    found = sets.digest_halves(digests.slice(1))
    assert found.tolist() == [[0, 1 << 56]]
