"""Commands whose file-system calls go wrong on purpose: by what, from which on, and what then."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from types import TracebackType
from typing import Self

SOURCE = Path(__file__).with_name("shim.c")
TOP = SOURCE.parents[2]


class Action(IntEnum):
    """As shim.c numbers them."""

    NOTHING = 0
    KILL = 1
    TERM = 2
    FULL = 3
    FAILS = 4


NEVER = -1


@dataclass(frozen=True)
class Outcome:
    """How a command ended. `calls` is None where it could not tell any more."""

    code: int
    stdout: str
    stderr: str
    calls: int | None


class Faults:
    """A process that forks children for commands; `folder` is where it may write."""

    def __init__(self, folder: Path) -> None:
        self.said = folder / "said"
        self.said.mkdir(parents=True)
        library = built(folder)
        settings = os.environ | {"LD_PRELOAD": str(library), "PYTHONPATH": path_of_python()}
        command = [sys.executable, "-m", "tests.faults.server"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, text=True, env=settings, cwd=TOP
        )

    def run(
        self,
        folder: Path,
        arguments: tuple[str, ...],
        action: Action = Action.NOTHING,
        call: int = NEVER,
        log: Path | None = None,
    ) -> Outcome:
        """Runs a command in a folder; the calls that are counted are about files below it."""
        for name in ("calls", "stdout", "stderr"):
            (self.said / name).unlink(missing_ok=True)
        temporary = folder / "temporary"
        temporary.mkdir(exist_ok=True)
        asked = {
            "arguments": arguments,
            "folder": str(folder),
            "below": str(folder),
            "temporary": str(temporary),
            "said": str(self.said),
            "action": action,
            "call": call,
            "log": str(log or ""),
        }
        assert self.process.stdin and self.process.stdout
        print(json.dumps(asked), file=self.process.stdin, flush=True)
        answer = json.loads(self.process.stdout.readline())
        counted = self.said / "calls"
        return Outcome(
            answer["code"],
            (self.said / "stdout").read_text(errors="replace"),
            (self.said / "stderr").read_text(errors="replace"),
            int(counted.read_text()) if counted.exists() else None,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(60)


def path_of_python() -> str:
    """The server loads what this process has, from where it has it."""
    return os.pathsep.join(filter(None, sys.path))


def built(folder: Path) -> Path:
    library = folder / "shim.so"
    flags = ["-shared", "-fPIC", "-O2", "-Wall", "-Werror"]
    subprocess.run(["cc", *flags, "-o", library, SOURCE, "-ldl"], check=True)
    return library


def lose(log: Path) -> None:
    """Lets go what was written and not synced, as if the power had failed: such a file is there,
    and has what was synced of it."""
    synced: dict[str, int] = {}
    dirty: set[str] = set()
    for line in log.read_text(errors="surrogateescape").splitlines():
        what, size, path, other = line.split("\t")
        if what == "o":
            # What is there already was synced long ago.
            if path not in dirty:
                synced.setdefault(path, int(size))
        elif what == "w":
            dirty.add(path)
        elif what == "s":
            synced[path] = int(size)
            dirty.discard(path)
        elif what in "rl":
            for name in [*synced, *dirty]:
                # A folder takes along what is in it.
                if name == path or name.startswith(f"{path}/"):
                    moved = other + name[len(path) :]
                    if name in dirty:
                        dirty.add(moved)
                    else:
                        dirty.discard(moved)
                    if name in synced:
                        synced[moved] = synced[name]
                    else:
                        synced.pop(moved, None)
                    if what == "r":
                        dirty.discard(name)
                        synced.pop(name, None)
        elif what == "u":
            dirty.discard(path)
            synced.pop(path, None)
    for path in dirty:
        file = Path(path)
        if file.is_file() and not file.is_symlink():
            os.truncate(file, min(synced.get(path, 0), file.stat().st_size))


def fresh_copy(of: Path, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(of, folder, symlinks=True)
