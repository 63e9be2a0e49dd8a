"""`webecho why`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from webecho.cli.command import Shell, rereads, verb
from webecho.cli.options import again_option, difference_options, workspace_argument
from webecho.cli.verb_command import VerbCommand

if TYPE_CHECKING:
    from webecho.show.compared import DiffLayout


@click.command(cls=VerbCommand)
@workspace_argument
@click.argument("one", metavar="URL")
@click.argument("other", metavar="URL")
@difference_options
@again_option
@verb
@rereads
def why(
    shell: Shell,
    workspace: Path,
    one: str,
    other: str,
    resemblance: float | None,
    layout: "DiffLayout",
    context: int,
) -> bool:
    """Show why two pages of a WORKSPACE are together, and what differs.

    A page is named by its URL, its id, or its number: #12. Rules and, as far as they were found,
    clusters and pairs tell what holds the two together.
    """
    from webecho.api.why import WhyRequest, run_why
    from webecho.safe_text import plain
    from webecho.show.compared import show_comparison
    from webecho.show.terminal import say

    request = WhyRequest(workspace, one, other, resemblance)
    with shell.run() as run:
        found = run_why(request, run).comparison
    for line in found.notes if not shell.quiet else ():
        say(plain(line))
    show_comparison(found, shell.output, layout, context)
    return found.estimated is not None
