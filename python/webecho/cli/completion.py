"""`webecho completion`."""

import click
from click.shell_completion import get_completion_class

from webecho.cli.verb_command import VerbCommand

SHELLS = ("bash", "zsh", "fish")
PROGRAM, ASKED_BY = "webecho", "_WEBECHO_COMPLETE"


@click.command(cls=VerbCommand)
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print what a shell needs to complete verbs and options.

    Let your shell read it whenever it starts; it holds from then on.
    """
    found = get_completion_class(shell)
    # One of click's own.
    assert found is not None
    click.echo(found(completion, {}, PROGRAM, ASKED_BY).source())
