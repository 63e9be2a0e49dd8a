"""`webecho restore`."""

from pathlib import Path

import click

from webecho.cli.command import Shell, copying_verb
from webecho.cli.options import OutPath, inputs_argument
from webecho.cli.verb_command import VerbCommand

# So many of the same kind are named one by one.
NAMED = 20


@click.command(cls=VerbCommand)
@inputs_argument
@click.option("-o", "--out", required=True, type=OutPath(), help="The folder.")
@click.option("--force", is_flag=True, help="Overwrite files that are there already.")
@copying_verb
def restore(shell: Shell, inputs: tuple[str, ...], out: Path, force: bool) -> bool:
    """Bring back the records that revisits stand for, of `dedup` and of others.

    An INPUT is a WARC or WACZ file, or a folder or glob of those. The originals that the revisits
    refer to must be in the inputs, in whichever file.
    """
    from webecho.api.restore import RestoreRequest, run_restore
    from webecho.safe_text import plain
    from webecho.show.terminal import say, show

    with shell.run() as run:
        done = run_restore(RestoreRequest(inputs, out, force), run)
    for text in () if shell.quiet else done.not_found[:NAMED]:
        say(f"webecho: not found, the original of: {plain(text)}")
    if not shell.quiet and len(done.not_found) > NAMED:
        more = len(done.not_found) - NAMED
        say(f"webecho: not found, the originals of {more:,} more; --log FILE names them all")
    for name, number in done.named.items():
        say(
            f"webecho: {number:,} of these originals should be in the {plain(name)} of an earlier "
            "collection: give that file too"
        )
    for text in done.odd[:NAMED]:
        say(f"webecho: not restored, for it is not in good order: {plain(text)}")
    for text in done.damaged[:NAMED]:
        say(f"webecho: damaged, copied as it is: {plain(text)}")
    for text in done.unread:
        say(f"webecho: cannot be read: {plain(text)}")
    show(done.facts | {"written to": str(out)}, None, shell.output)
    return bool(done.failed or done.unread or done.damaged)
