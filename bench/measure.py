"""The best of some repetitions, and the table they make."""

import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Row:
    """One measurement: bytes a second, and what it is held against, if anything."""

    what: str
    bytes: int
    seconds: float
    wanted: float | None = None  # MB/s
    note: str = ""

    @property
    def speed(self) -> float:
        return self.bytes / self.seconds / 1e6


def best(repeat: int, work: Callable[[], object]) -> float:
    """Seconds of the fastest of `repeat` runs."""
    seconds = []
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def machine() -> str:
    model = platform.processor() or "unknown processor"
    info = Path("/proc/cpuinfo")
    if info.exists():
        lines = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = lines[0].partition(":")[2].strip() if lines else model
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}"


def print_table(rows: list[Row]) -> None:
    width = max(len(row.what) for row in rows)
    print(f"{'':{width}}  {'MB/s':>8}  {'wanted':>8}")
    for row in rows:
        wanted = f"{row.wanted:8.0f}" if row.wanted else " " * 8
        print(f"{row.what:{width}}  {row.speed:8.0f}  {wanted}  {row.note}".rstrip())
