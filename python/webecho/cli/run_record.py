"""What verbs have in common: the options that say how to read, and the record of a run."""

import os
import platform
import resource
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from webecho.api.inputs import default_threads
from webecho.engine.local.engine import local_run
from webecho.memory import PeakMemory
from webecho.run import Report, Run, silent
from webecho.show.terminal import progress
from webecho.sketches.page_tables import require_tables
from webecho.workspace.run_file import write_run

READING = ("text", "html", "url", "id", "date", "statuses", "types")


def run_of(options: dict[str, Any], report: Report = silent) -> Run:
    """How the options say that a verb is to be run: on all cores by default."""
    threads = options["threads"] or default_threads()
    return local_run(threads, options["memory"], options["seed"], report)


@contextmanager
def recorded(path: Path, verb: str, run: Run) -> Iterator[None]:
    """Writes into `run.json` what may differ from run to run: times, memory, threads, host."""
    start = time.time()
    with PeakMemory() as memory:
        yield
    usage = resource.getrusage(resource.RUSAGE_SELF)
    record = {
        "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(start)),
        "seconds": round(time.time() - start, 3),
        "processor seconds": round(usage.ru_utime + usage.ru_stime, 3),
        "peak memory": memory.peak,
        "threads": run.threads,
        "memory": run.memory,
        "seed": run.seed,
        "host": platform.node(),
        "cores": os.cpu_count(),
    }
    write_run(path, {verb: record})


def with_tables(path: Path, names: Sequence[str], run: Run, quiet: bool) -> None:
    """Makes the page tables that a workspace lacks, and tells that it takes a while."""
    with progress(quiet) as report:
        require_tables(path, names, replace(run, report=report))
