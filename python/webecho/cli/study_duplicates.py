"""`webecho study duplicates`."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from webecho.api.inputs import default_threads
from webecho.cli.run_record import recorded, with_tables
from webecho.group.paragraphs import TABLE
from webecho.show.studies import finish_study
from webecho.study.duplicates import NEAR, DuplicateSettings, study_duplicates
from webecho.workspace.locks import reading


def run_study_duplicates(paths: tuple[Path, ...], options: dict[str, Any]) -> None:
    """Studies the workspaces, writes tables and figures, and prints the tables."""
    threads = options["threads"] or default_threads()
    near = tuple(dict.fromkeys(options["near"])) or NEAR
    settings = DuplicateSettings(options["match"], options["compare"], near)
    with recorded(paths[0], "study duplicates", threads, options), ExitStack() as stack:
        for path in paths:
            with_tables(path, [TABLE], threads, options)
        workspaces = [stack.enter_context(reading(path)) for path in paths]
        found = study_duplicates(workspaces, settings, threads=threads, memory=options["memory"])
    finish_study(found, paths[0], options)
