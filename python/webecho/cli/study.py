"""`webecho study …`: one command a study; each writes tables and figures, and prints the tables."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from webecho.cli.command import FAILED, every_verb
from webecho.cli.options import workspace_argument


@click.group()
def study() -> None:
    """Rerun a paper's study on collections of your own."""


def free(_: click.Context, __: click.Parameter, value: Path | None) -> Path | None:
    """A folder for what a study writes: nothing else's."""
    if value is None:
        return None
    # Loading Arrow would make `--help` slow.
    from webecho.workspace.layout import MANIFEST

    if value.exists() and not value.is_dir():
        raise click.BadParameter(f"{value} is no folder; give another")
    if (value / MANIFEST).is_file():
        raise click.BadParameter(f"{value} is a workspace; give another folder, or none")
    return value


def study_options(command: Callable[..., None]) -> Callable[..., None]:
    """What all studies have: where their tables and figures go."""
    return click.option(
        "-o",
        "--out",
        type=click.Path(path_type=Path),
        callback=free,
        help="The folder for tables and figures; WORKSPACE/studies/<study> unless told.",
    )(command)


MATCH = click.option(
    "--match",
    type=click.Choice(["multiset", "paper"]),
    default="multiset",
    show_default=True,
    help="paper: repeated paragraphs count once, as Pereira 2006 has it.",
)


def part(_: click.Context, __: click.Parameter, value: str) -> float:
    """A share: 20% or 0.2."""
    try:
        number = value.strip()
        return float(number[:-1]) / 100 if number.endswith("%") else float(number)
    except ValueError as error:
        raise click.BadParameter(f"{value} is no share; give one such as 20% or 0.2") from error


@study.command()
@click.argument(
    "workspaces",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path),
    metavar="WORKSPACE…",
)
@MATCH
@click.option(
    "--compare",
    type=click.Choice(["fingerprints", "text"]),
    default="fingerprints",
    show_default=True,
    help="text: read the pages again and compare the text behind equal fingerprints.",
)
@click.option(
    "--near",
    multiple=True,
    type=click.FloatRange(0, 1, min_open=True),
    help="The share of common paragraphs of near-duplicates; 0.9, 0.7 and 0.5 unless told.",
)
@study_options
@every_verb
def duplicates(workspaces: tuple[Path, ...], **options: Any) -> None:
    """Tell how much of each WORKSPACE is duplicated (Pereira 2006, Tables 1 to 3, Figures 2 to 4).

    Documents of more than 450 characters are compared by their shingle paragraphs.
    """
    from webecho.cli.study_duplicates import run_study_duplicates

    run_study_duplicates(workspaces, options)


@study.command()
@workspace_argument
@click.option(
    "--start",
    metavar="PAGE",
    help="Where following links begins: a URL, an id, a number (#12), or core; random unless told.",
)
@click.option(
    "--tries",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="Random initial documents to try.",
)
@click.option(
    "--least",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    help="The share of the documents that a random one must reach.",
)
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    help="Links to follow: a, area, frame, iframe, redirect, canonical; all but the last unless "
    "told. May be given several times.",
)
@click.option("--obey-nofollow", is_flag=True, help="Do not follow links that ask for that.")
@click.option(
    "--edges",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Follow the links in this CSV, TSV or Parquet file (source, target) instead.",
)
@click.option(
    "--level",
    type=click.Choice(["page", "host"]),
    default="page",
    show_default=True,
    help="--edges: whether its columns have addresses or hosts.",
)
@MATCH
@study_options
@every_verb
def graph(workspace: Path, **options: Any) -> None:
    """Tell where in the web of a WORKSPACE duplicates occur (Pereira 2006, Tables 4 to 6).

    Links are followed from an initial document; the part that is reached and the rest are
    clustered each by itself. Exits with 1 if no initial document reaches enough.
    """
    from webecho.cli.study_graph import run_study_graph

    if not run_study_graph(workspace, options):
        sys.exit(FAILED)


@study.command()
@workspace_argument
@click.option(
    "--steps",
    type=int,
    default=50,
    show_default=True,
    help="The parts into which the documents are cut; the paper had 15, 40 and 50.",
)
@MATCH
@click.option(
    "--steps-run",
    default="100%",
    show_default=True,
    callback=part,
    metavar="SHARE",
    help="Run only this share of the steps, such as 20%, and estimate the rest.",
)
@click.option("--go-on", is_flag=True, help="Then run all steps, and tell the error of estimates.")
@click.option(
    "--estimate-from",
    type=click.Path(path_type=Path),
    metavar="WORKSPACE",
    help="Estimate also by the growth of this other collection.",
)
@click.option("--other-steps", type=int, help="Its steps; as many as --steps unless told.")
@study_options
@every_verb
def growth(workspace: Path, **options: Any) -> None:
    """Tell how clusters and duplicates of a WORKSPACE grow step by step (Pereira 2006, Figure 5).

    The documents are cut into parts by chance (--seed); in each step all that are left are looked
    up among those of a part.
    """
    from webecho.cli.study_growth import run_study_growth

    run_study_growth(workspace, options)
