"""How a verb is to be run."""

import contextlib
import os
import sys
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict

from webecho.engine.local.engine import local_run
from webecho.errors import Message, SettingsError, in_python, setting
from webecho.run import Log, Note, Progress, Report, Run, silent, unheard, unlogged
from webecho.show.progress import progress as shown_progress
from webecho.sizes import in_bytes

# What does the work: this machine, Spark as it is configured, or the session of a program.
if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    EngineChoice: TypeAlias = Literal["local", "spark"] | SparkSession
else:
    EngineChoice = object

ENGINES = ("local", "spark")
# Where our modules are, and what calls those of them that are left as blocks end.
_OURS = (str(Path(__file__).parents[1]) + os.sep, contextlib.__file__)
LOCALLY = Message(
    "this runs on this machine, whatever ",
    setting("engine"),
    " says, and reads workspaces that Spark wrote as any other",
)


def warned(text: str) -> None:
    """Tells it to a Python program, at its own line that called us."""
    [said] = in_python([text])
    frame = sys._getframe(1)
    level = 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_OURS):
        frame, level = frame.f_back, level + 1
    warnings.warn(said, stacklevel=level)


def as_run(
    threads: int | None = None,
    memory: int | str | None = None,
    report: Report = silent,
    note: Note = unheard,
    warn: Note = warned,
    convert: Mapping[str, str] | None = None,
    *,
    engine: EngineChoice = "local",
    master: str | None = None,
    spark_conf: Mapping[str, str] | None = None,
    log: Log | None = None,
) -> Run:
    """How a verb is to be run: on all cores by default. A Spark session is that of the process, or
    one on this master with this configuration."""
    most = None if memory is None else in_bytes(memory)
    workers = threads or default_threads()
    if engine == "local":
        refuse_spark_settings(master, spark_conf)
        made = local_run(workers, most, report, note, warn, convert)
        return replace(made, log=log or unlogged)
    # Its modules are loaded by those who ask for it.
    from webecho.engine.spark.engine import spark_run
    from webecho.engine.spark.session import as_session, start_session

    check_engine(engine)
    if isinstance(engine, str):
        report(Progress("starting Spark"))
        session = start_session(master, spark_conf or {}, most, warn)
    else:
        session = as_session(engine, most, warn)
    made = spark_run(session, workers, most, report, note, warn, convert)
    return replace(made, log=log or unlogged)


class RunOptions(TypedDict, total=False):
    """The keywords of functions that say how a verb is run, and who is told how far it is."""

    threads: int | None
    memory: int | str | None
    engine: EngineChoice
    report: Report | None
    progress: bool


@contextlib.contextmanager
def running(
    threads: int | None,
    memory: int | str | None,
    report: Report | None,
    progress: bool,
    *,
    convert: Mapping[str, str] | None = None,
    engine: EngineChoice = "local",
) -> Iterator[Run]:
    """How a Python program lets a verb be run: it is told how far that has come, and with
    `progress` whoever sits before it."""
    with shown_progress(quiet=not progress) as show:

        def tell(now: Progress) -> None:
            show(now)
            if report is not None:
                report(now)

        yield as_run(threads, memory, tell, convert=convert, engine=engine)


@contextlib.contextmanager
def running_locally(
    threads: int | None,
    memory: int | str | None,
    report: Report | None,
    progress: bool,
    *,
    convert: Mapping[str, str] | None = None,
    engine: EngineChoice = "local",
) -> Iterator[Run]:
    """The same of a verb that Spark does no work for: who asks for Spark is told so."""
    if engine != "local":
        check_engine(engine)
        # Past this, what makes it a context, the verb and its public face.
        warnings.warn(LOCALLY.for_python(), stacklevel=5)
    with running(threads, memory, report, progress, convert=convert) as run:
        yield run


def check_engine(engine: EngineChoice) -> None:
    """Refuses what is no engine and no session."""
    if isinstance(engine, str) and engine not in ENGINES:
        raise SettingsError(f"there is no engine {engine!r}; there are {' and '.join(ENGINES)}")
    if not isinstance(engine, str):
        from webecho.engine.spark.session import as_session

        as_session(engine)


def refuse_spark_settings(master: str | None, spark_conf: Mapping[str, str] | None) -> None:
    """Says of settings of Spark that this machine has no use for them."""
    for name, value in {"master": master, "spark_conf": spark_conf}.items():
        if value:
            raise SettingsError(
                setting(name),
                " is a setting of Spark; give it with ",
                setting("engine").to("spark"),
            )


def default_threads() -> int:
    """As many as this process may run on."""
    return len(os.sched_getaffinity(0))
