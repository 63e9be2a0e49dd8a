"""`webecho verify`."""

import sys
from pathlib import Path

import click

from webecho.cli.command import FAILED, Shell, verb
from webecho.cli.options import WorkspacePath
from webecho.cli.verb_command import VerbCommand


@click.command(cls=VerbCommand)
@click.argument("path", type=WorkspacePath(output=True))
@verb
def verify(shell: Shell, path: Path) -> None:
    """Check that a workspace, or what a verb wrote with -o, at PATH is what was written there.

    Checksums, columns, numbers of rows, and what tables say together; of the folders of studies
    and savings the checksums. Exit code 1 if something is wrong; each problem
    is named.
    """
    from webecho.api.verify import VerifyRequest, run_verify
    from webecho.safe_text import plain
    from webecho.show.terminal import say, show

    with shell.run() as run:
        found = run_verify(VerifyRequest(path), run)
    for problem in found.problems:
        say(f"webecho: {plain(problem)}")
    show(found.facts | {"problems": len(found.problems)}, None, shell.output)
    if found.problems:
        sys.exit(FAILED)
