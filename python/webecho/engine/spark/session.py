"""The Spark session that work is done in.

A session that a user has is used as it is, by a sibling of it: temporary tables and the settings
that our SQL needs are the sibling's own, executors and what they hold are shared.
"""

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from webecho.errors import SettingsError

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
WORKER_PYTHON = "PYSPARK_PYTHON"


def sibling(session: "SparkSession") -> "SparkSession":
    """A session on the same cluster that understands our SQL, with names of its own."""
    own = session.newSession()
    for name, value in DIALECT.items():
        own.conf.set(name, value)
    return own


def start_session(master: str | None, configuration: Mapping[str, str]) -> "SparkSession":
    """A session on this master (by default what `spark-submit` or the configuration says)."""
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise SettingsError(
            "the Spark engine needs pyspark, which is not installed; "
            "pip install 'webecho[spark]', with Java 17 or 21 on the machine"
        ) from error
    # A worker's Python is the system's otherwise, which may lack this package.
    os.environ.setdefault(WORKER_PYTHON, sys.executable)
    builder = SparkSession.builder.appName("webecho")
    if master is not None:
        builder = builder.master(master)
    for name, value in configuration.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()
