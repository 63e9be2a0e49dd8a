"""What fails in Spark, as errors of ours: in a line, with the input and the place."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from webecho.engine.spark.failures import reason_of, spark_errors, translated
from webecho.engine.spark.tasks import each
from webecho.errors import (
    InputError,
    MemoryBudgetError,
    SettingsError,
    WebechoError,
    WorkspaceError,
)
from webecho.workspace.stored import Stored

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Batches = Iterator[pa.RecordBatch]

# As they arrive, cut short.
LOST = """An error occurred while calling o257.getResult.
: org.apache.spark.SparkException: Exception thrown in awaitResult:
	at org.apache.spark.util.SparkThreadUtils$.awaitResult(SparkThreadUtils.scala:70)
Caused by: org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 4.0 \
failed 1 times, most recent failure: Lost task 0.0 in stage 4.0 (TID 4) (vm executor driver): {}
	at org.apache.spark.api.python.PythonException.<init>(PythonRunner.scala:1)
Caused by: java.io.EOFException
	... 24 more
"""


def raising(error: str) -> Callable[[Batches], Batches]:
    """Work that fails with an error, as a program has it, once it has read its rows. Executors get
    the program of a function within a function, and need not import this file."""

    def work(batches: Batches) -> Batches:
        import os  # noqa: F401

        from webecho.errors import InputError  # noqa: F401

        [*_] = batches
        exec(error)
        yield

    return work


@pytest.mark.spark
@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (
            "raise InputError('crawl.warc.gz: the record at byte 17 is cut short; fetch it again')",
            InputError,
            "crawl.warc.gz: the record at byte 17 is cut short; fetch it again",
        ),
        (
            "raise ValueError('no such\\nthing')",
            WebechoError,
            "Spark failed (ValueError: no such); please report this",
        ),
        (
            "raise ModuleNotFoundError(\"No module named 'webecho'\")",
            SettingsError,
            "the executors have no webecho; install it on the cluster, or send it along with "
            "--archives, as an environment or unpacked (docs/spark.md)",
        ),
        (
            "os._exit(9)",
            WebechoError,
            "executors of Spark, or their Python, ended more often than it tries again, often for "
            "want of memory; look at their logs, and give the same command with --memory higher",
        ),
    ],
)
def test_what_an_executor_raises_is_an_error_of_ours(
    spark: "SparkSession", error: str, kind: type[WebechoError], message: str
) -> None:
    rows = spark.range(3).mapInArrow(raising(error), "id long")
    with pytest.raises(WebechoError) as raised, spark_errors():
        rows.toArrow()
    assert (type(raised.value), str(raised.value)) == (kind, message)
    # Nor is the stack told as what it came of.
    assert raised.value.__suppress_context__


@pytest.mark.parametrize(
    ("said", "kind", "message"),
    [
        ("java.lang.OutOfMemoryError: Java heap space", MemoryBudgetError, "give --memory more"),
        ("java.io.IOException: No space left on device", WebechoError, "with spark.local.dir"),
        (
            "Total size of serialized results of 1 tasks (38.7 MiB) is bigger than "
            "spark.driver.maxResultSize (1024.0 KiB)",
            SettingsError,
            "give --spark-conf spark.driver.maxResultSize=4g",
        ),
        (
            "org.apache.spark.SparkRuntimeException: [PYTHON_VERSION_MISMATCH] Python in worker",
            SettingsError,
            "with the environment variable PYSPARK_PYTHON",
        ),
        (
            "ExecutorLostFailure (executor 3 exited caused by one of the running tasks)",
            WebechoError,
            "ended more often than it tries again",
        ),
    ],
)
def test_what_befalls_a_cluster_is_told_with_the_fix(
    said: str, kind: type[WebechoError], message: str
) -> None:
    found = translated(LOST.format(said))
    assert type(found) is kind and message in str(found)
    assert "\n" not in str(found) and "scala" not in str(found)


def test_a_file_of_a_table_is_named_with_the_fix(tmp_path: Path) -> None:
    file = tmp_path / "part-0.parquet"
    table = Stored((file,), pa.schema([("page", pa.int64())]), "sketch it again")
    text = LOST.format(f"[FAILED_READ_FILE] Encountered error while reading {file.as_uri()}.")
    found = translated(text, [table])
    assert isinstance(found, WorkspaceError)
    assert str(found).startswith(f"{file} cannot be read (") and "sketch it again" in str(found)


def test_a_reason_is_the_line_that_says_most() -> None:
    assert reason_of(LOST.format("java.io.IOException: gone")) == "java.io.IOException: gone"
    called = "An error occurred while calling o1.x.\n: java.lang.Exception: no URL\n\tat a.b(c)"
    assert reason_of(called) == "no URL"
    assert reason_of("[NOT_FOUND] no table\n== SQL ==") == "[NOT_FOUND] no table"
    assert reason_of("") == "without a word"


@pytest.mark.spark
def test_ctrl_c_is_no_failure(spark: "SparkSession") -> None:
    status = spark.sparkContext.statusTracker()

    def interrupt() -> None:
        while not any(
            info is not None and info.numActiveTasks
            for number in status.getActiveStageIds()
            for info in [status.getStageInfo(number)]
        ):
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt), spark_errors():
        each(spark, time.sleep, [60, 60])
