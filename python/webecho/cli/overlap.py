"""`webecho overlap`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from webecho.cli.command import Shell, rereads, verb
from webecho.cli.options import again_option, parameter_option, workspace_argument

if TYPE_CHECKING:
    from webecho.api.overlap import Level
    from webecho.group.overlaps import Method


@click.command()
@workspace_argument
@parameter_option("chunk")
@parameter_option("shared")
@parameter_option("most_pages")
@parameter_option("fingerprint")
@click.option(
    "--method",
    type=click.Choice(["auto", "sorted", "coarse"]),
    default="auto",
    show_default=True,
    help="How pairs are counted; coarse keeps to --memory whatever their number. Both find the "
    "same.",
)
@click.option(
    "--level",
    type=click.Choice(["page", "host", "site"]),
    default="page",
    show_default=True,
    help="host, site: all pages of one together, with the pages that carry what is shared.",
)
@again_option
@verb
@rereads
def overlap(
    shell: Shell,
    workspace: Path,
    chunk: str | None,
    shared: int | None,
    most_pages: int | None,
    fingerprint: int | None,
    method: "Method",
    level: "Level",
) -> None:
    """Find the pages of a WORKSPACE that share parts (Shivakumar 1998).

    Pages are cut into chunks, and two that share enough of them are reported, with the share that
    is of each. Of pages with the same chunks the first is compared for all, and the others follow
    as its copies.
    """
    from webecho.api.overlap import OverlapRequest, run_overlap
    from webecho.api.rules import RuleChoice
    from webecho.api.run_record import RunRecord
    from webecho.show.groups import SHOWN
    from webecho.show.overlap import show_overlap

    request = OverlapRequest(
        pages=workspace,
        rule=RuleChoice(
            *("overlap", None, None, None, None, None),
            *(chunk, shared, most_pages, fingerprint),
        ),
        method=method,
        level=level,
        most=SHOWN if shell.output == "table" else None,
    )
    with shell.run() as run, RunRecord(run, shell.seed) as record:
        found = run_overlap(request, run)
    record.write(workspace, f"overlap {found.file.stem}")
    shell.say_written(found.file, *filter(None, [found.carrying]))
    show_overlap(found, shell.output)
