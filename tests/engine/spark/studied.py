"""Whether Spark studies collections as the local engine does, row for row."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

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


def check_study(study: str, paths: Workspaces, session: "SparkSession") -> None:
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
