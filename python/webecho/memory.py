"""How much memory the process holds, mapped file pages apart."""

import resource
import threading
from pathlib import Path
from typing import Self

EVERY = 0.05  # seconds


def held() -> int:
    """Bytes that are the process's own now: mapped files, which the system can drop, apart."""
    try:
        _, resident, shared, *_ = Path("/proc/self/statm").read_text().split()
    except OSError:
        # Not Linux: the peak so far, mapped files included.
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return (int(resident) - int(shared)) * resource.getpagesize()


class PeakMemory:
    """The most that was held at once while the block ran, looked at twenty times a second."""

    def __enter__(self) -> Self:
        self.peak = held()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="webecho-memory", daemon=True)
        self._thread.start()
        return self

    def _watch(self) -> None:
        while not self._stop.wait(EVERY):
            self.peak = max(self.peak, held())

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self.peak = max(self.peak, held())
