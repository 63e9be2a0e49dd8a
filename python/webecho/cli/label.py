"""`webecho label`."""

from contextlib import ExitStack
from getpass import getuser
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webecho.cli.command import Shell, rereads, resumable_verb
from webecho.cli.options import (
    OutPath,
    again_option,
    block,
    labels_option,
    seed_option,
    workspace_argument,
)
from webecho.cli.verb_command import VerbCommand

if TYPE_CHECKING:
    from webecho.api.label import LabellingPage

label_options = block(
    click.option(
        "--rule",
        "rules",
        multiple=True,
        help="Whose pairs are sampled, such as b or c-372; may be given several times.",
    ),
    click.option("--sample", type=click.IntRange(1), help="Pairs to label; default: 500."),
    click.option("--labeller", default=getuser, help="Who labels; default: your user name."),
    labels_option(exists=False),
    click.option(
        "--host", default="127.0.0.1", show_default=True, help="The address to be reached by."
    ),
    click.option("--port", type=click.IntRange(0, 65535), default=0, help="0: any that is free."),
    click.option(
        "--import",
        "imported",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        help="Take labels in from a CSV or JSONL file instead; with --rule draw the sample first.",
    ),
    click.option(
        "--export",
        "exported",
        type=OutPath(),
        metavar="FILE",
        help="Write the sample to this CSV file instead, to be labelled elsewhere; then --import.",
    ),
    click.option(
        "--from-truth",
        type=click.Path(path_type=Path, exists=True),
        help="Label the sample as the truth of this made-up web has it instead.",
    ),
    click.option(
        "--guess", is_flag=True, help="Guess the labels of the sample instead, and say so."
    ),
    click.option("--blind", is_flag=True, help="Show no guess, and choose nothing before you do."),
    click.option("--agreement", is_flag=True, help="Tell how far labellers agree instead."),
)


@click.command(cls=VerbCommand)
@workspace_argument
@label_options
@again_option
@seed_option
@resumable_verb
@rereads
def label(
    shell: Shell,
    workspace: Path,
    rules: tuple[str, ...],
    sample: int | None,
    labeller: str,
    labels: Path | None,
    host: str,
    port: int,
    imported: Path | None,
    exported: Path | None,
    from_truth: Path | None,
    guess: bool,
    blind: bool,
    agreement: bool,
) -> bool:
    """Label a sample of the pairs of a WORKSPACE by hand, in a browser.

    Two pages are shown side by side as text, with what differs marked; keys say whether they are
    correct near-duplicates and why they differ. Labels are on disk when the page says so. The same
    command goes on where you stopped.
    """
    from webecho.api.label import LabelRequest, run_label
    from webecho.show.label import show_labelled, show_page

    request = LabelRequest(
        workspace=workspace,
        labeller=labeller,
        rules=rules,
        sample=sample,
        labels=labels,
        seed=shell.seed,
        host=host,
        port=port,
        imported=imported,
        exported=exported,
        from_truth=from_truth,
        guess=guess,
        agreement=agreement,
        blind=blind,
    )
    with ExitStack() as stack:
        run = stack.enter_context(shell.run())

        def announce(page: "LabellingPage") -> None:
            # While people label there is no progress to show.
            stack.close()
            show_page(page, shell.quiet)

        found = run_label(request, run, announce)
    return show_labelled(found, shell.output, shell.quiet)
