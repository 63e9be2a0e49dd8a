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
@click.argument("other", metavar="[URL]", required=False)
@difference_options
@again_option
@verb
@rereads
def why(
    shell: Shell,
    workspace: Path,
    one: str,
    other: str | None,
    resemblance: float | None,
    layout: "DiffLayout",
    context: int,
) -> bool:
    """Show why two pages of a WORKSPACE are together, and what differs; or what one goes with.

    A page is named by its URL, its id, or its number: #12. Rules and, as far as they were found,
    clusters and pairs tell what holds the two together.
    """
    from webecho.api.why import WhyRequest, run_why
    from webecho.safe_text import plain
    from webecho.show.companions import show_companions
    from webecho.show.compared import show_comparison
    from webecho.show.terminal import say

    request = WhyRequest(workspace, one, other, resemblance)
    with shell.run() as run:
        explained = run_why(request, run)
    found = explained.companions or explained.comparison
    for line in found.notes if found is not None and not shell.quiet else ():
        say(plain(line))
    if explained.companions is not None:
        show_companions(explained.companions, shell.output, layout, context)
    elif explained.comparison is not None:
        show_comparison(explained.comparison, shell.output, layout, context)
    return explained.comparison is not None and explained.comparison.estimated is not None
