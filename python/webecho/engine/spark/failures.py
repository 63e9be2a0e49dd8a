"""What Spark says when it fails, as errors of ours: which input and place, and what to do about it.

What an executor's Python raised comes to the driver as the text of its traceback within the text of
a Java stack. Whoever called is shown a line: that of our own error, if it was one.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from urllib.parse import unquote

from webecho import errors
from webecho.errors import MEMORY, MemoryBudgetError, Message, Setting, SettingsError, WebechoError
from webecho.workspace.stored import Stored

# The last line of a traceback: the kind of an error, and what it says.
RAISED = re.compile(r"^(?P<kind>[\w.]+(?:Error|Exception)): (?P<said>.*)$", re.M)
OURS = re.compile(r"^webecho\.errors\.(?P<kind>\w+): (?P<said>.*)$", re.M)
# Where Spark says what happened to a task, before the stack of it.
LOST = re.compile(r"(?:Lost task|most recent failure:)[^\n]*?\): (?P<said>[^\n]+)")
# What the Java side raised, below which call it was; not that it waited for what failed.
CALLED = re.compile(r"^: [\w.$]+: (?!Exception thrown in awaitResult)(?P<said>[^\n]+)", re.M)
STACK = re.compile(r"^\s*(at |\.\.\. \d+ more|Caused by: |Traceback |File \")")

PLACES = ("Python worker exited unexpectedly", "ExecutorLostFailure", "Container killed")
OF_MEMORY = (
    "OutOfMemoryError",
    "Container killed by YARN for exceeding",
    "OOMKilled",
    "MemoryError",
)
NO_PACKAGE = "No module named 'webecho'"
OTHER_PYTHON = "PYTHON_VERSION_MISMATCH"
NO_ROOM = "No space left on device"
WRONG_VALUE = "INVALID_CONF_VALUE"
# What of a job may come to the driver, 1 GB if nothing is said.
MOST_RESULTS = "spark.driver.maxResultSize"
CONFIGURATION = Setting("--spark-conf", "the session's configuration")


@contextmanager
def spark_errors(stored: Iterable[Stored] = ()) -> Iterator[None]:
    """What fails in Spark while the block runs is an error of ours; `stored` are the tables that
    may have been read."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        if is_interrupted(error):
            raise KeyboardInterrupt from None
        raise translated(whole_text(error), stored) from None


@contextmanager
def frame_errors(name: str) -> Iterator[None]:
    """What fails while the rows of a user's frame are made is of the frame."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        if is_interrupted(error):
            raise KeyboardInterrupt from None
        text = whole_text(error)
        raise known(text) or errors.InputError(
            f"the rows of {name} cannot be written to files ({reason_of(text)}); "
            "see whether Spark itself can write it as Parquet"
        ) from error


def is_interrupted(error: BaseException | None) -> bool:
    """Whether Ctrl-C was heard: pyspark then cancels all jobs, and may raise what becomes of these
    while the interrupt is on its way."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__context__
    return False


def whole_text(error: BaseException) -> str:
    """What an error says, with what the Java side has of it and of its causes."""
    java = getattr(error, "java_exception", None)
    said = [str(error)]
    while java is not None:
        said.append(f": {java.toString()}")
        java = java.getCause()
    return "\n".join(said)


def translated(text: str, stored: Iterable[Stored] = ()) -> WebechoError:
    """The error of ours that a failure is."""
    ours = [*OURS.finditer(text)]
    if ours:
        kind = getattr(errors, ours[-1]["kind"], WebechoError)
        made: WebechoError = kind(Message(ours[-1]["said"]))
        return made
    reason = reason_of(text)
    for table in stored:
        for file in table.files:
            # Spark names it as it is, or with some of its characters escaped; in a store by its
            # address, which it may begin in another way.
            names = (str(file.absolute()), f"{file.absolute()}".rpartition("://")[2])
            if any(name in each for each in (text, unquote(text)) for name in names):
                return errors.WorkspaceError(f"{file} cannot be read ({reason}); {table.fix}")
    return known(text) or WebechoError(f"Spark failed ({reason}); please report this")


def known(text: str) -> WebechoError | None:
    """The errors of a cluster of which the fix is known."""
    if NO_PACKAGE in text:
        return SettingsError(
            "the executors have no webecho; install it on the cluster, or send it along with "
            "--archives, as an environment or unpacked (docs/spark.md)"
        )
    if WRONG_VALUE in text:
        return SettingsError(f"a setting of Spark cannot be read ({reason_of(text)}); mend it")
    if OTHER_PYTHON in text:
        return SettingsError(
            "the executors' Python is not the driver's version; name one that is with the "
            "environment variable PYSPARK_PYTHON"
        )
    if f"is bigger than {MOST_RESULTS}" in text:
        return SettingsError(
            "what the tasks of Spark answer is more than its driver may take; give ",
            *(CONFIGURATION, f" {MOST_RESULTS}=4g, or more, and the driver that memory"),
        )
    if any(each in text for each in OF_MEMORY):
        return MemoryBudgetError(
            "an executor of Spark ran out of memory; give ",
            *(MEMORY, " more, or spark.sql.shuffle.partitions a higher number"),
        )
    if NO_ROOM in text:
        return WebechoError(
            "an executor of Spark has no room left on its disk; make room, or name another folder "
            "with spark.local.dir"
        )
    if any(each in text for each in PLACES):
        return WebechoError(
            "executors of Spark, or their Python, ended more often than it tries again, often for "
            "want of memory; look at their logs, and give the same command with ",
            *(MEMORY, " higher"),
        )
    return None


def reason_of(text: str) -> str:
    """What a failure says of itself in a line, without stacks: what Python raised last, what befell
    a task, or what is said first."""
    raised = [*RAISED.finditer(text)]
    if raised and "Traceback (most recent call last)" in text:
        return f"{raised[-1]['kind']}: {raised[-1]['said']}"
    for pattern in (LOST, CALLED):
        if (found := pattern.search(text)) is not None:
            return found["said"].strip()
    lines = (line.strip() for line in text.splitlines() if not STACK.match(line))
    return next(filter(None, lines), "without a word")
