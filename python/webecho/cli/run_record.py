"""What verbs have in common: the options that say how to read, and the record of a run."""

import os
import platform
import resource
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from webecho.memory import PeakMemory
from webecho.show.terminal import say
from webecho.sketches.page_tables import require_tables
from webecho.workspace.run_file import write_run

# Seconds between two lines that tell how far reading again has come.
EVERY = 10.0
READING = ("text", "html", "url", "id", "date", "statuses", "types")


@contextmanager
def recorded(path: Path, verb: str, threads: int, options: dict[str, Any]) -> Iterator[None]:
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
        "threads": threads,
        "memory": options["memory"],
        "seed": options["seed"],
        "host": platform.node(),
        "cores": os.cpu_count(),
    }
    write_run(path, {verb: record})


def with_tables(path: Path, names: Sequence[str], threads: int, options: dict[str, Any]) -> None:
    """Makes the page tables that a workspace lacks, and tells that it takes a while."""
    last = time.monotonic()

    def report(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last >= EVERY and not options["quiet"]:
            last = time.monotonic()
            say(f"{path}: {', '.join(names)} of {done:,} of {total:,} pages")

    require_tables(path, names, threads=threads, memory=options["memory"], report=report)
