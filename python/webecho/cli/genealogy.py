"""`webecho genealogy`."""

from pathlib import Path

import click

from webecho.cli.command import Shell, rereads, verb
from webecho.cli.options import OutPath, again_option
from webecho.cli.study import workspaces_argument
from webecho.cli.study_genealogy import least_option
from webecho.cli.verb_command import VerbCommand


@click.command(cls=VerbCommand)
@workspaces_argument
@click.argument("url", metavar="URL")
@least_option
@click.option(
    "--depth",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="How many generations are followed each way.",
)
@click.option(
    "--most",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="How many kin of a page are listed: those that share most.",
)
@click.option("--passages", is_flag=True, help="Print what is shared too; pages are read again.")
@click.option("--svg", type=OutPath(), help="Draw the tree into this file: SVG, PDF or PNG.")
@click.option("--graphml", type=OutPath(), help="Write the tree into this file as GraphML.")
@again_option
@verb
@rereads
def genealogy(
    shell: Shell,
    workspaces: tuple[Path, ...],
    url: str,
    least: int,
    depth: int,
    most: int,
    passages: bool,
    svg: Path | None,
    graphml: Path | None,
) -> None:
    """Print a page's ancestors and descendants, with what they share (Baeza-Yates 2007).

    Each WORKSPACE is a snapshot, the oldest first; the URL is that of the page.
    """
    from webecho.api.genealogy import GenealogyRequest, run_genealogy
    from webecho.show.genealogy import show_genealogy

    request = GenealogyRequest(
        workspaces=workspaces,
        url=url,
        least=least,
        depth=depth,
        most=most,
        passages=passages,
        svg=svg,
        graphml=graphml,
    )
    with shell.run() as run:
        found = run_genealogy(request, run)
    shell.say_written(svg, graphml)
    show_genealogy(found, shell.output)
