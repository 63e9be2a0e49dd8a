"""Stages of Spark as shares of the phase that a run is in."""

import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from webecho.engine.spark.engine import spark_run
from webecho.engine.spark.progress import DESCRIPTION, GROUP, StageReport, watched
from webecho.run import Progress

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


def work(session: "SparkSession", tasks: int, seconds: float) -> None:
    """A job of so many tasks, each of which takes so long."""

    def slow(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import time

        time.sleep(seconds)
        yield from batches

    session.range(tasks, numPartitions=tasks).mapInArrow(slow, "id long").toArrow()


def test_a_phase_is_told_with_the_share_of_tasks_that_is_done(spark: "SparkSession") -> None:
    told: list[Progress] = []
    run = spark_run(spark, report=told.append)
    run.begin("comparing")
    with watched(run):
        work(spark, 6, 0.6)
    shares = [each.share for each in told if each.phase == "comparing" and each.share is not None]
    assert shares == sorted(shares)
    assert any(0 < share < 1 for share in shares)
    assert {each.phase for each in told} == {"comparing"}


def test_jobs_have_the_name_of_their_phase_as_long_as_they_are_watched(
    spark: "SparkSession",
) -> None:
    context = spark.sparkContext
    context.setLocalProperty(DESCRIPTION, "mine")
    run = spark_run(spark, report=lambda _: None)
    run.begin("reading")
    with watched(run):
        assert context.getLocalProperty(DESCRIPTION) == "webecho: reading"
        first = context.getLocalProperty(GROUP)
        run.begin("comparing")
        assert context.getLocalProperty(DESCRIPTION) == "webecho: comparing"
        assert context.getLocalProperty(GROUP) != first
        with watched(run):
            pass
        # A block within another ends nothing.
        assert context.getLocalProperty(DESCRIPTION) == "webecho: comparing"
    assert context.getLocalProperty(DESCRIPTION) == "mine"
    assert context.getLocalProperty(GROUP) is None
    context.setLocalProperty(DESCRIPTION, None)  # type: ignore[arg-type]
    assert not [each for each in threading.enumerate() if each.name == "webecho-stages"]


def test_a_phase_that_tells_its_own_share_is_left_alone(spark: "SparkSession") -> None:
    told: list[Progress] = []
    report = StageReport(spark.sparkContext, told.append)
    report(Progress("reading", 0.25, pages=7))
    with report.watching():
        work(spark, 2, 0.1)
        report.tell()
    assert told == [Progress("reading", 0.25, pages=7)]
    report(Progress("comparing"))
    with report.watching():
        work(spark, 2, 0.0)
        deadline = time.monotonic() + 20
        # The tracker hears of it a little later.
        while report.share() != 1.0 and time.monotonic() < deadline:
            time.sleep(0.05)
        report.tell()
    assert told[-1] == Progress("comparing", 1.0)


def test_nobody_is_told_where_nobody_listens(spark: "SparkSession") -> None:
    run = spark_run(spark)
    with watched(run):
        assert spark.sparkContext.getLocalProperty(GROUP) is None
