"""`webecho dedup`."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webecho.cli.command import Shell, reads, resumable_spark_verb
from webecho.cli.options import OutPath, WorkspacePath, block, inputs_options, rule_options
from webecho.cli.verb_command import VerbCommand
from webecho.group.choices import KEEPS, LINKS, WITHIN

if TYPE_CHECKING:
    from webecho.api.dry_run import DryRunRequest
    from webecho.api.reading import Reading

# What is removed and what stays, what goes whatever it repeats, what is told of it, and how the
# answer is foreseen.
dedup_options = block(
    block(
        click.option(
            "--link",
            type=click.Choice(LINKS),
            default="kept",
            show_default=True,
            help="kept: what goes is similar to the page named for it; chain: to one that "
            "is similar.",
        ),
        click.option(
            "--keep",
            multiple=True,
            default=("first",),
            show_default=True,
            help=f"Which page stays: {', '.join(KEEPS)}. Again for what decides among equals.",
        ),
        click.option(
            "--within",
            type=click.Choice(WITHIN),
            multiple=True,
            default=("collection",),
            show_default=True,
            help="Compare pages only within the same host or site.",
        ),
        click.option(
            "--by",
            multiple=True,
            metavar="COLUMN",
            help="Compare pages only within the same value of this column; of several if given "
            "again.",
        ),
        click.option(
            "--against",
            type=WorkspacePath(),
            help="Remove also what this earlier workspace has.",
        ),
        click.option(
            "--only-against",
            is_flag=True,
            help="Remove only what that workspace has: decontaminate.",
        ),
        click.option(
            "--append-kept",
            is_flag=True,
            help="Add what stays to the workspace of --against afterwards.",
        ),
        heading="What stays",
    ),
    block(
        click.option(
            "--min-words", type=click.IntRange(0), default=0, help="Drop pages of fewer words."
        ),
        click.option(
            "--min-chars", type=click.IntRange(0), default=0, help="Drop pages of fewer characters."
        ),
        click.option("--drop-empty", is_flag=True, help="Drop pages without text."),
        click.option("--drop-failed", is_flag=True, help="Drop records that could not be read."),
        heading="What is dropped, whether it repeats others or not",
    ),
    block(
        click.option(
            "--annotate",
            is_flag=True,
            help="Remove nothing; tell in columns of each row in which cluster it is, and what "
            "stays.",
        ),
        click.option(
            "--counts",
            is_flag=True,
            help="Tell in columns of what stays how often it was seen, on how many hosts, when.",
        ),
        click.option(
            "--prefix",
            default="webecho_",
            show_default=True,
            help="What the names of these columns begin with.",
        ),
        click.option("--removed", type=OutPath(), help="Write what was removed to this folder."),
        click.option("--dropped", type=OutPath(), help="Write what was dropped to this folder."),
        click.option(
            "--lost-words/--no-lost-words",
            default=True,
            help="Count the words of each removed page that the page which stays lacks (the "
            "default).",
        ),
        click.option(
            "--most-lost",
            metavar="SHARE",
            help="Write nothing if a source, host or --by group loses more than this, such as 50%.",
        ),
        click.option(
            "--losses-by",
            multiple=True,
            metavar="COLUMN",
            help="Tell what each value of this column loses, such as each language; of several if "
            "given again.",
        ),
        click.option(
            "--revisit",
            is_flag=True,
            help="Archives: leave a revisit record for a copy of the same bytes.",
        ),
        click.option("--cdx", is_flag=True, help="Archives: write OUT/index.cdxj, a sorted index."),
        heading="What is told and written beside",
    ),
    block(
        click.option(
            "--dry-run", is_flag=True, help="Read a sample and say what the run will need."
        ),
        click.option("--limit", type=click.IntRange(1), help="--dry-run: pages to read, about."),
        click.option(
            "--sample",
            type=click.FloatRange(0, 1, min_open=True),
            help="--dry-run: share of the inputs to read.",
        ),
        heading="Before a long run",
    ),
    click.option("--force", is_flag=True, help="Replace what an earlier dedup wrote there."),
)


@click.command(cls=VerbCommand)
@inputs_options
@click.option("-o", "--out", type=OutPath(), help="The folder; needed unless --dry-run.")
@rule_options
@dedup_options
@resumable_spark_verb
@reads
def dedup(
    shell: Shell,
    inputs: tuple[str, ...],
    out: Path | None,
    recipe: str,
    reading: "Reading",
    rule: str,
    resemblance: float | None,
    equal_words: float | None,
    least_b: int | None,
    least_c: int | None,
    least_c_across: int | None,
    pieces: int | None,
    chunk: str | None,
    shared: int | None,
    most_pages: int | None,
    fingerprint: int | None,
    link: str,
    keep: tuple[str, ...],
    within: tuple[str, ...],
    by: tuple[str, ...],
    min_words: int,
    min_chars: int,
    drop_empty: bool,
    drop_failed: bool,
    lost_words: bool,
    most_lost: str | None,
    losses_by: tuple[str, ...],
    annotate: bool,
    counts: bool,
    prefix: str,
    removed: Path | None,
    dropped: Path | None,
    revisit: bool,
    cdx: bool,
    against: Path | None,
    only_against: bool,
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
    from webecho.api.dedup import DedupRequest, FolderRequest, as_output, run_into_folder
    from webecho.api.dry_run import DryRunRequest, check_only_dry
    from webecho.api.inputs import check_there
    from webecho.api.rules import RuleChoice
    from webecho.api.run_record import RunRecord
    from webecho.api.values import as_recipe
    from webecho.group.dropping import Dropping
    from webecho.show.dedup import show_dedup

    asked = DedupRequest(
        inputs=inputs,
        rule=RuleChoice(
            *(rule, resemblance, equal_words, least_b, least_c, least_c_across, pieces),
            *(chunk, shared, most_pages, fingerprint),
        ),
        link=link,
        keep=keep,
        within=within,
        by=by,
        revisit=revisit,
        dropping=Dropping(min_words, min_chars, drop_empty, drop_failed),
        output=as_output(lost_words, most_lost, annotate, counts, prefix, losses_by),
        against=against,
        only_against=only_against,
        append_kept=append_kept,
        recipe=as_recipe(recipe),
        reading=reading,
    )
    if dry_run:
        show_dry_run(DryRunRequest(asked.plan, inputs, limit, sample), shell)
        return False
    check_only_dry(limit, sample)
    if out is None:
        raise click.MissingParameter(param_hint="'-o' / '--out'", param_type="option")
    request = FolderRequest(asked, out, force, cdx, removed, dropped)
    if shell.starts_spark:
        check_there(inputs, asked.plan.options)
    with shell.run() as run, RunRecord(run, shell.seed) as record:
        found = run_into_folder(request, run)
    record.write(found.workspace, "dedup")
    return show_dedup(found, record.seconds, record.peak, shell.output)


def show_dry_run(request: "DryRunRequest", shell: Shell) -> None:
    """Shows what a dedup will need. It reads little, on this machine."""
    from webecho.api.dry_run import run_dry_run
    from webecho.show.terminal import show

    with replace(shell, on_spark=False).run() as run:
        found = run_dry_run(request, run)
    show(found.facts, None, shell.output)
