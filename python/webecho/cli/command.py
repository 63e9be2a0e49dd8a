"""What every verb has: its common options, a run that shows how far it has come, and errors as
messages and exit codes."""

import functools
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from webecho.cli.options import (
    Command,
    block,
    common_options,
    engine_options,
    resource_options,
)
from webecho.errors import SettingsError, WebechoError
from webecho.safe_text import plain, without_secrets

if TYPE_CHECKING:
    from webecho.api.runs import EngineChoice
    from webecho.run import Progress, Run
    from webecho.show.log import RunLog
    from webecho.show.terminal import Format

FAILED, SKIPPED, STOPPED, UNREAD = 1, 3, 130, 141


@dataclass(frozen=True)
class Shell:
    """What the common options say: how a verb is run, and how its result is shown."""

    quiet: bool
    output: "Format"
    strict: bool
    threads: int | None = None
    memory: int | None = None
    seed: int = 0
    # By what it is run, and whether it can be run by that.
    engine: "EngineChoice" = "local"
    master: str | None = None
    spark_conf: Mapping[str, str] = field(default_factory=dict)
    on_spark: bool = False
    # Commands by type, for documents of a workspace that are read again.
    convert: Mapping[str, str] = field(default_factory=dict)
    log: "RunLog | None" = None

    @property
    def starts_spark(self) -> bool:
        """Whether Spark is started, which takes long: then what can be checked first is."""
        return self.engine == "spark" and self.on_spark

    @contextmanager
    def run(self) -> Iterator["Run"]:
        """A run that shows how far it has come, and says what it notices."""
        # Loading Arrow would make `--help` slow.
        from webecho.api.runs import LOCALLY, as_run
        from webecho.show.progress import progress
        from webecho.show.terminal import say

        log = self.log
        noted: set[str] = set()

        def note(text: str) -> None:
            # A workspace that is opened twice has no more to say.
            if text in noted:
                return
            noted.add(text)
            if log is not None:
                log.note(text)
            if not self.quiet:
                say(plain(without_secrets(text)))

        def warn(text: str) -> None:
            if text in noted:
                return
            noted.add(text)
            if log is not None:
                log.warn(text)
            say(f"webecho: {plain(without_secrets(text))}")

        local = self.engine == "spark" and not self.on_spark
        if local:
            note(LOCALLY)
        with progress(self.quiet) as shown:

            def report(now: "Progress") -> None:
                shown(now)
                if log is not None:
                    log.report(now)

            yield as_run(
                *(self.threads, self.memory, report if log else shown, note, warn, self.convert),
                engine="local" if local else self.engine,
                master=None if local else self.master,
                spark_conf=None if local else self.spark_conf,
                log=None if log is None else log.write,
            )
            if log is not None:
                log.end_phase()

    def say_written(self, *places: object) -> None:
        """Tells where results are."""
        from webecho.show.terminal import say

        for place in places:
            if place is not None and self.log is not None:
                self.log.write("written", {"file": f"{place}"})
            if place is not None and not self.quiet:
                say(f"written: {place}")


OWN = ("convert", "on_spark", "log")
COMMON = tuple(each.name for each in fields(Shell) if each.name not in OWN)


def verb(
    command: Callable[..., bool | None],
    *,
    goes_on: bool = False,
    on_spark: bool = False,
    on_pages: bool = True,
) -> Command:
    """Gives a verb the options that all have, as a `Shell`, and turns errors into messages and exit
    codes. A verb tells whether something could not be read, or only be estimated, if it can know.
    Threads and memory are for verbs that work `on_pages`.
    """
    working = (resource_options,) if on_pages else ()

    @block(engine_options(offered=on_spark), *working, common_options)
    @functools.wraps(command)
    def called(log: Path | None, **options: Any) -> None:
        given = {name: options.pop(name) for name in COMMON if name in options}
        shell = Shell(**given, on_spark=on_spark)
        with logging(log) as running:
            answered(replace(shell, log=running), options)

    def told(text: str) -> None:
        from webecho.show.terminal import say

        say(text)

    def answered(shell: Shell, options: Mapping[str, Any]) -> None:
        try:
            if shell.starts_spark:
                check_named(options)
            incomplete = command(shell, **options)
            sys.stdout.flush()
        except KeyboardInterrupt:
            on = "goes on from here" if goes_on else "begins again"
            click.echo(f"\nwebecho: stopped; the same command {on}", err=True)
            sys.exit(STOPPED)
        except SettingsError as error:
            raise click.UsageError(error.for_command_line()) from error
        except WebechoError as error:
            told(f"webecho: {error.for_command_line()}")
            sys.exit(FAILED)
        except BrokenPipeError:
            # Whoever read the output has enough. What is left of it goes nowhere, else the
            # interpreter would complain of it when it ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(UNREAD)
        except OSError as error:
            reason = error.strerror or str(error)
            where = f"{error.filename}: " if error.filename else ""
            told(f"webecho: {where}{reason}; mend that and give the same command")
            sys.exit(FAILED)
        if incomplete and shell.strict:
            sys.exit(SKIPPED)

    return called


def check_named(options: Mapping[str, Any]) -> None:
    """Refuses what a verb is given as workspaces and is none."""
    from webecho.api.inputs import check_workspaces

    given = [*options.get("workspaces", ()), *map(options.get, ("workspace", "other", "against"))]
    check_workspaces(filter(None, given))


@contextmanager
def logging(file: Path | None) -> Iterator["RunLog | None"]:
    """The log of the verb that is run, if one is asked for."""
    if file is None:
        yield None
        return
    # Loading it would make `--help` slow.
    from importlib.metadata import version

    from webecho.show.log import logged

    context = click.get_current_context()
    typed = {
        name: value
        for name, value in context.params.items()
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }
    verb = context.command_path.partition(" ")[2]
    with logged(file, verb, version("webecho"), typed) as log:
        yield log


def copying_verb(command: Callable[..., bool | None]) -> Command:
    """A verb that copies records from file to file."""
    return verb(command, on_pages=False)


def resumable_verb(command: Callable[..., bool | None]) -> Command:
    """A verb that, stopped and started again, goes on where it was."""
    return verb(command, goes_on=True)


def spark_verb(command: Callable[..., bool | None]) -> Command:
    """A verb that Spark can do the work of."""
    return verb(command, on_spark=True)


def resumable_spark_verb(command: Callable[..., bool | None]) -> Command:
    """The same of one that goes on where it was."""
    return verb(command, goes_on=True, on_spark=True)


def reads(command: Callable[..., bool | None]) -> Callable[..., bool | None]:
    """Gives a verb what the options of reading say as one `Reading`."""

    @functools.wraps(command)
    def called(shell: Shell, **options: Any) -> bool | None:
        # Loading Arrow would make `--help` slow.
        from webecho.api.reading import Reading

        names = Reading.__dataclass_fields__
        reading = Reading(**{name: options.pop(name) or None for name in names})
        return command(shell, reading=reading, **options)

    return called


def rereads(command: Callable[..., bool | None]) -> Callable[..., bool | None]:
    """Lets a verb run the commands that are given for documents of a workspace."""

    @functools.wraps(command)
    def called(shell: Shell, convert: Mapping[str, str], **options: Any) -> bool | None:
        return command(replace(shell, convert=convert), **options)

    return called
