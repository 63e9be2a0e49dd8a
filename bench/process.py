"""A child process with its descendants: how long, how much processor time, how much memory.

A child gets a session of its own, and what is in that session is what it started.

Memory is the proportional set size (PSS: a page that several processes share counts once in all),
summed over the process and its descendants, looked at again and again. Pages of mapped files are
also told apart: the system can drop them.
"""

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

EVERY = 0.05  # seconds
# Looking walks the page tables of what is looked at: it may take this share of the time at most.
SHARE = 0.05
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Run:
    """What one run took, or why it came to nothing."""

    seconds: float  # from its start to its result on disk
    cpu: float  # seconds of processor time, descendants included
    memory: int  # bytes at the peak, all processes, mapped files included
    own_memory: int  # the same without the pages of mapped files
    load: float  # the machine's load average of one minute when it began
    failure: str = ""


def run(command: list[str], result: Path, timeout: float) -> Run:
    """Runs a command that writes `result`, for `timeout` seconds at most."""
    result.unlink(missing_ok=True)
    load = os.getloadavg()[0]
    with tempfile.TemporaryFile() as errors:
        start, clock = time.time(), time.monotonic()
        child = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True
        )
        with PeakOf(child.pid) as peak:
            status, cpu, late = waited(child, clock + timeout)
        errors.seek(0)
        said = errors.read().decode(errors="replace")
    # When the table was there; what the interpreter then frees is nobody's wait.
    seconds = result.stat().st_mtime - start if result.exists() else time.monotonic() - clock
    failure = ""
    if late:
        failure = f"not done after {timeout:.0f} s"
    elif status or not result.exists():
        failure = f"ended with {status}: {last_words(said)}"
    # A process that nobody waited for is in none of the waited times, only in those seen.
    cpu = max(cpu, sum(peak.times.values()))
    return Run(seconds, cpu, peak.memory, peak.own, load, failure)


def waited(child: "subprocess.Popen[bytes]", deadline: float) -> tuple[int, float, bool]:
    """Waits: the exit status, the processor time, and whether it was ended for being late."""
    done = threading.Event()
    late = threading.Event()

    def end() -> None:
        if not done.wait(max(0.0, deadline - time.monotonic())):
            late.set()
            for pid in session(child.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    guard = threading.Thread(target=end, daemon=True)
    guard.start()
    _, status, usage = os.wait4(child.pid, 0)
    done.set()
    guard.join()
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, usage.ru_utime + usage.ru_stime, late.is_set()


class PeakOf:
    """The most memory that a session's processes held at once while the block ran."""

    def __init__(self, leader: int) -> None:
        self.leader = leader
        self.memory = self.own = 0
        self.times: dict[int, float] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="bench-memory", daemon=True)

    def __enter__(self) -> "PeakOf":
        self._thread.start()
        return self

    def _watch(self) -> None:
        pause = 0.0
        while not self._stop.wait(pause):
            start = time.perf_counter()
            alive = session(self.leader)
            self.times |= alive
            found = [held(pid) for pid in alive]
            self.memory = max(self.memory, sum(memory for memory, _ in found))
            self.own = max(self.own, sum(own for _, own in found))
            pause = max(EVERY, (time.perf_counter() - start) / SHARE)

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()


def session(leader: int) -> dict[int, float]:
    """The processes of a session with the processor time of each: its leader and what descends
    from it, also where the parent has gone."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name, in brackets, may hold anything.
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # gone meanwhile
            continue
        if int(fields[3]) == leader:
            found[int(stat.parent.name)] = (int(fields[11]) + int(fields[12])) / TICKS
    return found


def held(pid: int) -> tuple[int, int]:
    """Bytes that a process holds: all, and without the pages of mapped files."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    except OSError:  # gone meanwhile
        return 0, 0
    sizes = {
        name: int(rest.split()[0]) * 1024 for name, _, rest in (x.partition(":") for x in lines)
    }
    return sizes.get("Pss", 0), sizes.get("Pss_Anon", 0) + sizes.get("Pss_Shmem", 0)


def last_words(said: str) -> str:
    lines = [line for line in said.strip().splitlines() if line.strip()]
    return lines[-1].strip()[:300] if lines else "no message"
