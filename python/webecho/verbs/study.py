"""`webecho study …`: one command a study; each writes tables and figures, and prints the tables."""

from collections.abc import Callable
from pathlib import Path

import click


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
