"""How long one waits for the command line: its help, and a dedup of ten small files."""

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 7
# Seconds that are wanted at the most.
WANTED = {"webecho --help": 0.3, "webecho dedup of ten small files": 1.0}


def rows() -> list[dict[str, float | str]]:
    """The median of some runs of each, in seconds."""
    with tempfile.TemporaryDirectory(prefix="webecho-bench-") as folder:
        pages = Path(folder) / "pages"
        pages.mkdir()
        for number in range(10):
            words = " ".join(f"word{place * (number // 2 + 1)}" for place in range(200))
            (pages / f"{number}.html").write_text(f"<title>{number // 2}</title><p>{words}")
        webecho = str(Path(sys.executable).with_name("webecho"))
        commands = {
            "webecho --help": [webecho, "--help"],
            "webecho dedup of ten small files": [webecho, "dedup", str(pages), "-o"],
        }
        found: list[dict[str, float | str]] = []
        for name, command in commands.items():
            seconds, cpu = [], []
            for number in range(RUNS):
                out = [f"{folder}/out{number}"] if command[-1] == "-o" else []
                start, before = time.perf_counter(), of_children()
                subprocess.run([*command, *out], check=True, capture_output=True)
                seconds.append(time.perf_counter() - start)
                cpu.append(of_children() - before)
            row = {"what": name, "seconds": statistics.median(seconds), "least": min(seconds)}
            found.append(row | {"cpu": statistics.median(cpu), "wanted": WANTED[name]})
    return found


def of_children() -> float:
    """The processor seconds of all children so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def print_seconds(found: list[dict[str, float | str]]) -> None:
    for row in found:
        seconds = (
            f"{row['seconds']:5.2f} s (at best {row['least']:.2f}, processor {row['cpu']:.2f})"
        )
        print(f"{row['what']:34} {seconds}; {row['wanted']} wanted")
