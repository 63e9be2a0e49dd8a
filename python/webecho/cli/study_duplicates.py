"""`webecho study duplicates`."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from webecho.cli.run_record import recorded, run_of, with_tables
from webecho.group.paragraphs import TABLE
from webecho.show.studies import finish_study
from webecho.study.duplicates import NEAR, DuplicateSettings, study_duplicates
from webecho.workspace.locks import reading


def run_study_duplicates(paths: tuple[Path, ...], options: dict[str, Any]) -> None:
    """Studies the workspaces, writes tables and figures, and prints the tables."""
    run = run_of(options)
    near = tuple(dict.fromkeys(options["near"])) or NEAR
    settings = DuplicateSettings(options["match"], options["compare"], near)
    with recorded(paths[0], "study duplicates", run), ExitStack() as stack:
        for path in paths:
            with_tables(path, [TABLE], run, options["quiet"])
        workspaces = [stack.enter_context(reading(path)) for path in paths]
        found = study_duplicates(workspaces, settings, run)
    folder = options["out"] or paths[0] / "studies" / found.name
    finish_study(found, folder, options["output"], quiet=options["quiet"])
