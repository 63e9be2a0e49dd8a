"""`webecho study mirrors`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from webecho.cli.command import Shell, rereads, spark_verb
from webecho.cli.options import again_option, repetitions_option, rule_block, seed_option
from webecho.cli.study import show_studied, study_options, workspaces_argument
from webecho.cli.verb_command import VerbCommand

if TYPE_CHECKING:
    from webecho.show.files.drawing import Width
    from webecho.study.mirrors import Count


@click.command(cls=VerbCommand)
@workspaces_argument
@rule_block("very-similar")
@click.option(
    "--pages",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="Pages that each of two hosts has at the least in clusters with one of the other.",
)
@click.option(
    "--count",
    type=click.Choice(["all", "roots"]),
    default="all",
    show_default=True,
    help="Which pairs of hosts are counted; roots: with that of the cluster's first page alone.",
)
@click.option(
    "--most-hosts",
    type=click.IntRange(2),
    default=1000,
    show_default=True,
    help="Hosts of a cluster that are paired each with each; more with the largest alone.",
)
@click.option(
    "--most-suffixes",
    type=click.IntRange(0),
    default=50_000_000,
    show_default=True,
    help="Suffixes of paths that are compared exactly; more by a Bloom filter.",
)
@click.option(
    "--sample",
    type=click.IntRange(0),
    default=10,
    show_default=True,
    help="Pairs to list of those that no path confirms, with and without www. each.",
)
@repetitions_option
@study_options
@again_option
@seed_option
@spark_verb
@rereads
def mirrors(
    shell: Shell,
    workspaces: tuple[Path, ...],
    rule: str,
    resemblance: float | None,
    least_b: int | None,
    least_c: int | None,
    least_c_across: int | None,
    pieces: int | None,
    chunk: str | None,
    shared: int | None,
    most_pages: int | None,
    fingerprint: int | None,
    pages: int,
    count: "Count",
    most_hosts: int,
    most_suffixes: int,
    sample: int,
    repetitions: int,
    out: Path | None,
    width: "Width",
    title: bool,
) -> None:
    """Tell which hosts of each WORKSPACE mirror each other (Fetterly 2004).

    Several workspaces are snapshots of one web, in their order: what became of mirrors is told too,
    and how fresh each copy is.
    """
    from webecho.api.rules import RuleChoice
    from webecho.api.run_record import RunRecord
    from webecho.api.studies import record_run
    from webecho.api.study_mirrors import StudyMirrorsRequest, run_study_mirrors

    request = StudyMirrorsRequest(
        workspaces=workspaces,
        rule=RuleChoice(
            *(rule, resemblance, least_b, least_c, least_c_across, pieces),
            *(chunk, shared, most_pages, fingerprint),
        ),
        pages=pages,
        count=count,
        most_hosts=most_hosts,
        most_suffixes=most_suffixes,
        sample=sample,
        repetitions=repetitions,
        seed=shell.seed,
        write=True,
        out=out,
        width=width,
        title=title,
    )
    with shell.run() as run, RunRecord(run, shell.seed) as record:
        found = run_study_mirrors(request, run)
    record_run(record, found, workspaces, "study mirrors")
    show_studied(found, shell)
