"""*Block*: a fenced block of a page of the documentation, and what becomes of it in tests.

Its language says what it is: `console` has commands after `$` and what they print, `sh` commands
alone, `python` a program, and `output` what the program before it prints. All of these are run,
unless a comment before the block says why not:

    <!-- not run: it waits for somebody at a browser -->

Other comments: `<!-- real pages -->` for what is run on those of WEBECHO_DATA, `<!-- soak: why -->`
for what only `make soak` runs, `<!-- exits with 1 -->` for commands of which the last fails. What
is in other languages is no command.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
RUN = ("console", "sh", "python", "output")
# Drawings and lists of files, and data that commands take or give.
SHOWN = ("text", "xml", "json")

_FENCE = re.compile(r"```(\S*)\s*$")
_COMMENT = re.compile(r"<!-- (.*) -->$")
_EXIT = re.compile(r"exits with (\d+)$")
_KNOWN = r"(real pages)?(, )?(soak: .+)?(exits with \d+)?"


@dataclass(frozen=True)
class Command:
    """A line of shell, or a program, and what is shown of what it prints (None: nothing is)."""

    text: str
    shown: tuple[str, ...] | None


@dataclass(frozen=True)
class Block:
    """A block, with the number of its first line after the fence, and the comment before it."""

    page: Path
    first: int
    language: str
    lines: tuple[str, ...]
    comment: str = ""

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.first}"

    @property
    def reason(self) -> str | None:
        """Why it is not run, if it is not."""
        said = self.comment.removeprefix("not run: ")
        return None if said == self.comment else said

    @property
    def soak(self) -> bool:
        """Whether it takes too long to be run each time."""
        return "soak: " in self.comment

    @property
    def real(self) -> bool:
        """Whether it is about the real pages."""
        return self.comment.startswith("real pages")

    @property
    def code(self) -> int:
        """What its last command ends with."""
        found = _EXIT.search(self.comment)
        return int(found[1]) if found else 0

    @property
    def understood(self) -> bool:
        """Whether the comment before it, if there is one, is one of ours."""
        return bool(self.reason) or re.fullmatch(_KNOWN, self.comment) is not None


def blocks(page: Path) -> list[Block]:
    """The blocks of a page, in their order."""
    return [*_found(page, page.read_text(encoding="utf-8").split("\n"))]


def _found(page: Path, lines: list[str]) -> Iterator[Block]:
    inside: re.Match[str] | None = None
    first, comment = 0, ""
    for number, line in enumerate(lines):
        fence = _FENCE.match(line)
        if inside is None and fence:
            inside, first = fence, number + 1
            said = _COMMENT.match(lines[number - 1]) if number else None
            comment = said[1] if said else ""
        elif inside is not None and line.rstrip() == "```":
            yield Block(page, first + 1, inside[1], tuple(lines[first:number]), comment)
            inside = None
    if inside is not None:
        raise AssertionError(f"{page}: the block at line {first} has no end")


def commands(block: Block) -> list[Command]:
    """The commands of a block of shell, in their order."""
    if block.language == "sh":
        joined = "\n".join(block.lines).replace("\\\n", " ").split("\n")
        return [Command(line, None) for line in joined if line.strip()]
    found: list[tuple[str, list[str]]] = []
    goes_on = False
    for line in block.lines:
        if goes_on:
            found[-1] = (f"{found[-1][0]}\n{line}", [])
        elif line.startswith("$ "):
            found.append((line.removeprefix("$ "), []))
        elif not found:
            raise AssertionError(f"{block.place}: there is no command before what is printed")
        else:
            found[-1][1].append(line)
        goes_on = line.endswith("\\") and (goes_on or line.startswith("$ "))
    return [Command(text, tuple(shown)) for text, shown in found]
