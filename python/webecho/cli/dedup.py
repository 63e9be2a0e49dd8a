"""`webecho dedup`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from webecho.cli.command import Shell, reads, resumable_spark_verb
from webecho.cli.options import OutPath, WorkspacePath, block, inputs_options, rule_options
from webecho.cli.verb_command import VerbCommand
from webecho.group.choices import KEEPS, LINKS, WITHIN

if TYPE_CHECKING:
    from webecho.api.dedup import FolderRequest
    from webecho.api.reading import Reading

# What is removed, what stays, and how the answer is foreseen.
dedup_options = block(
    click.option(
        "--link",
        type=click.Choice(LINKS),
        default="kept",
        show_default=True,
        help="kept: what goes is similar to the page named for it; chain: to one that is similar.",
    ),
    click.option(
        "--keep",
        default="first",
        show_default=True,
        help=f"Which page stays: {', '.join(KEEPS)}.",
    ),
    click.option(
        "--within",
        type=click.Choice(WITHIN),
        default="collection",
        show_default=True,
        help="Compare pages only within the same host or site.",
    ),
    click.option("--by", help="Compare pages only within the same value of this column."),
    click.option(
        "--revisit",
        is_flag=True,
        help="Archives: leave a revisit record for a copy of the same bytes.",
    ),
    click.option("--cdx", is_flag=True, help="Archives: write OUT/index.cdxj, a sorted index."),
    click.option(
        "--against",
        type=WorkspacePath(),
        help="Remove also what this earlier workspace has.",
    ),
    click.option(
        "--append-kept",
        is_flag=True,
        help="Add what stays to the workspace of --against afterwards.",
    ),
    click.option("--dry-run", is_flag=True, help="Read a sample and say what the run will need."),
    click.option("--limit", type=click.IntRange(1), help="--dry-run: pages to read, about."),
    click.option(
        "--sample",
        type=click.FloatRange(0, 1, min_open=True),
        help="--dry-run: share of each input to read.",
    ),
    click.option("--force", is_flag=True, help="Replace what an earlier dedup wrote there."),
)


@click.command(cls=VerbCommand)
@inputs_options
@click.option("-o", "--out", required=True, type=OutPath(), help="The folder.")
@rule_options
@dedup_options
@resumable_spark_verb
@reads
def dedup(
    shell: Shell,
    inputs: tuple[str, ...],
    out: Path,
    recipe: str,
    reading: "Reading",
    rule: str,
    resemblance: float | None,
    least_b: int | None,
    least_c: int | None,
    least_c_across: int | None,
    pieces: int | None,
    chunk: str | None,
    shared: int | None,
    most_pages: int | None,
    fingerprint: int | None,
    link: str,
    keep: str,
    within: str,
    by: str | None,
    revisit: bool,
    cdx: bool,
    against: Path | None,
    append_kept: bool,
    dry_run: bool,
    limit: int | None,
    sample: float | None,
    force: bool,
) -> bool:
    """Remove the duplicates of the INPUTs, and tell what was removed and why.

    What stays is written to OUT/data in the inputs' own formats; OUT/duplicates.parquet names for
    each page that was removed the one that stays. INPUTs are as for `webecho sketch`.
    """
    from webecho.api.dedup import DedupRequest, FolderRequest, run_into_folder
    from webecho.api.rules import RuleChoice
    from webecho.api.run_record import RunRecord
    from webecho.api.values import as_recipe
    from webecho.show.dedup import show_dedup

    asked = DedupRequest(
        inputs=inputs,
        rule=RuleChoice(
            *(rule, resemblance, least_b, least_c, least_c_across, pieces),
            *(chunk, shared, most_pages, fingerprint),
        ),
        link=link,
        keep=keep,
        within=within,
        by=by,
        revisit=revisit,
        against=against,
        append_kept=append_kept,
        recipe=as_recipe(recipe),
        reading=reading,
    )
    request = FolderRequest(asked, out, force, dry_run, limit, sample, cdx)
    if dry_run:
        show_dry_run(request, shell)
        return False
    with shell.run() as run, RunRecord(run, shell.seed) as record:
        found = run_into_folder(request, run)
    record.write(found.workspace, "dedup")
    return show_dedup(found, record.seconds, record.peak, shell.output)


def show_dry_run(request: "FolderRequest", shell: Shell) -> None:
    """Shows what a dedup will need."""
    from webecho.api.dedup import run_dry_run
    from webecho.show.terminal import show

    with shell.run() as run:
        found = run_dry_run(request, run)
    show(found.facts, None, shell.output)
