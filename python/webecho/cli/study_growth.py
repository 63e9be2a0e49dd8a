"""`webecho study growth`."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from webecho.api.inputs import default_threads
from webecho.cli.run_record import recorded, with_tables
from webecho.group.paragraphs import TABLE
from webecho.show.studies import finish_study
from webecho.study.growth import study_growth
from webecho.study.steps import GrowthSettings
from webecho.workspace.locks import reading


def run_study_growth(path: Path, options: dict[str, Any]) -> None:
    """Studies a workspace, writes tables and figures, and prints the tables."""
    threads = options["threads"] or default_threads()
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
    with recorded(path, "study growth", threads, options), ExitStack() as stack:
        for each in paths:
            with_tables(each, [TABLE], threads, options)
        workspaces = [stack.enter_context(reading(each)) for each in paths]
        found = study_growth(
            workspaces[0], settings, *workspaces[1:], threads=threads, memory=options["memory"]
        )
    finish_study(found, path, options)
