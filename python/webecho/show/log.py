"""*Log*: what happened in a run, as lines of JSON for programs, each written when it happens.

A run that was killed leaves whole lines, and none of its end. Runs add to a file that is there.
"""

import json
import os
import resource
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from webecho.memory import held
from webecho.run import Progress
from webecho.safe_text import without_secrets
from webecho.show.terminal import say

# Seconds between two lines of how far a phase has come.
EVERY = 10.0
FAILED, STOPPED = 1, 130
# Settings that may hold what others are not to know: only their names are kept.
HIDDEN = ("spark_conf",)


class RunLog:
    """The log of one run."""

    def __init__(self, file: Path, every: float = EVERY) -> None:
        self._file = file
        self._every = every
        self._start = self._told = time.monotonic()
        # What is reported may come from another thread.
        self._lock = threading.RLock()
        self._phase: Progress | None = None
        self._since = self._start
        # In one write each, at the end, so that lines of two runs do not get mixed.
        self._open: int | None = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        if ends_early(file):
            os.write(self._open, b"\n")

    def close(self) -> None:
        if self._open is not None:
            os.close(self._open)
            self._open = None

    def write(self, event: str, facts: Mapping[str, Any]) -> None:
        """Adds a line."""
        line = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "process": os.getpid(),
            "seconds": self.passed(),
            "event": event,
            **facts,
        }
        # In ASCII, so that no text can break a line, lone surrogates included.
        text = json.dumps(safe(line))
        with self._lock:
            if self._open is None:
                return
            try:
                os.write(self._open, f"{text}\n".encode())
            except OSError as error:
                # What a run does matters more than what is told of it.
                self.close()
                reason = error.strerror or str(error)
                say(f"webecho: {self._file}: {reason}; nothing more is written to this log")

    def passed(self) -> float:
        return round(time.monotonic() - self._start, 3)

    def report(self, now: Progress) -> None:
        """Tells of a phase when it begins and ends, and every so often how far it has come."""
        with self._lock:
            begun = self._phase is not None and self._phase.phase == now.phase
            if not begun:
                self.end_phase()
                self._since = self._told = time.monotonic()
                self.write("phase begins", {"phase": now.phase})
            self._phase = now
            if time.monotonic() - self._told >= self._every:
                self._told = time.monotonic()
                self.write("progress", {**self._counted(now), "share": now.share, **memory()})

    def end_phase(self) -> None:
        """Tells of the phase that goes on, if one does, that it is done."""
        with self._lock:
            if self._phase is not None:
                took = {"phase seconds": round(time.monotonic() - self._since, 3)}
                self.write("phase ends", {**self._counted(self._phase), **took, **memory()})
            self._phase = None

    def doing(self) -> dict[str, str]:
        """The phase that goes on, if one does."""
        return {} if self._phase is None else {"phase": self._phase.phase}

    def note(self, text: str) -> None:
        self.write("note", {"text": text})

    def warn(self, text: str) -> None:
        self.write("warning", {"text": text})

    @staticmethod
    def _counted(now: Progress) -> dict[str, Any]:
        counted = {"pages": now.pages, "bytes": now.bytes} if now.pages or now.bytes else {}
        return {"phase": now.phase} | counted


def ends_early(file: Path) -> bool:
    """Whether the last line of a file is broken off, as on a disk that was full."""
    if not file.is_file() or not file.stat().st_size:
        return False
    with file.open("rb") as there:
        there.seek(-1, os.SEEK_END)
        return there.read() != b"\n"


def safe(value: Any) -> Any:
    """A value for JSON, without passwords in addresses."""
    match value:
        case None | bool() | int() | float():
            return value
        case Mapping():
            return {str(name): safe(each) for name, each in value.items()}
        case list() | tuple():
            return [*map(safe, value)]
    return without_secrets(f"{value}")


def memory() -> dict[str, int]:
    """What the process holds now, mapped files apart, and the most that it has had in memory, with
    them; of those that it started the largest."""
    own, children = (
        resource.getrusage(who).ru_maxrss * 1024
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return {"memory": held(), "peak memory": own, "peak memory of children": children}


@contextmanager
def logged(file: Path, verb: str, version: str, given: Mapping[str, Any]) -> Iterator[RunLog]:
    """The log of a run of a verb with what was given, which ends with how that ended."""
    try:
        log = RunLog(file)
    except OSError as error:
        raise click.UsageError(f"--log {file}: {error.strerror or error}") from error
    said = {name: [*value] if name in HIDDEN else value for name, value in given.items()}
    log.write("start", {"verb": verb, "version": version, "given": said})
    code = 0
    try:
        yield log
        log.end_phase()
    except BaseException as error:
        code = exit_code(error)
        if code:
            log.write("stopped" if code == STOPPED else "error", log.doing() | problem(error))
        raise
    finally:
        used = resource.getrusage(resource.RUSAGE_SELF)
        processor = round(used.ru_utime + used.ru_stime, 3)
        log.write("end", {"exit code": code, "processor seconds": processor, **memory()})
        with suppress(OSError):
            log.close()


def exit_code(error: BaseException) -> int:
    """The code with which the process ends of it."""
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else FAILED * (error.code is not None)
    if isinstance(error, click.ClickException):
        return error.exit_code
    return STOPPED if isinstance(error, KeyboardInterrupt) else FAILED


def problem(error: BaseException) -> dict[str, str]:
    """What went wrong, in words, and what Python calls it."""
    # What is said and where the process ends hide what went wrong first.
    hidden = isinstance(error, SystemExit | click.ClickException)
    first = (error.__cause__ or error.__context__ or error) if hidden else error
    return {"kind": type(first).__name__, "text": str(first)}
