"""*Run* of a page: its commands one after the other, in a folder of their own.

What the page does not make itself is made before by `prefaces/<page>.sh`, from webs that
`prefaces/webs.sh` makes once in the folder `$WEBS`, or for the blocks about real pages by
`prefaces/real/<page>.sh`, where `$WEBECHO_DATA` is the folder of these.
"""

import errno
import os
import pty
import shutil
import subprocess
import termios
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from pathlib import Path

from tests.docs.block import RUN, Block, Command, blocks, commands
from tests.docs.shown import agrees, printed
from tests.golden.recording import Tree

PREFACES = Path(__file__).parent / "prefaces"


@dataclass(frozen=True)
class Ran:
    """A command that has ended, of which block, and what it printed; `where` is the block in which
    that is shown."""

    block: Block
    where: Block
    command: Command
    code: int
    found: tuple[str, ...]

    @property
    def wanted_code(self) -> int:
        """What it should end with: only the last of a block may fail."""
        last = self.block.language == "python" or commands(self.block)[-1] == self.command
        return self.block.code if last else 0

    @property
    def right(self) -> bool:
        """Whether all is as the page says."""
        shown = self.command.shown
        return self.code == self.wanted_code and (shown is None or agrees(shown, self.found))

    @property
    def said(self) -> str:
        """What is wrong, for whoever changes the page or the code."""
        shown = "\n".join(self.command.shown or ["(nothing is shown)"])
        found = "\n".join(self.found)
        return (
            f"{self.where.place}: $ {self.command.text}\n"
            f"--- the page shows\n{shown}\n--- the command prints, and exits with {self.code}\n"
            f"{found}\n--- if that is meant: python -m tests.docs record"
        )


def run_page(
    page: Path, tree: Tree, webs: Path, real: Path | None = None, *, soak: bool = False
) -> Iterator[Ran]:
    """What the commands of a page do: those about real pages, which are there, or the others; with
    `soak` also those that take long."""
    chosen = [
        block
        for block in blocks(page)
        if block.language in RUN
        and block.reason is None
        and block.real == (real is not None)
        and (soak or not block.soak)
    ]
    kind = "made" if real is None else "real"
    folder = tree.work / "pages" / kind / page.stem
    folder.mkdir(parents=True)
    seen = {**tree.environment(tree.work / "temporary"), "WEBS": str(webs)}
    shell = Shell(folder, seen if real is None else {**seen, "WEBECHO_DATA": str(real)})
    preface = (PREFACES if real is None else PREFACES / "real") / f"{page.stem}.sh"
    if preface.is_file():
        run_preface(preface, shell)
    yield from run_blocks(chosen, shell)


def make_webs(tree: Tree) -> Path:
    """The folder of the webs that pages begin with."""
    folder = tree.work / "webs"
    folder.mkdir()
    run_preface(PREFACES / "webs.sh", Shell(folder, tree.environment(tree.work / "temporary")))
    return folder


def run_preface(preface: Path, shell: "Shell") -> None:
    code, text = shell(["/bin/sh", "-e", str(preface)])
    if code:
        raise AssertionError(f"{preface} fails:\n{text}")


def run_blocks(chosen: Sequence[Block], shell: "Shell") -> Iterator[Ran]:
    """What the commands of these blocks do, one after the other."""
    for block, after in zip_longest(chosen, chosen[1:]):
        if block.language == "python":
            printing = after is not None and after.language == "output"
            where = after if printing else block
            program = Command("\n".join(block.lines), after.lines if printing else ())
            yield Ran(block, where, program, *_ended(shell(["python", "-c", program.text])))
        elif block.language != "output":
            for command in commands(block):
                ended = _ended(shell(["/bin/sh", "-c", command.text]))
                yield Ran(block, block, command, *ended)


def _ended(result: tuple[int, str]) -> tuple[int, tuple[str, ...]]:
    return result[0], tuple(printed(result[1]))


@dataclass(frozen=True)
class Shell:
    """Runs commands in a folder, as somebody at a terminal sees them who has these variables."""

    folder: Path
    environment: Mapping[str, str]

    def __call__(self, arguments: Sequence[str]) -> tuple[int, str]:
        program = shutil.which(arguments[0], path=self.environment["PATH"])
        if program is None:
            raise AssertionError(f"there is no {arguments[0]} on the PATH")
        # On a terminal, on which nothing moves.
        reading, writing = pty.openpty()
        mode = termios.tcgetattr(writing)
        mode[1] &= ~termios.OPOST
        termios.tcsetattr(writing, termios.TCSANOW, mode)
        termios.tcsetwinsize(writing, (40, int(self.environment["COLUMNS"])))
        with subprocess.Popen(
            [program, *arguments[1:]],
            cwd=self.folder,
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            stdout=writing,
            stderr=writing,
        ) as process:
            os.close(writing)
            text = b"".join(iter(partial(_read, reading), b"")).decode("utf-8", "backslashreplace")
        os.close(reading)
        return process.returncode, text.replace(f"{self.folder}/", "")


def _read(terminal: int) -> bytes:
    """What comes next, and nothing when all who wrote have ended."""
    try:
        return os.read(terminal, 65536)
    except OSError as error:
        if error.errno == errno.EIO:
            return b""
        raise
