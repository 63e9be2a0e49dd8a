"""How a verb is to be run."""

import os
import warnings
from collections.abc import Mapping

from webecho.engine.local.engine import local_run
from webecho.run import Note, Report, Run, silent, unheard
from webecho.sizes import in_bytes


def warned(text: str) -> None:
    """Tells it to a Python program."""
    warnings.warn(text, stacklevel=2)


def as_run(
    threads: int | None = None,
    memory: int | str | None = None,
    report: Report = silent,
    note: Note = unheard,
    warn: Note = warned,
    convert: Mapping[str, str] | None = None,
) -> Run:
    """How a verb is to be run: on all cores by default."""
    most = None if memory is None else in_bytes(memory)
    return local_run(threads or default_threads(), most, report, note, warn, convert)


def default_threads() -> int:
    """As many as this process may run on."""
    return len(os.sched_getaffinity(0))
