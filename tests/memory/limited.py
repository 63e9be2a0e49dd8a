"""A command in a process of its own, under a limit that the system holds it to, and watched.

The limit of the system is there to stop what runs away, and its measure is not ours: it counts what
is reserved too, as stacks of threads are. So memory is also looked at again and again, and what is
held is what `webecho.memory` calls so: mapped files apart.

`WEBECHO_CGROUP` may name a folder of cgroups (version 2, or the memory controller of version 1)
that was handed over to whoever runs the tests; then each command gets one of its own in it.
"""

import os
import resource
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.command import WEBECHO

CGROUPS = os.environ.get("WEBECHO_CGROUP")
# What is reserved and never used: stacks, and what allocators ask for in advance. Measured: 1.3 GB,
# of which mimalloc (in Arrow) takes 1 GiB, before any page is read.
RESERVED = 3 << 29
EVERY = 0.004  # seconds
PAGE = resource.getpagesize()


@dataclass(frozen=True)
class Ended:
    """How a command ended, what it said, and the most that it held."""

    code: int
    said: str
    peak: int
    seconds: float


def run_limited(
    arguments: Iterable[object],
    allowed: int,
    *,
    stdin: Iterable[bytes] = (),
    timeout: float = 600,
    scratch: Path | None = None,
) -> Ended:
    """Runs the command `webecho` with these arguments and this on its standard input."""
    command = [*WEBECHO, *map(str, arguments)]
    environment = os.environ | ({"TMPDIR": str(scratch)} if scratch else {})
    start = time.monotonic()
    with tempfile.TemporaryFile() as said, _limits(allowed) as limit:
        child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=said,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
        )
        limit(child.pid)
        watch = _Watch(child.pid)
        late = threading.Timer(timeout, child.send_signal, [signal.SIGKILL])
        late.start()
        with suppress(BrokenPipeError), child.stdin:  # type: ignore[union-attr]
            for block in stdin:
                child.stdin.write(block)  # type: ignore[union-attr]
        code = child.wait()
        late.cancel()
        watch.stop()
        said.seek(0)
        text = said.read().decode(errors="replace")
    return Ended(code, text, watch.peak, time.monotonic() - start)


@contextmanager
def _limits(allowed: int) -> Iterator[Callable[[int], None]]:
    """What sets the limit of a process."""
    if CGROUPS is None:
        most = allowed + RESERVED
        yield lambda pid: resource.prlimit(pid, resource.RLIMIT_DATA, (most, most)) and None
        return
    group = Path(tempfile.mkdtemp(prefix="webecho-", dir=CGROUPS))
    new = (group / "memory.max").exists()
    (group / ("memory.max" if new else "memory.limit_in_bytes")).write_text(str(allowed))
    try:
        yield lambda pid: (group / "cgroup.procs").write_text(str(pid)) and None
    finally:
        group.rmdir()


class _Watch:
    """The most that a process and its children hold at once, looked at until it is stopped."""

    def __init__(self, pid: int) -> None:
        self.peak = 0
        self._pid = pid
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._look, name="watch", daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._stopped.wait(EVERY):
            self.peak = max(self.peak, sum(map(_held, self._family())))

    def _family(self) -> list[int]:
        found = [self._pid]
        with suppress(OSError):
            children = Path(f"/proc/{self._pid}/task/{self._pid}/children").read_text()
            found += map(int, children.split())
        return found

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()


def _held(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/statm").read_text().split()
    except OSError:  # gone meanwhile
        return 0
    return (int(fields[1]) - int(fields[2])) * PAGE if len(fields) > 2 else 0
