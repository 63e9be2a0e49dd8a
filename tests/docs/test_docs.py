"""The commands and programs of the README and of `docs/` do what the pages show.

Where a change is meant, `python -m tests.docs record` makes it what they show.
"""

from pathlib import Path

import pytest

from tests.docs.block import PAGES, RUN, SHOWN, Block, blocks
from tests.docs.run import run_page
from tests.golden.expected import own_tree

EVERY = [block for page in PAGES for block in blocks(page)]


def pages(*, real: bool) -> list[Path]:
    """Those with something to run."""
    return [
        page
        for page in PAGES
        if any(each.page == page and is_run(each) and each.real == real for each in EVERY)
    ]


def is_run(block: Block) -> bool:
    return block.language in RUN and block.reason is None


@pytest.mark.parametrize("page", pages(real=False), ids=lambda page: page.stem)
def test_a_page_shows_what_its_commands_print(page: Path, tmp_path: Path) -> None:
    check(page, tmp_path, None)


@pytest.mark.soak
@pytest.mark.parametrize("page", pages(real=False), ids=lambda page: page.stem)
def test_a_page_shows_what_takes_long(page: Path, tmp_path: Path) -> None:
    if any(block.page == page and block.soak for block in EVERY):
        check(page, tmp_path, None, soak=True)


def check(page: Path, folder: Path, real: Path | None, *, soak: bool = False) -> None:
    done = run_page(page, own_tree(folder), real, soak=soak)
    wrong = [ran.said for ran in done if not ran.right]
    if wrong:
        pytest.fail("\n\n".join(wrong), pytrace=False)


@pytest.mark.parametrize("block", EVERY, ids=lambda block: block.place)
def test_a_block_is_run_or_says_why_not(block: Block) -> None:
    assert block.language in (*RUN, *SHOWN), "say what is in it, such as ```console"
    assert block.understood, f"nobody knows what <!-- {block.comment} --> means"
    if block.language in SHOWN:
        commands = [line for line in block.lines if line.startswith(("$ ", "webecho ", "pip "))]
        assert not commands, "commands are to be run: ```console, ```sh or <!-- not run: … -->"
    if block.reason is not None:
        assert len(block.reason.split()) > 2, "say why"


def test_what_is_not_run_is_the_exception() -> None:
    """Counted, so that nobody marks what fails as not to be run without being noticed."""
    asked = [block for block in EVERY if block.language in RUN]
    left_out = [block.place for block in asked if block.reason is not None]
    assert len(asked) > 15
    assert len(left_out) <= 12, left_out
