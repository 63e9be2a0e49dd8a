"""The number of partitions changes nothing: every verb gives the tables of the local engine."""

from typing import TYPE_CHECKING

import pytest

from tests.engine.spark.grouped import (
    with_partitions,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


@pytest.fixture(params=[1, 3, 17])
def session(request: pytest.FixtureRequest, quick: "SparkSession") -> "SparkSession":
    """One that shuffles to so many partitions."""
    return with_partitions(quick, request.param)
