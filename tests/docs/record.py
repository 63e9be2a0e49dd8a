"""Pages made to show what their commands print now."""

from pathlib import Path

from tests.docs.block import Block, commands
from tests.docs.run import Ran, run_page
from tests.docs.shown import renewed
from tests.golden.recording import Tree


def rewrite(page: Path, tree: Tree, webs: Path, real: Path | None, soak: bool) -> list[str]:
    """Runs a page, writes what is printed now into it, and tells where that is something else.

    A command that fails where it should not changes nothing, nor a program whose output is not
    shown.
    """
    said: list[str] = []
    changes: dict[int, tuple[Block, list[str]]] = {}
    for kind in [None] if real is None else [None, real]:
        for ran in run_page(page, tree, webs, kind, soak=soak):
            if ran.right:
                continue
            said.append(ran.said)
            if ran.code == ran.wanted_code and ran.where.language != "python":
                block, lines = changes.get(ran.where.first, (ran.where, []))
                changes[block.first] = (block, lines or [*block.lines])
                changes[block.first] = (block, replaced(block, changes[block.first][1], ran))
    text = page.read_text(encoding="utf-8").split("\n")
    for block, lines in sorted(changes.values(), key=lambda each: -each[0].first):
        start = block.first - 1
        text[start : start + len(block.lines)] = lines
    page.write_text("\n".join(text), encoding="utf-8")
    return said


def replaced(block: Block, lines: list[str], ran: Ran) -> list[str]:
    """The lines of a block with those of one command renewed."""
    new = renewed(ran.command.shown or (), ran.found)
    if block.language == "output":
        return new
    made: list[str] = []
    for command in commands(Block(block.page, block.first, block.language, tuple(lines))):
        made += f"$ {command.text}".split("\n")
        made += new if command.text == ran.command.text else [*(command.shown or ())]
    return made
