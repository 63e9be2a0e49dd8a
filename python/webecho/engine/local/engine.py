"""The local engine, and a run by it."""

from contextlib import AbstractContextManager

from webecho.engine.local.database import database
from webecho.engine.protocol import Database
from webecho.run import Note, Report, Run, silent, unheard


class LocalEngine:
    """Rust threads for kernels and grouping, DuckDB for the relational work, in one process."""

    name = "local"

    def database(self, run: Run) -> AbstractContextManager[Database]:
        return database(run)


def local_run(
    threads: int = 1,
    memory: int | None = None,
    seed: int = 0,
    report: Report = silent,
    note: Note = unheard,
    warn: Note = unheard,
) -> Run:
    """A run by the local engine."""
    return Run(LocalEngine(), threads, memory, seed, report, note, warn)
