"""What Spark says by itself, in a session that we start: hardly anything, for we tell."""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# What a Java that pyspark starts is given, and where Spark looks for settings of its log.
JAVA_OPTIONS, LOG_SETTINGS = "SPARK_SUBMIT_OPTS", "log4j2.properties"
CONF_DIR, HOME = ("SPARK_CONF_DIR", ""), ("SPARK_HOME", "conf")


def quieten() -> None:
    """What pyspark says on standard error of failed queries, which become errors of ours, and of
    pandas, which it asks for and we do not use, is not said in a session of ours."""
    from pyspark.logger import PySparkLogger

    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        PySparkLogger.getLogger(name).disabled = True
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)


@contextmanager
def quiet_java() -> Iterator[None]:
    """A Java that is started in the block tells why it ends and no more, unless the user has said
    what it is to tell."""
    before = os.environ.get(JAVA_OPTIONS)
    if "log4j" in (before or "") or any(map(has_log_settings, (CONF_DIR, HOME))):
        yield
        return
    said = f"-Dlog4j2.configurationFile={Path(__file__).with_name(LOG_SETTINGS).as_uri()}"
    os.environ[JAVA_OPTIONS] = f"{before} {said}" if before else said
    try:
        yield
    finally:
        if before is None:
            del os.environ[JAVA_OPTIONS]
        else:
            os.environ[JAVA_OPTIONS] = before


def has_log_settings(place: tuple[str, str]) -> bool:
    """Whether in the folder that a variable names, or one in it, there are settings of the log."""
    variable, folder = place
    return variable in os.environ and Path(os.environ[variable], folder, LOG_SETTINGS).is_file()
