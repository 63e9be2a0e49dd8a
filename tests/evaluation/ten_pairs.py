"""Ten pairs of two rules, each with its label: shares of them can be counted by hand."""

import json
from pathlib import Path

from tests.command import done
from tests.evaluation.made_pairs import sketched, with_pairs
from webecho.engine.local.engine import local_run
from webecho.evaluation.sample.drawing import SamplePlan, draw
from webecho.workspace.workspace import Workspace

# Left, right, B-similarity, C-similarity, same site; label and reasons.
PAIRS = [
    ((0, 1, 6, 384, True), "correct", ["time-stamp"]),
    ((0, 2, 6, 380, True), "correct", ["url", "time-stamp"]),
    ((0, 3, 3, 360, True), "incorrect", ["main-item"]),
    ((1, 3, 2, 340, True), "incorrect", ["main-item"]),
    ((2, 3, 2, 356, True), "undecided", ["form"]),
    ((0, 4, 5, 373, False), "correct", ["url"]),
    ((1, 4, 2, 350, False), "undecided", ["minor-item"]),
    ((2, 4, 0, 377, False), "correct", ["url"]),
    ((3, 4, 1, 372, False), "incorrect", ["main-item"]),
    ((1, 2, 0, 375, True), "incorrect", ["main-item"]),
]


def with_ten_pairs(folder: Path) -> Workspace:
    """A workspace of four pages of one site and one of another, and the pairs of both rules."""
    hosts = ["www.a.example"] * 4 + ["www.b.example"]
    pages = [(f"http://{host}/{n}", f"<p>page {n}".encode()) for n, host in enumerate(hosts)]
    found = sketched(folder, pages)
    every = [pair for pair, _, _ in PAIRS]
    with_pairs(found, "b-2", [pair for pair in every if pair[2] >= 2])
    with_pairs(found, "c-372", [pair for pair in every if pair[3] >= 372])
    return found


def label_all(workspace: Workspace, *options: object) -> None:
    """Draws a sample of all pairs, and labels them from a file."""
    draw(workspace, SamplePlan(("b-2", "c-372"), 100), local_run())
    file = workspace.path.parent / "gold.jsonl"
    rows = [
        {"left": f"#{pair[0]}", "right": f"#{pair[1]}", "label": label, "reasons": reasons}
        for pair, label, reasons in PAIRS
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done("label", workspace.path, "--import", file, "--quiet", *options)
