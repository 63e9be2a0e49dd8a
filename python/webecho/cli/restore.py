"""`webecho restore`."""

from pathlib import Path
from typing import Any

import click

from webecho.cli.command import Shell, copying_verb
from webecho.cli.options import OutPath, inputs_argument
from webecho.cli.verb_command import VerbCommand


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
    count = sum(done.failed.values())
    for text in () if shell.quiet else done.not_found:
        say(f"webecho: not found, the original of: {plain(text)}")
    for text in done.unread:
        say(f"webecho: cannot be read: {plain(text)}")
    shown: dict[str, Any] = {"files": done.files, "records": done.records}
    shown |= {"restored": done.restored, "not restored": count}
    shown |= {f"not restored: {reason}": number for reason, number in done.failed.items()}
    if done.other_files:
        shown["other files, not copied"] = done.other_files
    show(shown | {"written to": str(out)}, None, shell.output)
    return bool(count or done.unread)
