"""The Spark engine does what the protocol asks for, with the tables of the local one."""

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from tests.collections_made import as_jsonl, as_table, small_web
from webecho.api.dedup import DedupRequest, run_in_memory
from webecho.api.rules import RuleChoice
from webecho.engine.local.engine import local_run
from webecho.engine.protocol import Engine
from webecho.engine.spark.engine import HERE, SparkEngine, spark_run
from webecho.errors import InputError
from webecho.group.hot_buckets import ALL_PAIRS
from webecho.group.rules.registry import rule
from webecho.read.collection import ReadOptions, open_collection
from webecho.run import Run, silent
from webecho.workspace.resume import SketchSettings
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


def sketched(folder: Path, run: Run) -> Workspace:
    source = as_jsonl(folder / "web.jsonl", small_web())
    options = ReadOptions()
    collection = open_collection([str(source)], options)
    settings = SketchSettings(columns=("features", "supershingles"))
    path = folder / f"{run.engine.name}.echo"
    return run.engine.sketch(collection, options, path, settings, run)


def test_a_run_has_what_it_was_given(spark: "SparkSession") -> None:
    notes: list[str] = []
    run = spark_run(spark, 3, 10**9, note=notes.append)
    assert (run.threads, run.memory, run.report) == (3, 10**9, silent)
    run.note("one")
    assert notes == ["one"]
    engine: Engine = SparkEngine(spark)
    assert (run.engine, engine.name) == (engine, "spark")


def test_pages_clusters_pairs_and_stars_are_the_local_engines(
    tmp_path: Path, spark: "SparkSession"
) -> None:
    runs = spark_run(spark), local_run()
    found, expected = (sketched(tmp_path, run) for run in runs)
    assert found.table().equals(expected.table())
    similar = rule("similar")
    wanted = pa.array([True] * 16)
    ranks = pa.array(range(16), pa.uint32())

    def grouped(workspace: Workspace, run: Run) -> list[dict[str, list[int]]]:
        engine = run.engine
        pairs = engine.pairs(workspace, similar, wanted, ALL_PAIRS, run).batches.read_all()
        return [
            engine.clusters(workspace, similar, run).table.to_pydict(),
            pairs.sort_by([("left", "ascending"), ("right", "ascending")]).to_pydict(),
            {"kept": engine.stars(workspace, similar, "kept", ranks, run).kept.to_pylist()},
        ]

    clusters, pairs, stars = grouped(expected, runs[1])
    assert pairs["left"]
    assert len({*clusters["cluster"]}) < 16
    assert stars["kept"] != [*range(16)]
    assert grouped(found, runs[0]) == [clusters, pairs, stars]


@pytest.mark.parametrize("name", ["similar", "edited"])
def test_tables_in_memory_are_compared_where_they_are(name: str, spark: "SparkSession") -> None:
    """Of such the shingles were kept, but no words."""
    notes: list[str] = []
    request = DedupRequest((as_table(small_web()),), rule=RuleChoice(name))
    found, expected = (
        run_in_memory(request, run).kept
        for run in (spark_run(spark, note=notes.append), local_run())
    )
    assert found.equals(expected)
    assert len(expected) < 16
    assert (HERE in notes) == (name == "edited")


def test_what_fails_within_is_an_error_of_ours(spark: "SparkSession") -> None:
    run = spark_run(spark)
    with pytest.raises(InputError, match=r"^mine$"), run.database():
        raise InputError("mine")
