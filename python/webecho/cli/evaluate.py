"""`webecho evaluate`."""

from pathlib import Path
from typing import Any

from webecho.cli.run_record import run_of
from webecho.evaluation.judge.evaluation import EvaluationSettings, evaluate
from webecho.show.evaluation import show_evaluation, write_evaluation
from webecho.show.terminal import plain, say
from webecho.workspace.locks import reading

FOLDER = "evaluation"
ASKED = ("labels", "samples", "least_r", "seed", "equal_recall", "compare", "measure", "truth")


def run_evaluate(path: Path, rules: tuple[str, ...], options: dict[str, Any]) -> None:
    """Judges rules by labels, writes the tables and prints them."""
    settings = EvaluationSettings(rules, **{name: options[name] for name in ASKED})
    with reading(path) as workspace:
        found = evaluate(workspace, settings, run_of(options))
        folder = workspace.path / "studies" / FOLDER
        write_evaluation(folder, found)
    for line in found.notes:
        say(f"webecho: {plain(line)}")
    if not options["quiet"]:
        say(f"written: {folder}")
    show_evaluation(found, options["output"], options["all_tables"], folder)
