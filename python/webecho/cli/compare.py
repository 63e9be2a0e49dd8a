"""`webecho why` and `webecho diff`."""

from pathlib import Path
from typing import Any

from webecho.api import compare as comparing
from webecho.memory import check_budget, grouping
from webecho.show.compared import show_comparison
from webecho.show.terminal import plain, say
from webecho.workspace.workspace import Workspace


def run_diff(left: str, right: str, options: dict[str, Any]) -> None:
    """Compares two pages that are given and prints what was found."""
    check_budget(options["memory"], grouping(0), "comparing two pages")
    found = comparing.diff(
        left,
        right,
        options["resemblance"],
        inside=list(options["inside"]) or None,
        recipe=options["recipe"],
        threads=options["threads"],
        format=options["input_format"],
    )
    show_comparison(found, options["output"], options["layout"], options["context"])


def run_why(path: Path, one: str, other: str, options: dict[str, Any]) -> bool:
    """Compares two pages of a workspace, prints what was found, and tells whether the resemblance
    had to be estimated."""
    # What is no workspace is not to be sketched here.
    pages = Workspace.open(path).pages
    check_budget(options["memory"], grouping(pages), f"comparing two pages of {path}")
    found = comparing.why(path, one, other, options["resemblance"], threads=options["threads"])
    if not options["quiet"]:
        for line in found.notes:
            say(plain(line))
    show_comparison(found, options["output"], options["layout"], options["context"])
    return found.estimated is not None
