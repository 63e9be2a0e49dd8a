"""`webecho study graph`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webecho.cli.command import FAILED, Shell, rereads, verb
from webecho.cli.options import again_option, repetitions_option, seed_option
from webecho.cli.study import match_option, show_studied, study_options, workspaces_argument
from webecho.cli.verb_command import VerbCommand

if TYPE_CHECKING:
    from webecho.group.paragraphs import Match
    from webecho.show.files.drawing import Width
    from webecho.study.web import Level


@click.command(cls=VerbCommand)
@workspaces_argument
@click.option(
    "--start",
    metavar="PAGE",
    help="Where following links begins: a URL, an id, a number (#12), or core; default: random.",
)
@click.option(
    "--tries",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="Random initial documents to try.",
)
@click.option(
    "--least",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    help="The share of the documents that a random one must reach.",
)
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    help="Links to follow: a, area, frame, iframe, redirect, canonical; default: all but the last. "
    "May be given several times.",
)
@click.option("--obey-nofollow", is_flag=True, help="Do not follow links that ask for that.")
@click.option(
    "--edges",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Follow the links in this CSV, TSV or Parquet file (source, target) instead.",
)
@click.option(
    "--level",
    type=click.Choice(["page", "host"]),
    default="page",
    show_default=True,
    help="--edges: whether its columns have addresses or hosts.",
)
@match_option
@repetitions_option
@study_options
@again_option
@seed_option
@verb
@rereads
def graph(
    shell: Shell,
    workspaces: tuple[Path, ...],
    start: str | None,
    tries: int,
    least: float,
    kinds: tuple[str, ...],
    obey_nofollow: bool,
    edges: Path | None,
    level: "Level",
    match: "Match",
    repetitions: int,
    out: Path | None,
    width: "Width",
    title: bool,
) -> None:
    """Tell where in the web of each WORKSPACE duplicates occur (Pereira 2006, Tables 4 to 6).

    Links are followed from an initial document; the part that is reached and the rest are
    clustered each by itself. Exits with 1 if no initial document reaches enough.
    """
    from webecho.api.run_record import RunRecord
    from webecho.api.studies import record_run
    from webecho.api.study_graph import StudyGraphRequest, run_study_graph

    request = StudyGraphRequest(
        workspaces=workspaces,
        start=start,
        tries=tries,
        least=least,
        kinds=kinds or StudyGraphRequest.kinds,
        obey_nofollow=obey_nofollow,
        edges=edges,
        level=level,
        match=match,
        seed=shell.seed,
        repetitions=repetitions,
        write=True,
        out=out,
        width=width,
        title=title,
    )
    with shell.run() as run, RunRecord(run, shell.seed) as record:
        found = run_study_graph(request, run)
    record_run(record, found, workspaces, "study graph")
    show_studied(found, shell)
    if not found.is_answered:
        sys.exit(FAILED)
