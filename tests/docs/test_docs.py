"""The commands and programs of the README and of `docs/` do what the pages show.

Where a change is meant, `python -m tests.docs record` makes it what they show.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.docs.block import PAGES, RUN, SHOWN, Block, blocks
from tests.docs.run import Ran, make_webs, run_page
from tests.golden.expected import own_tree
from tests.golden.recording import Tree

COMMAND = re.compile(r"\$ |pip install |webecho [a-z]+ \S*[./-]")
EVERY = [block for page in PAGES for block in blocks(page)]


def pages(wanted: Callable[[Block], bool]) -> list[Path]:
    """Those with such blocks to run."""
    chosen = [block for block in EVERY if block.language in RUN and block.reason is None]
    return [page for page in PAGES if any(each.page == page and wanted(each) for each in chosen)]


@pytest.fixture(scope="session")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    return own_tree(tmp_path_factory.mktemp("docs"))


@pytest.fixture(scope="session")
def webs(tree: Tree) -> Path:
    return make_webs(tree)


@pytest.mark.parametrize("page", pages(lambda block: not block.soak), ids=lambda page: page.stem)
def test_a_page_shows_what_its_commands_print(page: Path, tree: Tree, webs: Path) -> None:
    check(run_page(page, tree, webs))


@pytest.mark.soak
@pytest.mark.parametrize(
    "page", pages(lambda block: block.soak and not block.real), ids=lambda page: page.stem
)
def test_a_page_shows_what_takes_long(page: Path, tree: Tree, webs: Path) -> None:
    check(run_page(page, tree, webs, soak=True))


@pytest.mark.soak
@pytest.mark.data
@pytest.mark.parametrize("page", pages(lambda block: block.real), ids=lambda page: page.stem)
def test_a_page_shows_what_is_printed_of_real_pages(
    page: Path, tree: Tree, webs: Path, data: Path
) -> None:
    check(run_page(page, tree, webs, data, soak=True))


def check(done: Iterable[Ran]) -> None:
    wrong = [ran.said for ran in done if not ran.right]
    if wrong:
        pytest.fail("\n\n".join(wrong), pytrace=False)


@pytest.mark.parametrize("block", EVERY, ids=lambda block: block.place)
def test_a_block_is_run_or_says_why_not(block: Block) -> None:
    assert block.language in (*RUN, *SHOWN), "say what is in it, such as ```console"
    assert block.understood, f"nobody knows what <!-- {block.comment} --> means"
    if block.language in SHOWN:
        commands = [line for line in block.lines if COMMAND.match(line)]
        assert not commands, "commands are to be run: ```console, ```sh or <!-- not run: … -->"
    if block.reason is not None:
        assert len(block.reason.split()) > 2, "say why"


def test_what_is_not_run_is_the_exception() -> None:
    """Counted, so that nobody marks what fails as not to be run without being noticed."""
    asked = [block for block in EVERY if block.language in RUN]
    left_out = [block.place for block in asked if block.reason is not None]
    assert len(asked) > 60
    assert len(left_out) <= 14, left_out
