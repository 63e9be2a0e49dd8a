"""`webecho study evolution`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from webecho.cli.command import Shell, rereads, spark_verb
from webecho.cli.options import again_option, repetitions_option, rule_block, seed_option
from webecho.cli.study import show_studied, study_options, workspaces_argument
from webecho.cli.verb_command import VerbCommand

if TYPE_CHECKING:
    from webecho.show.files.drawing import Width
    from webecho.study.cluster_coefficients import Missing


@click.command(cls=VerbCommand)
@workspaces_argument
@rule_block("very-similar")
@click.option(
    "--missing",
    type=click.Choice(["cluster", "drop"]),
    default="cluster",
    show_default=True,
    help="Addresses that a snapshot has not: a cluster of what could not be downloaded, as in the "
    "paper, or left out.",
)
@click.option(
    "--rows",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="How many births, deaths, growths, splits and merges of each step are listed.",
)
@click.option(
    "--addresses",
    type=click.IntRange(1),
    default=100_000,
    show_default=True,
    help="How many addresses are listed that may be visited less often, and with coefficients.",
)
@repetitions_option
@study_options
@again_option
@seed_option
@spark_verb
@rereads
def evolution(
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
    missing: "Missing",
    rows: int,
    addresses: int,
    repetitions: int,
    out: Path | None,
    width: "Width",
    title: bool,
) -> None:
    """Tell how clusters and pages change from one WORKSPACE to the next (Fetterly 2004).

    The WORKSPACEs are snapshots of one web, in their order; each is clustered by itself.
    """
    from webecho.api.rules import RuleChoice
    from webecho.api.run_record import RunRecord
    from webecho.api.studies import record_run
    from webecho.api.study_evolution import StudyEvolutionRequest, run_study_evolution

    request = StudyEvolutionRequest(
        workspaces=workspaces,
        rule=RuleChoice(
            *(rule, resemblance, least_b, least_c, least_c_across, pieces),
            *(chunk, shared, most_pages, fingerprint),
        ),
        missing=missing,
        rows=rows,
        addresses=addresses,
        repetitions=repetitions,
        seed=shell.seed,
        write=True,
        out=out,
        width=width,
        title=title,
    )
    with shell.run() as run, RunRecord(run, shell.seed) as record:
        found = run_study_evolution(request, run)
    record_run(record, found, workspaces, "study evolution")
    show_studied(found, shell)
