"""The Spark session that work is done in.

A session that a user has is used as it is, by a sibling of it: temporary tables and the settings
that our SQL needs are the sibling's own, executors and what they hold are shared.
"""

import os
import re
import socket
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING

from webecho.engine.spark.budgets import budget
from webecho.engine.spark.failures import (
    CONFIGURATION,
    known,
    reason_of,
    spark_errors,
    whole_text,
)
from webecho.engine.spark.functions import add_functions
from webecho.engine.spark.java import check_java
from webecho.engine.spark.logs import quiet_java, quieten
from webecho.errors import MEMORY, Message, Setting, SettingsError, setting
from webecho.run import Note, unheard

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# What our SQL needs: names in double quotes, and errors where a number does not fit.
DIALECT = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.ansi.doubleQuotedIdentifiers": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    # Rows in memory that are handed over keep the types that they have.
    "spark.sql.execution.arrow.useLargeVarTypes": "false",
}
# What a session that we start has unless the user says otherwise: progress and errors are told by
# us, and not by Spark between them.
USUAL = {"spark.ui.showConsoleProgress": "false", "spark.log.level": "FATAL"}
WORKER_PYTHON = "PYSPARK_PYTHON"
# What `spark-submit` sets: its Java side runs already.
SUBMITTED = "PYSPARK_GATEWAY_PORT"
LEAST = 4
INSTALL = "pip install 'webecho[spark]', with Java 17 or 21 on the machine"
MASTERS = re.compile(r"yarn$|(spark|k8s)://.|local(-cluster)?(\[.*\])?$")
# A cluster of Spark's own, by its addresses, and the seconds in which one must answer.
STANDALONE = re.compile(r"spark://([^/]+)/?$")
PATIENCE = 10
MASTER = Setting("--master", "the session's master")


def sibling(session: "SparkSession") -> "SparkSession":
    """A session on the same cluster that understands our SQL, with names of its own. What can be
    set as it runs, such as the number of shuffle partitions, is as in the user's."""
    own = session.newSession()
    set_here = {name: value for name, value in session.conf.getAll.items() if is_sql(name)}
    for name, value in (set_here | DIALECT).items():
        if own.conf.isModifiable(name):
            own.conf.set(name, value)
    add_functions(own)
    return own


def tasks_at_once(session: "SparkSession") -> int:
    """How many tasks an executor runs at a time, as far as it is known."""
    context = session.sparkContext
    if (context.master or "").startswith("local"):
        return context.defaultParallelism
    return int(context.getConf().get("spark.executor.cores", "1") or 1)


def is_sql(name: str) -> bool:
    return name.startswith("spark.sql.")


def as_session(given: object, memory: int | None = None, warn: Note = unheard) -> "SparkSession":
    """The session that a Python program has."""
    check_pyspark()
    from pyspark.sql import SparkSession

    if not isinstance(given, SparkSession):
        kind = f"{type(given).__module__}.{type(given).__name__}"
        raise SettingsError(
            setting("engine").to("…"),
            f" takes local, spark or a SparkSession, and not a {kind}; a session of Spark Connect "
            "has its driver elsewhere: give one of a program that runs on the cluster itself",
        )
    if memory is not None:
        warn(fixed_memory())
    return given


def start_session(
    master: str | None,
    configuration: Mapping[str, str],
    memory: int | None = None,
    warn: Note = unheard,
) -> "SparkSession":
    """The session that this process has, or a new one on this master (by default what
    `spark-submit` or Spark's own files say), of which an executor holds no more than `memory`."""
    check_pyspark()
    check_settings(master, configuration)
    from py4j.protocol import Py4JError
    from pyspark import SparkContext
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    if SparkContext._active_spark_context is None:
        check_reached(master)
    # A worker's Python is the system's otherwise, which may lack this package.
    os.environ.setdefault(WORKER_PYTHON, sys.executable)
    java_runs = SUBMITTED in os.environ or SparkContext._gateway is not None
    session_runs = SparkContext._active_spark_context is not None
    if not java_runs:
        check_java()
    if not session_runs:
        quieten()
    settings = {} if session_runs else dict(USUAL)
    if memory is not None:
        asked = budget(memory)
        local = is_local(master or configuration.get("spark.master"), java_runs)
        if session_runs or (java_runs and local):
            warn(fixed_memory())
        else:
            settings |= asked.settings(local)
    builder = SparkSession.builder.appName("webecho")
    if master is not None:
        builder = builder.master(master)
    for name, value in (settings | {**configuration}).items():
        builder = builder.config(name, value)
    try:
        with nullcontext() if java_runs else quiet_java():
            session = builder.getOrCreate()
    except (PySparkException, Py4JError) as error:
        text = whole_text(error)
        raise known(text) or refused(master, text) from None
    with spark_errors():
        # Else what cannot be read is told when it is first needed.
        for name in filter(is_sql, configuration):
            if session.conf.isModifiable(name):
                session.conf.set(name, configuration[name])
    return session


def check_pyspark() -> None:
    """Refuses to go on without a Spark that this engine knows."""
    try:
        import pyspark
    except ImportError:
        raise SettingsError(
            f"the Spark engine needs pyspark, which is not installed; {INSTALL}"
        ) from None
    if int(pyspark.__version__.partition(".")[0]) < LEAST:
        raise SettingsError(
            f"the Spark engine needs pyspark 4, and {pyspark.__version__} is installed; {INSTALL}"
        )


def check_settings(master: str | None, configuration: Mapping[str, str]) -> None:
    """Refuses what is none of Spark's, which would tell by the stack of another language."""
    if master is not None and not MASTERS.match(master):
        raise SettingsError(
            MASTER.to(master), " is no master of Spark; give local[2], spark://…, yarn or k8s://…"
        )
    for name in configuration:
        if not name.startswith("spark."):
            raise SettingsError(
                *(CONFIGURATION, f" {name}: what Spark can be told begins with spark., such as "),
                "spark.sql.shuffle.partitions=400",
            )


def check_reached(master: str | None) -> None:
    """Refuses a cluster of Spark's own where nobody answers: it would be tried for a minute, and
    told of in Spark's words."""
    found = STANDALONE.match(master or "")
    if found is None:
        return
    problems = []
    for address in found[1].split(","):
        host, _, port = address.rpartition(":")
        try:
            with socket.create_connection((host.strip("[]"), int(port)), PATIENCE):
                return
        except (OSError, ValueError, OverflowError) as error:
            problems.append(f"{address}: {error}")
    raise SettingsError(
        *(
            MASTER.to(master),
            f": nobody answers there ({'; '.join(problems)}); check the address, ",
        ),
        "and that the master runs and can be reached from here",
    )


def is_local(master: str | None, java_runs: bool) -> bool:
    """Whether the executor is the driver, as where nothing else is said."""
    from pyspark import SparkConf

    if master is None and java_runs:
        master = SparkConf().get("spark.master", None)
    return master is None or master.startswith("local")


def fixed_memory() -> Message:
    """What is said where the memory of executors cannot be set any more."""
    return Message(
        MEMORY,
        " is not what holds Spark: its memory was set when it was started; give the session "
        "spark.executor.memory and spark.executor.memoryOverhead (on one machine "
        "spark.driver.memory) then",
    )


def refused(master: str | None, text: str) -> SettingsError:
    """What is said where no session is given."""
    if "JAVA_GATEWAY_EXITED" in text:
        return SettingsError("Java ended before Spark began; it says why above")
    asked = () if master is None else (" with ", MASTER.to(master))
    # On one machine another master is no help.
    local = master is not None and master.startswith("local")
    other = () if local else (", or try ", MASTER.to("local[*]"))
    return SettingsError(
        "Spark cannot be started", *asked, f" ({reason_of(text)}); mend that", *other
    )
