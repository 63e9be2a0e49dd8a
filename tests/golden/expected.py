"""What the pinned cases are expected to do: a file each in `expected/`, made by `record`."""

import tempfile
from dataclasses import replace
from pathlib import Path

import webecho
from tests.golden.case import Case
from tests.golden.cases import CASES
from tests.golden.files import pinned
from tests.golden.inputs import make_inputs
from tests.golden.recording import Tree, record, told
from tests.golden.volatile import SIZES, blanked

FOLDER = Path(__file__).with_name("expected")
PINNED = tuple(case for case in CASES if case.pinned)


def own_tree(work: Path) -> Tree:
    """The code that tests import, in a folder of its own."""
    tree = Tree(Path(webecho.__file__).parents[1], work, untouched=False)
    tree.prepare()
    return tree


def answer(case: Case, tree: Tree, inputs: Path) -> str:
    """What a case does now, as its file has it."""
    done = record(case, tree, inputs, pinned)
    return told([replace(ran, stdout=blanked(ran.stdout, SIZES)) for ran in done])


def rewrite(only: str) -> None:
    """Runs the pinned cases, and makes what they do what is expected."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="golden-") as folder:
        tree = own_tree(Path(folder))
        inputs = make_inputs(tree)
        for case in PINNED:
            if only in case.name:
                (FOLDER / f"{case.name}.txt").write_text(answer(case, tree, inputs))
    if not only:
        for file in FOLDER.glob("*.txt"):
            if file.stem not in {case.name for case in PINNED}:
                file.unlink()
