"""`webecho study growth`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from webecho.cli.command import Shell, rereads, verb
from webecho.cli.options import WorkspacePath, again_option, seed_option
from webecho.cli.study import match_option, show_studied, study_options, workspaces_argument
from webecho.cli.verb_command import VerbCommand

if TYPE_CHECKING:
    from webecho.group.paragraphs import Match
    from webecho.show.files.drawing import Width


def part(_: click.Context, __: click.Parameter, value: str) -> float:
    """A share: 20% or 0.2."""
    try:
        number = value.strip()
        return float(number[:-1]) / 100 if number.endswith("%") else float(number)
    except ValueError as error:
        raise click.BadParameter(f"{value} is no share; give one such as 20% or 0.2") from error


@click.command(cls=VerbCommand)
@workspaces_argument
@click.option(
    "--steps",
    type=int,
    default=50,
    show_default=True,
    help="The parts into which the documents are cut; the paper had 15, 40 and 50.",
)
@match_option
@click.option(
    "--steps-run",
    default="100%",
    show_default=True,
    callback=part,
    metavar="SHARE",
    help="Run only this share of the steps, such as 20%, and estimate the rest.",
)
@click.option("--go-on", is_flag=True, help="Then run all steps, and tell the error of estimates.")
@click.option(
    "--estimate-from",
    type=WorkspacePath(),
    metavar="WORKSPACE",
    help="Estimate also by the growth of this other collection.",
)
@click.option("--other-steps", type=int, help="Its steps; default: as many as --steps.")
@study_options
@again_option
@seed_option
@verb
@rereads
def growth(
    shell: Shell,
    workspaces: tuple[Path, ...],
    steps: int,
    match: "Match",
    steps_run: float,
    go_on: bool,
    estimate_from: Path | None,
    other_steps: int | None,
    out: Path | None,
    width: "Width",
    title: bool,
) -> None:
    """Tell how duplicates of each WORKSPACE grow step by step (Pereira 2006, Figure 5).

    The documents are cut into parts by chance (--seed); in each step all that are left are looked
    up among those of a part.
    """
    from webecho.api.run_record import RunRecord
    from webecho.api.studies import record_run
    from webecho.api.study_growth import StudyGrowthRequest, run_study_growth

    request = StudyGrowthRequest(
        workspaces=workspaces,
        steps=steps,
        match=match,
        steps_run=steps_run,
        go_on=go_on,
        estimate_from=estimate_from,
        other_steps=other_steps,
        seed=shell.seed,
        write=True,
        out=out,
        width=width,
        title=title,
    )
    with shell.run() as run, RunRecord(run, shell.seed) as record:
        found = run_study_growth(request, run)
    record_run(record, found, request.every, "study growth")
    show_studied(found, shell)
