"""Very many mutations, in warm processes: a parent that has loaded webecho forks children, each of
which tries some. One that crashes or hangs is known by the last that it told of.

    python -m tests.any_bytes.campaign --tries 500 --saved FOLDER

`--first` is the first seed, `--seeds` are some instead, `--only` names an attack, after `--seconds`
no more are begun.

A line of JSON for each attack goes to standard output.
"""

import argparse
import gc
import json
import math
import os
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.any_bytes import command_line
from tests.any_bytes.attacks import Ready, Trial, attacks, attempt
from tests.faults.server import load

# Tries of one child, and the seconds without an answer after which one hangs. On a machine that is
# busy with others nobody answers in time; so what counts is what the child itself has worked.
BATCH = 25
HANGS = 20
NEVER = 10 * HANGS
FAILED = "FAILED"


@dataclass
class Outcome:
    """What became of the tries of an attack."""

    attack: str
    tries: int = 0
    ended: Counter[str] = field(default_factory=Counter)
    failures: dict[int, str] = field(default_factory=dict)


@dataclass
class Child:
    """A process that tries some, and what it still has to."""

    pid: int
    answers: int
    attack: str
    left: list[int]
    heard: float
    worked: float
    held: bytes = b""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tries", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seeds", type=int, nargs="+")
    parser.add_argument("--only", action="append")
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--saved", type=Path)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    known = attacks()
    names = asked.only or list(known)
    known[command_line.NAME] = command_line.command_line
    shares = {name: asked.tries // len(names) for name in names}
    # No context of tempfile's: children that end as programs do would remove it.
    scratch = Path(tempfile.mkdtemp(dir=shared_memory()))
    try:
        found = campaign(
            {name: known[name] for name in names},
            {
                name: asked.seeds or range(asked.first, asked.first + share)
                for name, share in shares.items()
            },
            scratch,
            asked.workers,
            asked.seconds,
        )
        if asked.saved is not None:
            save(found, known, asked.saved, Ready(scratch / "ready"))
    finally:
        shutil.rmtree(scratch)
    for outcome in found:
        told = {"attack": outcome.attack, "tries": outcome.tries, "ended": outcome.ended}
        print(json.dumps(told | {"failures": outcome.failures}), flush=True)


def shared_memory() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def campaign(
    known: dict[str, Callable[[Trial], None]],
    seeds: Mapping[str, Sequence[int]],
    scratch: Path,
    workers: int,
    seconds: float,
) -> list[Outcome]:
    """Tries all of them, some processes at a time; after so many seconds it begins no more."""
    end = time.monotonic() + seconds
    load()
    # What is loaded stays: else each child that ends as programs do would take all of it apart.
    gc.freeze()
    ready = Ready(scratch / "ready")
    # In a child: threads that it starts would not be there in those that come after.
    if (pid := os.fork()) == 0:
        leave(ready.make)
    if os.waitpid(pid, 0)[1]:
        sys.exit("what the attacks need could not be made")
    found = {name: Outcome(name) for name in known}
    waiting = batches(seeds)
    running: list[Child] = []
    more = True
    while more or running:
        while more and len(running) < workers:
            batch = next(waiting, None) if time.monotonic() < end else None
            more = batch is not None
            if batch is not None:
                running.append(begin(known, *batch, ready))
        running = [again for child in running for again in listen(child, found, known, ready)]
    gc.unfreeze()
    return list(found.values())


def batches(seeds: Mapping[str, Sequence[int]]) -> Iterator[tuple[str, list[int]]]:
    """Of all attacks in turn."""
    left = {name: list(each) for name, each in seeds.items()}
    while left:
        for name in list(left):
            some, left[name] = left[name][:BATCH], left[name][BATCH:]
            if some:
                yield name, some
            else:
                del left[name]


def begin(
    known: dict[str, Callable[[Trial], None]],
    attack: str,
    seeds: list[int],
    ready: Ready,
) -> Child:
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        leave(lambda: tried(known[attack], attack, seeds, writing, ready))
    os.close(writing)
    return Child(pid, reading, attack, list(seeds), time.monotonic(), 0.0)


def leave(work: Callable[[], object]) -> None:
    """Works, and ends this process."""
    code = 1
    try:
        # What libraries print is nobody's concern here.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        work()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def tried(
    run: Callable[[Trial], None], attack: str, seeds: list[int], answers: int, ready: Ready
) -> None:
    folder = ready.folder.parent / f"{os.getpid()}"
    for seed in seeds:
        folder.mkdir()
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
        try:
            said = attempt(run, attack, seed, folder, ready)
            detail = ""
        except BaseException as error:
            said, detail = FAILED, "".join(traceback.format_exception(error))
        shutil.rmtree(folder, ignore_errors=True)
        os.write(answers, json.dumps([seed, said, detail[-3000:]]).encode() + b"\n")


def listen(
    child: Child,
    found: dict[str, Outcome],
    known: dict[str, Callable[[Trial], None]],
    ready: Ready,
) -> list[Child]:
    """Takes in what it says; the child, or what goes on in its place."""
    outcome = found[child.attack]
    if select.select([child.answers], [], [], 0.05)[0]:
        data = os.read(child.answers, 1 << 16)
        *lines, child.held = (child.held + data).split(b"\n")
        for line in lines:
            seed, said, detail = json.loads(line)
            child.left.remove(seed)
            count(outcome, seed, said, detail)
        child.heard, child.worked = time.monotonic(), work_of(child.pid)
        if data:
            return [child]
        status = os.waitstatus_to_exitcode(os.waitpid(child.pid, 0)[1])
        return go_on(child, outcome, f"the process ended with {status}", known, ready)
    silent = time.monotonic() - child.heard
    if silent < HANGS or (silent < NEVER and work_of(child.pid) - child.worked < HANGS):
        return [child]
    os.kill(child.pid, signal.SIGKILL)
    os.waitpid(child.pid, 0)
    return go_on(child, outcome, f"no answer for {silent:.0f} s", known, ready)


def go_on(
    child: Child,
    outcome: Outcome,
    why: str,
    known: dict[str, Callable[[Trial], None]],
    ready: Ready,
) -> list[Child]:
    """Another child for what one left, without the one that ended it."""
    os.close(child.answers)
    shutil.rmtree(ready.folder.parent / f"{child.pid}", ignore_errors=True)
    if not child.left:
        return []
    count(outcome, child.left[0], FAILED, why)
    rest = child.left[1:]
    return [begin(known, child.attack, rest, ready)] if rest else []


def count(outcome: Outcome, seed: int, said: str, detail: str) -> None:
    outcome.tries += 1
    outcome.ended[said] += 1
    if said == FAILED:
        outcome.failures[seed] = detail


def work_of(pid: int) -> float:
    """The seconds that a process has worked."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def save(
    found: list[Outcome],
    known: dict[str, Callable[[Trial], None]],
    folder: Path,
    ready: Ready,
) -> None:
    """What failed, once more, with all that it reads and leaves."""
    for outcome in found:
        for seed, why in outcome.failures.items():
            kept = folder / f"{outcome.attack} {seed}".replace(" ", "-").replace(",", "")
            shutil.rmtree(kept, ignore_errors=True)
            kept.mkdir(parents=True)
            (kept / "why.txt").write_text(why)
            if (pid := os.fork()) == 0:
                signal.alarm(HANGS)
                leave(
                    lambda kept=kept, outcome=outcome, seed=seed: attempt(
                        known[outcome.attack], outcome.attack, seed, kept, ready
                    )
                )
            os.waitpid(pid, 0)


if __name__ == "__main__":
    main()
