"""The labels of a workspace, and the samples that they are of."""

from collections.abc import Iterator
from pathlib import Path

from webecho.evaluation.label.labels import read_labels
from webecho.evaluation.sample.drawing import DRAW
from webecho.verification.found import checked, pair_pages
from webecho.workspace.workspace import Workspace


def label_problems(workspace: Workspace) -> Iterator[str]:
    """What is wrong with samples, and which lines of labels are not as they were written."""
    files = workspace.files
    for file in files.samples():
        yield from checked(workspace, file, DRAW, pair_pages)
    yield from line_problems(workspace, files.labels)
    for file in files.found_guesses():
        yield from line_problems(workspace, file)
        if not all(label.guess for label in read_labels(file).labels):
            yield f"{file} has labels that are no guesses"


def line_problems(workspace: Workspace, file: Path) -> Iterator[str]:
    """Lines that are broken, or of pages that are not there."""
    lines = read_labels(file, strict=True)
    yield from lines.broken
    if any(label.right >= workspace.pages for label in lines.labels):
        yield f"{file} has labels of pages that are not there"
