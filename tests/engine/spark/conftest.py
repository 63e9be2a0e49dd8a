"""One session of Spark for all tests: starting it takes longer than most of them."""

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# What a session of two cores on a small machine needs, and nothing for people to look at.
SMALL = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "3",
    "spark.default.parallelism": "3",
    "spark.driver.memory": "1g",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
}


@pytest.fixture(scope="session")
def spark() -> "Iterator[SparkSession]":
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    if shutil.which("java") is None:
        pytest.skip("there is no Java here")
    from webecho.engine.spark.session import start_session

    session = start_session("local[2]", SMALL)
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()
