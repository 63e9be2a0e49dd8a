"""`webecho overlap`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from webecho.cli.command import Shell, rereads, spark_verb
from webecho.cli.options import (
    OutPath,
    WorkspacePath,
    again_option,
    block,
    parameter_option,
    workspace_argument,
)
from webecho.cli.verb_command import VerbCommand
from webecho.errors import OUT, SettingsError, setting

if TYPE_CHECKING:
    from webecho.api.overlap import Level
    from webecho.group.overlaps import Method

# What says which pairs are counted, and how.
COUNTING = ("shared", "most_pages", "method", "level", "report_left", "containment", "out")

# What is for two collections.
across_options = block(
    click.option(
        "--with",
        "other",
        type=WorkspacePath(),
        help="Another workspace: pairs have a page of each.",
    ),
    click.option(
        "--report-left",
        is_flag=True,
        help="With --with: one row for each page of WORKSPACE, with how much of it stands in the "
        "other, where, and the passage; by words:8:sliding unless --chunk says something else.",
    ),
    click.option(
        "--containment",
        type=click.FloatRange(0, 1, min_open=True),
        help="How much of a page must stand there for it to count as found; default: 0.8.",
    ),
    click.option(
        "-o", "--out", type=OutPath(), help="With --with: the Parquet file to write the rows to."
    ),
)


@click.command(cls=VerbCommand)
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
@across_options
@click.option(
    "--show",
    nargs=2,
    metavar="URL URL",
    help="Print the passages that these two pages share, with their places on both.",
)
@again_option
@spark_verb
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
    other: Path | None,
    report_left: bool,
    containment: float | None,
    out: Path | None,
    show: tuple[str, str] | None,
) -> bool:
    """Find the pages of a WORKSPACE that share parts (Shivakumar 1998).

    Pages are cut into chunks, and two that share enough of them are reported, with the share that
    is of each. Of pages with the same chunks the first is compared for all, and the others follow
    as its copies.
    """
    from webecho.api.overlap import (
        OverlapRequest,
        check_across,
        check_within,
        overlap_rule,
        run_overlap,
    )
    from webecho.api.overlap_across import CONTAINMENT, AcrossRequest, run_across
    from webecho.api.run_record import RunRecord
    from webecho.show.groups import SHOWN
    from webecho.show.overlap import say_left_out, show_overlap

    if show is not None:
        check_shown()
        show_two(shell, workspace, show, chunk, fingerprint, other)
        return False
    least = CONTAINMENT if containment is None else containment
    if other is None:
        check_within(report_left, least, out)
    rule = overlap_rule(chunk, shared, most_pages, fingerprint, report_left)
    most = SHOWN if shell.output == "table" else None
    if other is not None:
        check_across(level)
        across = AcrossRequest(workspace, other, rule, method, report_left, least, out, most)
        with shell.run() as run:
            found = run_across(across, run)
        say_left_out(found.failure)
        shell.say_written(found.file)
        show_overlap(found, shell.output)
        return found.failure is not None
    request = OverlapRequest(workspace, rule, method, level, most)
    with shell.run() as run, RunRecord(run, shell.seed) as record:
        within = run_overlap(request, run)
    record.write(workspace, f"overlap {within.file.stem}", within.seconds)
    shell.say_written(within.file, *filter(None, [within.carrying]))
    show_overlap(within, shell.output)
    return within.failure is not None


def check_shown() -> None:
    """Refuses what says nothing of two pages."""
    context = click.get_current_context()
    for name in COUNTING:
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            option = OUT if name == "out" else setting(name)
            raise SettingsError("--show prints what two pages share, whatever ", option, " says")


def show_two(
    shell: Shell,
    workspace: Path,
    two: tuple[str, str],
    chunk: str | None,
    fingerprint: int | None,
    other: Path | None,
) -> None:
    """Prints what two pages share."""
    from webecho.api.passages import PassagesRequest, run_passages
    from webecho.chunkings import Chunking
    from webecho.group.rules.parameters import FINGERPRINTS
    from webecho.safe_text import plain
    from webecho.show.overlap import show_passages
    from webecho.show.terminal import say

    request = PassagesRequest(
        workspace,
        *two,
        chunk=PassagesRequest.chunk if chunk is None else Chunking.parse(chunk),
        bits=fingerprint or FINGERPRINTS[0],
        beside=other,
    )
    with shell.run() as run:
        found = run_passages(request, run)
    for line in found.notes if not shell.quiet else ():
        say(plain(line))
    show_passages(found, shell.output)
