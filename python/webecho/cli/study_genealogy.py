"""`webecho study genealogy`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from webecho.cli.command import Shell, rereads, spark_verb
from webecho.cli.options import again_option, seed_option
from webecho.cli.study import show_studied, study_options, workspaces_argument
from webecho.cli.verb_command import VerbCommand

if TYPE_CHECKING:
    from webecho.show.files.drawing import Width
    from webecho.study.descendants import Count


def sampled(_: click.Context, __: click.Parameter, value: str) -> int | None:
    """A number of documents, or all."""
    text = value.strip().replace(",", "").replace("_", "")
    if text == "all":
        return None
    if not text.isdigit() or len(text) > 18 or int(text) < 1:
        raise click.BadParameter(f"{value} is no number of documents; give one, or all")
    return int(text)


least_option = click.option(
    "--least",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    metavar="N",
    help="Kin share at least so many paragraphs.",
)


@click.command(cls=VerbCommand)
@workspaces_argument
@least_option
@click.option(
    "--count",
    type=click.Choice(["all", "paper"]),
    default="all",
    show_default=True,
    help="paper: as Figure 6 of Baeza-Yates 2007 counts, those that share more than N.",
)
@click.option(
    "--sample",
    default="120000",
    show_default=True,
    callback=sampled,
    metavar="N|all",
    help="How many documents of each old snapshot are drawn, by chance (--seed).",
)
@click.option(
    "--most-texts",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="No pair is found through a paragraph that stands in more old texts.",
)
@click.option(
    "--parents",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="How many parents of a child the table genealogy lists.",
)
@click.option(
    "--rows",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="How many of the most copied sites are told.",
)
@study_options
@again_option
@seed_option
@spark_verb
@rereads
def genealogy(
    shell: Shell,
    workspaces: tuple[Path, ...],
    least: int,
    count: "Count",
    sample: int | None,
    most_texts: int,
    parents: int,
    rows: int,
    out: Path | None,
    width: "Width",
    title: bool,
) -> None:
    """Tell where new pages get their content (Baeza-Yates 2007, section 5).

    Each WORKSPACE is a snapshot, the oldest first: of each pair the parents, the children and the
    equivalents.
    """
    from webecho.api.run_record import RunRecord
    from webecho.api.studies import record_run
    from webecho.api.study_genealogy import StudyGenealogyRequest, run_study_genealogy

    request = StudyGenealogyRequest(
        workspaces=workspaces,
        least=least,
        count=count,
        sample=sample,
        most_texts=most_texts,
        parents=parents,
        rows=rows,
        seed=shell.seed,
        write=True,
        out=out,
        width=width,
        title=title,
    )
    with shell.run() as run, RunRecord(run, shell.seed) as record:
        found = run_study_genealogy(request, run)
    record_run(record, found, workspaces, "study genealogy")
    show_studied(found, shell)
