"""*Run record*: what may differ from run to run, which `run.json` of a workspace keeps."""

import os
import platform
import resource
import time
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from webecho.memory import PeakMemory
from webecho.run import Run
from webecho.workspace.run_file import write_run


class RunRecord:
    """What may differ from run to run while the block runs: version, times, memory, threads, seed,
    host."""

    def __init__(self, run: Run, seed: int) -> None:
        self.run = run
        self.seed = seed

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

    def write(self, path: Path, verb: str, steps: Mapping[str, float] | None = None) -> None:
        """Keeps it in the `run.json` of a workspace, with the seconds of each step, if they were
        counted."""
        usage = resource.getrusage(resource.RUSAGE_SELF)
        record: dict[str, Any] = {
            "webecho": version("webecho"),
            "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.start)),
            "seconds": round(self.seconds, 3),
            "processor seconds": round(usage.ru_utime + usage.ru_stime, 3),
            "peak memory": self.peak,
            "threads": self.run.threads,
            "memory": self.run.memory,
            "seed": self.seed,
            "host": platform.node(),
            "cores": os.cpu_count(),
        }
        if steps is not None:
            record["steps"] = {name: round(seconds, 3) for name, seconds in steps.items()}
        write_run(path, {verb: record})
