"""How long a command goes on after Ctrl-C, in each of its phases.

    python -m bench.interrupted             all phases, on 40,000 pages of one template
    python -m bench.interrupted --pages 1000000

A phase is known by the function that it begins with: the command runs as a process of its own in
which that function says when it is called. The signal comes a moment later.
"""

import argparse
import importlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# What the process says when the phase begins.
BEGUN = b"\x01begun\n"
# Seconds that it waits for the signal if the phase is over before.
PATIENCE = 120


@dataclass(frozen=True)
class Phase:
    """The function that it begins with, and the command that comes by there."""

    name: str
    function: str
    command: tuple[str, ...]


_ENGINE = "webecho.engine.local"
PHASES = (
    Phase("sketching", "webecho.sketches.pipeline:Work.take", ("dedup",)),
    Phase("candidates", f"{_ENGINE}.resemblances:candidates", ("dedup",)),
    Phase("shingles", f"{_ENGINE}.resemblances:gather", ("dedup",)),
    Phase("stars", f"{_ENGINE}.resemblances:Candidates.stars", ("dedup",)),
    Phase("writing", "webecho.write.copying:write_kept", ("dedup",)),
    Phase("clusters", f"{_ENGINE}.resemblances:Candidates.unite", ("clusters",)),
    Phase("pairs", f"{_ENGINE}.pairs:compared", ("pairs",)),
    Phase("pairs by c", f"{_ENGINE}.pairs:similar_pairs", ("pairs", "--rule", "c")),
    Phase("overlap", f"{_ENGINE}.overlaps:overlaps", ("overlap",)),
    Phase("study", f"{_ENGINE}.database:LocalDatabase.table", ("study", "clusters")),
)


def started(phase: Phase, arguments: Sequence[object]) -> "subprocess.Popen[bytes]":
    """The command of a phase with these arguments, as a process that says when it begins."""
    given = [*phase.command, *map(str, arguments)]
    return subprocess.Popen(
        [sys.executable, "-m", "bench.interrupted", "--watch", phase.function, *given],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def interrupt(process: "subprocess.Popen[bytes]", after: float = 0.0) -> tuple[float, str]:
    """Sends the signal so long after the phase has begun; gives the seconds until the process has
    ended, and what it says."""
    assert process.stderr is not None
    said = b""
    for line in process.stderr:
        if line.endswith(BEGUN):
            break
        said += line
    else:
        raise RuntimeError(f"the phase was never there: {said.decode()}")
    time.sleep(after)
    start = time.perf_counter()
    process.send_signal(signal.SIGINT)
    _, rest = process.communicate()
    return time.perf_counter() - start, rest.decode()


def watch(function: str, command: list[str]) -> None:
    """Runs a command in this process; the function says when it is called for the first time."""
    from webecho.cli.main import main

    module, _, names = function.partition(":")
    holder: Any = importlib.import_module(module)
    *above, name = names.split(".")
    for each in above:
        holder = getattr(holder, each)
    original = getattr(holder, name)

    def watched(*args: Any, **settings: Any) -> Any:
        setattr(holder, name, original)
        os.write(2, BEGUN)
        original(*args, **settings)
        # It is over: the signal is to be heard all the same, whenever it comes. Threads other than
        # the main one are told of it between lines.
        for _ in range(PATIENCE * 100):
            time.sleep(0.01)
        raise RuntimeError("no signal came")

    setattr(holder, name, watched)
    main(command, prog_name="webecho")


def inputs(phase: Phase, pages: Path, workspace: Path, out: Path) -> list[object]:
    """What the command of a phase is given."""
    return [pages, "-o", out] if phase.command == ("dedup",) else [workspace]


def main() -> None:
    if sys.argv[1:2] == ["--watch"]:
        watch(sys.argv[2], sys.argv[3:])
        return
    import webecho
    from bench.quadratic import templates

    parser = argparse.ArgumentParser(
        prog="python -m bench.interrupted",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--pages", type=int, default=40_000)
    parser.add_argument("--after", type=float, default=0.2, help="seconds into the phase")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="webecho-bench-") as name:
        folder = Path(name)
        pages, workspace = templates(folder, given.pages), folder / "made.echo"
        webecho.sketch(pages, workspace, chunks="lines:4")
        for number, phase in enumerate(PHASES):
            arguments = inputs(phase, pages, workspace, folder / f"out{number}")
            process = started(phase, arguments)
            seconds, _ = interrupt(process, given.after)
            print(f"{phase.name:12} {seconds:6.2f} s   exit code {process.returncode}", flush=True)


if __name__ == "__main__":
    main()
