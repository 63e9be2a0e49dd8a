"""`webecho study duplicates`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from webecho.cli.command import Shell, rereads, spark_verb
from webecho.cli.options import again_option, repetitions_option, seed_option
from webecho.cli.study import match_option, show_studied, study_options, workspaces_argument
from webecho.cli.verb_command import VerbCommand

if TYPE_CHECKING:
    from webecho.api.study_duplicates import Compare
    from webecho.group.paragraphs import Match
    from webecho.show.files.drawing import Width


@click.command(cls=VerbCommand)
@workspaces_argument
@match_option
@click.option(
    "--compare",
    type=click.Choice(["fingerprints", "text"]),
    default="fingerprints",
    show_default=True,
    help="text: read the pages again and compare the text behind equal fingerprints.",
)
@click.option(
    "--near",
    multiple=True,
    type=click.FloatRange(0, 1, min_open=True),
    help="The share of common paragraphs of near-duplicates; default: 0.9, 0.7 and 0.5.",
)
@repetitions_option
@study_options
@again_option
@seed_option
@spark_verb
@rereads
def duplicates(
    shell: Shell,
    workspaces: tuple[Path, ...],
    match: "Match",
    compare: "Compare",
    near: tuple[float, ...],
    repetitions: int,
    out: Path | None,
    width: "Width",
    title: bool,
) -> None:
    """Tell how much of each WORKSPACE is duplicated (Pereira 2006, Tables 1 to 3, Figures 2 to 4).

    Documents of more than 450 characters are compared by their shingle paragraphs.
    """
    from webecho.api.run_record import RunRecord
    from webecho.api.studies import record_run
    from webecho.api.study_duplicates import StudyDuplicatesRequest, run_study_duplicates

    request = StudyDuplicatesRequest(
        workspaces=workspaces,
        match=match,
        compare=compare,
        near=tuple(dict.fromkeys(near)) or StudyDuplicatesRequest.near,
        repetitions=repetitions,
        seed=shell.seed,
        write=True,
        out=out,
        width=width,
        title=title,
    )
    with shell.run() as run, RunRecord(run, shell.seed) as record:
        found = run_study_duplicates(request, run)
    record_run(record, found, workspaces, "study duplicates")
    show_studied(found, shell)
