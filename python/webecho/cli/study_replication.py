"""`webecho study replication`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from webecho.cli.command import Shell, rereads, spark_verb
from webecho.cli.options import again_option
from webecho.cli.study import show_studied, study_options, workspaces_argument
from webecho.cli.verb_command import VerbCommand

if TYPE_CHECKING:
    from webecho.show.files.drawing import Width


@click.command(cls=VerbCommand)
@workspaces_argument
@click.option(
    "--agree",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.8,
    show_default=True,
    help="By how much the servers of two clusters agree (Jaccard) that are one collection.",
)
@click.option(
    "--pages",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="How many pages a collection has at the least.",
)
@click.option(
    "--rows",
    type=click.IntRange(1),
    default=5,
    show_default=True,
    help="How many of the most replicated collections are told.",
)
@study_options
@again_option
@spark_verb
@rereads
def replication(
    shell: Shell,
    workspaces: tuple[Path, ...],
    agree: float,
    pages: int,
    rows: int,
    out: Path | None,
    width: "Width",
    title: bool,
) -> None:
    """Tell how much of each WORKSPACE is replicated, and what that costs (Shivakumar 1998).

    By whole pages, by 15 shared chunks of four lines, and by 25 of two lines.
    """
    from webecho.api.run_record import RunRecord
    from webecho.api.studies import record_run
    from webecho.api.study_replication import (
        StudyReplicationRequest,
        run_study_replication,
        times,
    )

    request = StudyReplicationRequest(
        workspaces=workspaces,
        agree=agree,
        pages=pages,
        rows=rows,
        write=True,
        out=out,
        width=width,
        title=title,
    )
    with shell.run() as run, RunRecord(run, shell.seed) as record:
        found = run_study_replication(request, run)
    record_run(record, found, workspaces, "study replication", times(found.study))
    show_studied(found, shell)
