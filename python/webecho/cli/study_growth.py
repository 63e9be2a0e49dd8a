"""`webecho study growth`."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from webecho.cli.run_record import recorded, run_of, with_tables
from webecho.group.paragraphs import TABLE
from webecho.show.studies import finish_study
from webecho.study.growth import study_growth
from webecho.study.steps import GrowthSettings
from webecho.workspace.locks import reading


def run_study_growth(path: Path, options: dict[str, Any]) -> None:
    """Studies a workspace, writes tables and figures, and prints the tables."""
    run = run_of(options)
    settings = GrowthSettings(
        options["steps"],
        options["match"],
        options["seed"],
        options["steps_run"],
        options["go_on"],
        options["other_steps"],
    )
    other = options["estimate_from"]
    paths = [path] if other is None else [path, other]
    with recorded(path, "study growth", run), ExitStack() as stack:
        for each in paths:
            with_tables(each, [TABLE], run, options["quiet"])
        workspaces = [stack.enter_context(reading(each)) for each in paths]
        found = study_growth(workspaces[0], settings, *workspaces[1:], run=run)
    folder = options["out"] or path / "studies" / found.name
    finish_study(found, folder, options["output"], quiet=options["quiet"])
