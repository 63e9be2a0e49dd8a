"""`webecho study clusters`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from webecho.cli.command import Shell, rereads, spark_verb
from webecho.cli.options import again_option, repetitions_option, seed_option
from webecho.cli.study import show_studied, study_options, workspaces_argument
from webecho.cli.verb_command import VerbCommand

if TYPE_CHECKING:
    from webecho.show.files.drawing import Width


@click.command("clusters", cls=VerbCommand)
@workspaces_argument
@click.option(
    "--rule",
    "rules",
    multiple=True,
    help="When two pages belong together, such as very-similar or similar-0.9; may be given "
    "several times; default: very-similar and virtually-identical.",
)
@click.option(
    "--rows",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="How many of the largest clusters are told.",
)
@click.option(
    "--times",
    type=click.FloatRange(1, min_open=True),
    default=5,
    show_default=True,
    help="From how many times the fitted clusters on a size is outlying.",
)
@click.option(
    "--agree",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.8,
    show_default=True,
    help="By how much the hosts of two clusters agree (Jaccard) that lie on one set of hosts.",
)
@click.option(
    "--members",
    type=click.IntRange(1),
    default=50,
    show_default=True,
    help="How many pages of a cluster are read, and held against the one that stands for it.",
)
@click.option(
    "--sample",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="How many other pages are read, to tell which words set a cluster apart.",
)
@repetitions_option
@study_options
@again_option
@seed_option
@spark_verb
@rereads
def study_clusters(
    shell: Shell,
    workspaces: tuple[Path, ...],
    rules: tuple[str, ...],
    rows: int,
    times: float,
    agree: float,
    members: int,
    sample: int,
    repetitions: int,
    out: Path | None,
    width: "Width",
    title: bool,
) -> bool:
    """Tell how large the clusters of each WORKSPACE are, and what is in the largest (Fetterly 2004,
    Tables 1 and 2, Figures 1 and 3)."""
    from webecho.api.run_record import RunRecord
    from webecho.api.studies import record_run
    from webecho.api.study_clusters import StudyClustersRequest, run_study_clusters

    request = StudyClustersRequest(
        workspaces=workspaces,
        rules=rules or StudyClustersRequest.rules,
        rows=rows,
        times=times,
        agree=agree,
        members=members,
        sample=sample,
        repetitions=repetitions,
        seed=shell.seed,
        write=True,
        out=out,
        width=width,
        title=title,
    )
    with shell.run() as run, RunRecord(run, shell.seed) as record:
        found = run_study_clusters(request, run)
    record_run(record, found, workspaces, "study clusters")
    show_studied(found, shell)
    # They tell what could not be counted, or not be read again.
    return bool(found.study.notes)
