"""How a verb is to be run."""

import os

from webecho.engine.local.engine import local_run
from webecho.run import Note, Report, Run, silent, unheard
from webecho.sizes import in_bytes


def as_run(
    threads: int | None = None,
    memory: int | str | None = None,
    report: Report = silent,
    note: Note = unheard,
    warn: Note = unheard,
) -> Run:
    """How a verb is to be run: on all cores by default."""
    most = None if memory is None else in_bytes(memory)
    return local_run(threads or default_threads(), most, report, note, warn)


def default_threads() -> int:
    """As many as this process may run on."""
    return len(os.sched_getaffinity(0))
