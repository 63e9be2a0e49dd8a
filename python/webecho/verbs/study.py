"""`webecho study …`: one command a study; each writes tables and figures, and prints the tables."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from webecho.verbs.every import every_verb


@click.group()
def study() -> None:
    """Rerun a paper's study on collections of your own."""


def study_options(command: Callable[..., None]) -> Callable[..., None]:
    """What all studies have: where their tables and figures go."""
    return click.option(
        "-o",
        "--out",
        type=click.Path(path_type=Path),
        help="The folder for tables and figures; WORKSPACE/studies/<study> unless told.",
    )(command)


@study.command()
@click.argument(
    "workspaces",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path),
    metavar="WORKSPACE…",
)
@click.option(
    "--match",
    type=click.Choice(["multiset", "paper"]),
    default="multiset",
    show_default=True,
    help="paper: repeated paragraphs count once, as Pereira 2006 has it.",
)
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
    from webecho.verbs.study_duplicates import run_study_duplicates

    run_study_duplicates(workspaces, options)
