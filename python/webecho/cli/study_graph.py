"""`webecho study graph`."""

from pathlib import Path
from typing import Any

from webecho.cli.run_record import recorded, run_of, with_tables
from webecho.show.studies import finish_study
from webecho.study.graph import GraphSettings, needed_tables, study_graph
from webecho.study.reaching import StartSettings
from webecho.study.web import FOLLOWED, LinkSettings
from webecho.workspace.locks import reading


def run_study_graph(path: Path, options: dict[str, Any]) -> bool:
    """Studies the workspace, writes tables and figures, prints the tables, and says whether there
    was a reachable part."""
    run = run_of(options)
    settings = GraphSettings(
        LinkSettings(
            options["kinds"] or FOLLOWED,
            options["obey_nofollow"],
            options["edges"],
            options["level"],
        ),
        StartSettings(options["start"], options["tries"], options["least"], options["seed"]),
        options["match"],
    )
    with recorded(path, "study graph", run):
        with_tables(path, needed_tables(settings), run, options["quiet"])
        with reading(path) as workspace:
            found = study_graph(workspace, settings, run)
    folder = options["out"] or path / "studies" / found.name
    finish_study(found, folder, options["output"], quiet=options["quiet"])
    return "table_4" in found.tables
