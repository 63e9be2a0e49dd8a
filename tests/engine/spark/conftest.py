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
    # Every step of every task takes at least a page, and would take one of 16 MB.
    "spark.buffer.pageSize": "1m",
    # Nobody looks at what is over.
    "spark.ui.retainedJobs": "10",
    "spark.ui.retainedStages": "10",
    "spark.ui.retainedTasks": "100",
    "spark.sql.ui.retainedExecutions": "5",
    # Most statements run once or twice: compiling them well takes longer than running them. But so
    # compiled they need more room than Java then gives them, and would be compiled again and again.
    "spark.driver.extraJavaOptions": (
        "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC -Xms1g -Xmn400m "
        "-XX:MetaspaceSize=400m"
    ),
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
}

# What makes a statement over few rows quick: that it is compiled, or planned anew while it runs,
# takes longer than it does.
FEW_ROWS = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.leafNodeDefaultParallelism": "1",
    # Nobody looks at plans.
    "spark.sql.ui.explainMode": "simple",
    "spark.sql.maxPlanStringLength": "10",
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


@pytest.fixture(scope="session")
def quick(spark: "SparkSession") -> "SparkSession":
    """The same session for many statements over few rows."""
    found = spark.newSession()
    for name, value in FEW_ROWS.items():
        found.conf.set(name, value)
    return found


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A real cluster of two workers, one of which may be killed."""
    with cluster_of(tmp_path_factory.mktemp("cluster"), 2) as made:
        yield made
