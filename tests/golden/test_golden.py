"""What users see of every verb is what it was: output, exit codes and files.

Where a change is meant, `python -m tests.golden record` makes it what is expected.
"""

from difflib import unified_diff
from pathlib import Path

import pytest

from tests.golden.case import Case
from tests.golden.expected import FOLDER, PINNED, answer, own_tree
from tests.golden.inputs import make_inputs
from tests.golden.recording import Tree


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    return own_tree(tmp_path_factory.mktemp("golden"))


@pytest.fixture(scope="module")
def inputs(tree: Tree) -> Path:
    return make_inputs(tree)


@pytest.mark.parametrize("case", PINNED, ids=lambda case: case.name)
def test_a_case_does_what_it_did(case: Case, tree: Tree, inputs: Path) -> None:
    expected = (FOLDER / f"{case.name}.txt").read_text(encoding="utf-8")
    found = answer(case, tree, inputs)
    if found != expected:
        lines = unified_diff(
            expected.splitlines(), found.splitlines(), "expected", "found", n=3, lineterm=""
        )
        pytest.fail("\n".join(lines), pytrace=False)


def test_every_pinned_case_and_nothing_else_has_expectations() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == {case.name for case in PINNED}
