"""How a verb is run, and what is remembered of that."""

import os
import platform
import resource
import time
import warnings
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from webecho.engine.local.engine import local_run
from webecho.memory import PeakMemory
from webecho.run import Note, Report, Run, silent, unheard
from webecho.sizes import in_bytes
from webecho.workspace.run_file import write_run


def warned(text: str) -> None:
    """Tells it to a Python program."""
    warnings.warn(text, stacklevel=2)


def as_run(
    threads: int | None = None,
    memory: int | str | None = None,
    seed: int = 0,
    report: Report = silent,
    note: Note = unheard,
    warn: Note = warned,
    convert: Mapping[str, str] | None = None,
) -> Run:
    """How a verb is to be run: on all cores by default."""
    most = None if memory is None else in_bytes(memory)
    return local_run(threads or default_threads(), most, seed, report, note, warn, convert)


def default_threads() -> int:
    """As many as this process may run on."""
    return len(os.sched_getaffinity(0))


class RunRecord:
    """What may differ from run to run while the block runs: times, memory, threads, host."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def __enter__(self) -> Self:
        self.start = time.time()
        self._memory = PeakMemory()
        self._memory.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._memory.__exit__(kind, error, traceback)
        self.seconds = time.time() - self.start

    @property
    def peak(self) -> int:
        """The most memory that was held."""
        return self._memory.peak

    def write(self, path: Path, verb: str) -> None:
        """Keeps it in the `run.json` of a workspace."""
        usage = resource.getrusage(resource.RUSAGE_SELF)
        record = {
            "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.start)),
            "seconds": round(self.seconds, 3),
            "processor seconds": round(usage.ru_utime + usage.ru_stime, 3),
            "peak memory": self.peak,
            "threads": self.run.threads,
            "memory": self.run.memory,
            "seed": self.run.seed,
            "host": platform.node(),
            "cores": os.cpu_count(),
        }
        write_run(path, {verb: record})
