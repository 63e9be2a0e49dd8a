"""`webecho study …`: one command a study; each writes tables and figures, and prints the tables."""

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from webecho.cli.command import Shell
from webecho.cli.options import (
    Command,
    OutPath,
    RefusedError,
    WorkspacePath,
    block,
    drawing_options,
)
from webecho.cli.verb_command import VerbGroup

if TYPE_CHECKING:
    from webecho.api.studies import Studied


@click.group(cls=VerbGroup)
def study() -> None:
    """Rerun a paper's study on collections of your own."""


def free(context: click.Context, _: click.Parameter, value: Path | None) -> Path | None:
    """A folder for what a study writes: nothing else's, nor another study's."""
    if value is None:
        return None
    # Loading Arrow would make `--help` slow.
    from webecho.api.inputs import names_workspace

    if value.exists() and not value.is_dir():
        raise click.BadParameter(f"{value} is no folder; give another")
    if names_workspace(value):
        raise click.BadParameter(f"{value} is a workspace; give another folder, or none")
    # Before the work is done, and not after it.
    from webecho.api.studies import study_held

    there = study_held(value)
    if there is not None and there != context.command.name:
        raise click.BadParameter(f"{value} holds a study of {there}; give another folder")
    return value


workspaces_argument = click.argument(
    "workspaces",
    nargs=-1,
    required=True,
    type=WorkspacePath(),
    metavar="WORKSPACE…",
)


def study_options(command: Command) -> Command:
    """What all studies have: where their tables and figures go, and how these are drawn."""

    @functools.wraps(command)
    def called(*, force: bool, **options: Any) -> None:
        out: Path | None = options["out"]
        if out is not None and not force:
            pairs = (path for pair in options.get("pairs", ()) for path in pair)
            other = options.get("estimate_from")
            workspaces = [*options.get("workspaces", ()), *pairs, *([other] if other else [])]
            unreplaced(out, [*dict.fromkeys(workspaces)])
        command(**options)

    return out_options(called)


def unreplaced(out: Path, workspaces: list[Path]) -> None:
    """Refuses a folder with a study of other collections, before the work is done."""
    # Loading Arrow would make `--help` slow.
    from webecho.api.studies import check_replaced
    from webecho.errors import InputError, WorkspaceError

    try:
        check_replaced(workspaces, out)
    except InputError as error:
        raise click.UsageError(error.for_command_line()) from error
    except WorkspaceError as error:
        raise RefusedError(error.for_command_line()) from error


out_options = block(
    click.option(
        "-o",
        "--out",
        type=OutPath(),
        callback=free,
        help="The folder for tables and figures; default, of one: WORKSPACE/studies/<study>.",
    ),
    click.option(
        "--force", is_flag=True, help="Write over a study of other collections in that folder."
    ),
    drawing_options,
)


match_option = click.option(
    "--match",
    type=click.Choice(["multiset", "paper"]),
    default="multiset",
    show_default=True,
    help="paper: repeated paragraphs count once, as Pereira 2006 has it.",
)


def show_studied(found: "Studied", shell: Shell) -> None:
    """Tells where a study is, and prints its tables."""
    from webecho.show.studies import show_study

    shell.say_written(found.folder)
    show_study(found.study, found.folder, shell.output, quiet=shell.quiet)
