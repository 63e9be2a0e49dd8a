"""One session of Spark for all tests: starting it takes longer than most of them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.engine.spark.cluster import Cluster, cluster_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# What a session of two cores on a small machine needs, and nothing for people to look at.
SMALL = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "3",
    "spark.default.parallelism": "3",
    "spark.driver.memory": "1g",
    # Most statements run once or twice: compiling them well takes longer than running them.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
}


@pytest.fixture(scope="session")
def spark() -> "Iterator[SparkSession]":
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    from webecho.engine.spark.java import java_command
    from webecho.engine.spark.session import start_session

    if java_command() is None:
        pytest.skip("there is no Java here")

    session = start_session("local[2]", SMALL)
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A real cluster of two workers, one of which may be killed."""
    with cluster_of(tmp_path_factory.mktemp("cluster"), 2) as made:
        yield made
