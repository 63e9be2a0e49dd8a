"""`webecho diff`."""

from typing import TYPE_CHECKING

import click

from webecho.cli.command import Shell, reads, verb
from webecho.cli.options import difference_options, reading_options, recipe_option
from webecho.cli.verb_command import VerbCommand

if TYPE_CHECKING:
    from webecho.api.reading import Reading
    from webecho.show.compared import DiffLayout


@click.command(cls=VerbCommand)
@click.argument("left", metavar="A")
@click.argument("right", metavar="B")
@click.option(
    "--in",
    "inside",
    multiple=True,
    metavar="INPUT",
    help="What A and B are pages of; may be given several times.",
)
@recipe_option
@reading_options
@difference_options
@verb
@reads
def diff(
    shell: Shell,
    left: str,
    right: str,
    inside: tuple[str, ...],
    recipe: str,
    reading: "Reading",
    resemblance: float | None,
    layout: "DiffLayout",
    context: int,
) -> None:
    """Show how alike two pages are, and what differs.

    A and B are files of a page each, HTML or text, or - for standard input; with --in they are the
    addresses, ids or numbers (#12) of pages of an archive, table or folder.
    """
    from webecho.api.diff import DiffRequest, run_diff
    from webecho.api.values import as_recipe
    from webecho.show.compared import show_comparison

    request = DiffRequest(
        left=left,
        right=right,
        resemblance=resemblance,
        inside=inside or None,
        recipe=as_recipe(recipe),
        reading=reading,
    )
    with shell.run() as run:
        found = run_diff(request, run)
    show_comparison(found, shell.output, layout, context)
