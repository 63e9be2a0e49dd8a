"""*Recording*: what the commands of a case printed, how they ended, and which files they left.

A command runs as a process of its own, in the case's folder, so that no path of the machine is in
what it says; with a fixed locale, time zone and width, and without colour.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.golden import volatile
from tests.golden.case import Case
from tests.golden.files import Digest, Known, listed

SECONDS = 1200
# What `tests.golden` is imported from.
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Tree:
    """A folder of Python code with a `webecho` in it, and a folder in which to work with it."""

    code: Path
    work: Path
    # Whether the code is left without compiled files of its own.
    untouched: bool = True

    def environment(self, temporary: Path) -> dict[str, str]:
        """What a command sees: of the caller's own only where programs are."""
        cache = self.work / "bytecode" / str(self.code).strip("/")
        return {
            "PATH": f"{self.work / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(self.code),
            **({"PYTHONPYCACHEPREFIX": str(cache)} if self.untouched else {}),
            "MPLCONFIGDIR": str(self.work / "matplotlib"),
            "TMPDIR": str(temporary),
            "HOME": str(self.work / "home"),
            "LOGNAME": "golden",
            "COLUMNS": "100",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "TERM": "dumb",
            "NO_COLOR": "1",
        }

    def prepare(self) -> None:
        """Makes the folders, and the programs that commands name."""
        for name in ("bin", "bytecode", "matplotlib", "temporary", "home", "cases"):
            (self.work / name).mkdir(parents=True, exist_ok=True)
        python = f'"{sys.executable}"'
        calls = f'PYTHONPATH="$PYTHONPATH:{ROOT}" exec {python} -m tests.golden.python_calls'
        for name, line in {
            "webecho": f"exec {python} -m webecho",
            "python": f"exec {python}",
            "python_calls": calls,
        }.items():
            file = self.work / "bin" / name
            file.write_text(f'#!/bin/sh\n{line} "$@"\n')
            file.chmod(0o755)


@dataclass(frozen=True)
class Ran:
    """A command that has ended, with the files that are new or changed since, and those gone."""

    command: str
    code: int
    stdout: str
    stderr: str
    files: Mapping[str, str]
    gone: tuple[str, ...]


def run(
    command: str, folder: Path, tree: Tree, temporary: Path
) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env=tree.environment(temporary),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )


def record(case: Case, tree: Tree, inputs: Path, digest: Digest) -> tuple[Ran, ...]:
    """What the commands of a case did, in a fresh folder `cases/<name>` that is left as it ends,
    with such digests of files."""
    folder = tree.work / "cases" / case.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "in").symlink_to(inputs, target_is_directory=True)
    temporary = tree.work / "temporary" / case.name
    temporary.mkdir(exist_ok=True)
    known: Known = {}
    before: dict[str, str] = {}
    done = []
    for command in case.commands:
        ended = run(command, folder, tree, temporary)
        files = listed(folder, digest, known)
        done.append(
            Ran(
                command,
                ended.returncode,
                printed(ended.stdout, folder),
                printed(ended.stderr, folder),
                {name: each for name, each in files.items() if before.get(name) != each},
                tuple(name for name in before if name not in files),
            )
        )
        before = files
    left = [path.name for path in temporary.iterdir()]
    if left:
        raise AssertionError(f"{case.name} leaves temporary files: {', '.join(left)}")
    temporary.rmdir()
    return tuple(done)


def printed(data: bytes, folder: Path) -> str:
    """Output as text; where it names the case's folder by a whole path, that is cut off."""
    text = data.decode("utf-8", "backslashreplace")
    return volatile.output(text.replace(f"{folder}/", "").replace(str(folder), "."))


def told(done: Sequence[Ran]) -> str:
    """A recording as text."""
    lines = []
    for ran in done:
        lines += [f"$ {ran.command}", f"exit {ran.code}"]
        for name, text in (("stdout", ran.stdout), ("stderr", ran.stderr)):
            lines += [f"{name}:", *(f"  {line}" for line in text.split("\n"))] if text else []
        if ran.files or ran.gone:
            lines.append("files:")
        lines += [f"  {name}  {each}" for name, each in ran.files.items()]
        lines += [f"  {name}  gone" for name in ran.gone]
        lines.append("")
    return "\n".join(line.rstrip() if not line.strip() else line for line in lines)
