"""Every statement of groups and studies gives the same rows in DuckDB and in Spark."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import webecho
from webecho.api.clusters import ClustersRequest, run_clusters
from webecho.api.overlap import OverlapRequest, run_overlap
from webecho.api.pairs import PairsRequest, run_pairs
from webecho.api.rules import RuleChoice
from webecho.api.savings import SavingsRequest, run_savings
from webecho.api.study_duplicates import StudyDuplicatesRequest, run_study_duplicates
from webecho.api.study_graph import StudyGraphRequest, run_study_graph
from webecho.api.study_growth import StudyGrowthRequest, run_study_growth
from webecho.api.study_replication import StudyReplicationRequest, run_study_replication
from webecho.run import Run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
Verb = Callable[[Path, Run], object]

VERBS: dict[str, Verb] = {
    "clusters": lambda path, run: run_clusters(
        ClustersRequest(path, RuleChoice("very-similar"), summary=True, most=5), run
    ),
    "pairs similar": lambda path, run: run_pairs(PairsRequest(path, RuleChoice("similar")), run),
    "pairs b": lambda path, run: run_pairs(
        PairsRequest(path, RuleChoice("b"), measure=("difference",), report=True, repetitions=0),
        run,
    ),
    "pairs by-site": lambda path, run: run_pairs(PairsRequest(path, RuleChoice("by-site")), run),
    "overlap": lambda path, run: run_overlap(OverlapRequest(path), run),
    "overlap host": lambda path, run: run_overlap(OverlapRequest(path, level="host"), run),
    "savings": lambda path, run: run_savings(SavingsRequest(path), run),
    "duplicates": lambda path, run: run_study_duplicates(
        StudyDuplicatesRequest((path,), repetitions=0), run
    ),
    "graph": lambda path, run: run_study_graph(
        StudyGraphRequest((path,), least=0.01, repetitions=0), run
    ),
    "growth": lambda path, run: run_study_growth(StudyGrowthRequest((path,)), run),
    "replication": lambda path, run: run_study_replication(StudyReplicationRequest((path,)), run),
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("spark")
    planted = {"popular": 2, "aliases": 4, "url_rules": 4, "passages": 4}
    webecho.synth(folder / "web", pages=400, form="parquet", **planted)
    webecho.sketch(folder / "web" / "pages", folder / "web.echo", links=True, paragraphs=True)
    return folder / "web.echo"


@pytest.mark.parametrize("verb", VERBS)
def test_statements_give_the_same_rows(verb: str, workspace: Path, spark: "SparkSession") -> None:
    from tests.engine.spark.both import BothEngine

    engine = BothEngine(spark)
    VERBS[verb](workspace, Run(engine))
    assert engine.statements
