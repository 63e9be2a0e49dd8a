"""Studies by the Spark engine give the tables of the local one, row for row."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from webecho.api.studies import Studied
from webecho.api.study_clusters import StudyClustersRequest, run_study_clusters
from webecho.api.study_duplicates import StudyDuplicatesRequest, run_study_duplicates
from webecho.api.study_evolution import StudyEvolutionRequest, run_study_evolution
from webecho.api.study_genealogy import StudyGenealogyRequest, run_study_genealogy
from webecho.api.study_mirrors import StudyMirrorsRequest, run_study_mirrors
from webecho.api.study_replication import StudyReplicationRequest, run_study_replication
from webecho.engine.local.engine import local_run
from webecho.engine.spark.engine import spark_run
from webecho.run import Run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
Workspaces = tuple[Path, ...]
Asked = Callable[[Workspaces, Run], Studied]

STUDIES: dict[str, Asked] = {
    "duplicates": lambda paths, run: run_study_duplicates(
        StudyDuplicatesRequest(paths, repetitions=0), run
    ),
    "clusters": lambda paths, run: run_study_clusters(
        StudyClustersRequest(paths[:1], repetitions=0), run
    ),
    "replication": lambda paths, run: run_study_replication(
        StudyReplicationRequest(paths[:1], pages=2), run
    ),
    "evolution": lambda paths, run: run_study_evolution(
        StudyEvolutionRequest(paths, repetitions=0), run
    ),
    "mirrors": lambda paths, run: run_study_mirrors(
        StudyMirrorsRequest(paths[:1], pages=3, repetitions=0), run
    ),
    "genealogy": lambda paths, run: run_study_genealogy(StudyGenealogyRequest(paths, least=3), run),
}


@pytest.fixture(scope="module")
def made_up(tmp_path_factory: pytest.TempPathFactory) -> Workspaces:
    folder = tmp_path_factory.mktemp("studies")
    webecho.synth(folder / "web", pages=200, words=60, form="parquet", snapshots=2)
    return tuple(
        sketched(folder / "web" / number / "pages", folder / f"{number}.echo")
        for number in ("1", "2")
    )


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory, data: Path) -> Workspaces:
    """Two snapshots of the documentation of OpenBSD and Kafka, some pages of each folder."""
    folder = tmp_path_factory.mktemp("real")
    made = []
    for number in ("1", "2"):
        file = folder / f"{number}.parquet"
        whole = pq.read_table(data / "snapshots" / f"{number}.parquet")
        pq.write_table(whole.take(pa.array(range(0, len(whole), 20))), file)
        made.append(sketched(file, folder / f"{number}.echo"))
    return tuple(made)


def sketched(source: Path, out: Path) -> Path:
    webecho.sketch(source, out, paragraphs=True, chunks="page,lines:4,lines:2")
    return out


def check_same(study: str, paths: Workspaces, session: "SparkSession") -> None:
    found = STUDIES[study](paths, spark_run(session)).study
    expected = STUDIES[study](paths, local_run()).study
    assert found.tables.keys() == expected.tables.keys()
    for name, table in expected.tables.items():
        assert found.tables[name].schema == table.schema, name
        assert rows(name, found.tables[name]) == rows(name, table), name
    assert found.sentences == expected.sentences
    assert any(table.num_rows for table in expected.tables.values())


def rows(name: str, table: pa.Table) -> list[dict[str, object]]:
    """The rows; of those that say how long something took, what it was."""
    return table.select(
        ["collection", "step"] if name == "time" else table.column_names
    ).to_pylist()


@pytest.mark.parametrize("study", STUDIES)
def test_a_made_up_web(study: str, made_up: Workspaces, quick: "SparkSession") -> None:
    check_same(study, made_up, quick)


@pytest.mark.parametrize("partitions", [1, 17])
@pytest.mark.parametrize("study", ["replication", "genealogy"])
def test_the_number_of_partitions_changes_nothing(
    study: str, partitions: int, made_up: Workspaces, spark: "SparkSession"
) -> None:
    """The other tests have two; and these run statements compiled and planned as users have it."""
    session = spark.newSession()
    session.conf.set("spark.sql.shuffle.partitions", partitions)
    # Else few rows are put together again.
    session.conf.set("spark.sql.adaptive.coalescePartitions.enabled", "false")
    check_same(study, made_up, session)


@pytest.mark.data
@pytest.mark.parametrize("study", STUDIES)
def test_real_snapshots(study: str, real: Workspaces, quick: "SparkSession") -> None:
    check_same(study, real, quick)
