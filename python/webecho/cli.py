"""The command line: one verb per command.

Results go to standard output, progress and notes to standard error. Exit codes: 0 done, 1 failed,
2 wrong use, 3 done but records could not be read and `--strict` was given.
"""

import functools
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from webecho.group.rules import RULES
from webecho.settings import RECIPES

FAILED, SKIPPED = 1, 3

UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


def size(_: click.Context, __: click.Parameter, value: str | None) -> int | None:
    """A number of bytes: 500MB, 2G, 1.5 GB."""
    if value is None:
        return None
    found = re.fullmatch(r"\s*(\d+\.?\d*)\s*([kmgt]?)b?\s*", value.lower())
    if not found:
        raise click.BadParameter(f"{value!r} is no size; try 500MB or 2GB")
    return int(float(found[1]) * UNITS[found[2]])


def converters(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """TYPE=COMMAND, any number of times."""
    split = [value.partition("=") for value in values]
    for kind, _sign, command in split:
        if not (kind and command):
            raise click.BadParameter("give TYPE=COMMAND, such as application/pdf='pdftotext - -'")
    return {kind: command for kind, _sign, command in split}


def every_verb(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a verb the options that all have, and turns errors into messages and exit codes."""

    @click.option("--threads", type=click.IntRange(1), help="Threads to use; all cores by default.")
    @click.option("--memory", callback=size, help="Memory to keep within, such as 2GB.")
    @click.option("--seed", type=int, default=0, show_default=True, help="For what is random.")
    @click.option("--quiet", is_flag=True, help="No progress and no notes.")
    @click.option(
        "--format",
        "output",
        type=click.Choice(["table", "json", "csv"]),
        default="table",
        show_default=True,
        help="How results are printed.",
    )
    @click.option(
        "--strict",
        is_flag=True,
        help="Exit with 3 if records could not be read, or resemblances only be estimated.",
    )
    @functools.wraps(command)
    def run(**options: Any) -> None:
        from webecho.errors import SettingsError, WebechoError

        try:
            command(**options)
        except SettingsError as error:
            raise click.UsageError(str(error)) from error
        except WebechoError as error:
            click.echo(f"webecho: {error}", err=True)
            sys.exit(FAILED)
        except BrokenPipeError:
            raise  # whoever read the results has enough; click ends quietly
        except OSError as error:
            reason = error.strerror or str(error)
            where = f"{error.filename}: " if error.filename else ""
            click.echo(f"webecho: {where}{reason}; mend that and give the same command", err=True)
            sys.exit(FAILED)

    return run


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="webecho")
def main() -> None:
    """Find where a web collection repeats itself."""


@main.command()
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT…")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="The workspace.")
@click.option(
    "--recipe",
    default="webecho",
    show_default=True,
    help=f"How pages are sketched: {', '.join(RECIPES)}.",
)
@click.option("--columns", help="Of features,supershingles,projection; or none.")
@click.option("--append", is_flag=True, help="Add the inputs to an existing workspace.")
@click.option("--keep-shingles", is_flag=True, help="Keep the shingle sets for verification.")
@click.option("--text", help="The column with the text.")
@click.option("--html", help="The column with the HTML.")
@click.option("--url", help="The column with the address.")
@click.option("--id", help="The column with your own id.")
@click.option("--date", help="The column with the date.")
@click.option("--status", "statuses", multiple=True, type=int, help="WARC: wanted HTTP status.")
@click.option("--type", "types", multiple=True, help="WARC: wanted content type.")
@click.option(
    "--convert", multiple=True, callback=converters, help="TYPE=COMMAND: pipe a type through it."
)
@click.option("--input-format", help="The format of the inputs, where their names do not tell.")
@click.option("--part-pages", type=click.IntRange(1), help="Pages a part; a run resumes by parts.")
@every_verb
def sketch(inputs: tuple[str, ...], out: Path, **options: Any) -> None:
    """Sketch every page of the INPUTs into a workspace.

    An INPUT is a WARC, ARC, WET, WACZ, Parquet, JSONL or CSV file, a folder or glob of those or of
    HTML and text files, an address such as s3://…, or - for JSONL on standard input. A run that was
    stopped goes on where it was when the same command is given again.
    """
    from webecho.verbs import run_sketch

    if run_sketch(inputs, out, options) and options["strict"]:
        sys.exit(SKIPPED)


def rule_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options of verbs that group pages by a rule."""
    command = click.option(
        "--resemblance",
        type=click.FloatRange(0, 1, min_open=True),
        help="For similar; 0.8 unless told.",
    )(command)
    return click.option(
        "--rule",
        "name",
        type=click.Choice(RULES),
        default="similar",
        show_default=True,
        help="When two pages belong together.",
    )(command)


@main.command()
@click.argument("workspace", type=click.Path(path_type=Path))
@rule_options
@every_verb
def clusters(workspace: Path, name: str, resemblance: float | None, **options: Any) -> None:
    """Group the pages of a WORKSPACE into clusters."""
    from webecho.verbs import run_clusters

    if run_clusters(workspace, name, resemblance, options) and options["strict"]:
        sys.exit(SKIPPED)


def difference_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options of verbs that compare two pages."""
    command = click.option(
        "--context",
        type=click.IntRange(0),
        default=8,
        show_default=True,
        help="Equal words that are shown next to a change.",
    )(command)
    command = click.option(
        "--side-by-side", "layout", flag_value="side-by-side", help="The pages next to each other."
    )(command)
    command = click.option(
        "--unified",
        "layout",
        flag_value="unified",
        default="unified",
        help="Both pages in one text; the default.",
    )(command)
    return click.option(
        "--resemblance",
        type=click.FloatRange(0, 1, min_open=True),
        help="What the rule similar asks for; 0.8 unless told.",
    )(command)


@main.command()
@click.argument("left", metavar="A")
@click.argument("right", metavar="B")
@click.option(
    "--in",
    "inside",
    multiple=True,
    metavar="INPUT",
    help="What A and B are pages of; may be given several times.",
)
@click.option(
    "--recipe",
    default="webecho",
    show_default=True,
    help=f"How pages are sketched: {', '.join(RECIPES)}.",
)
@click.option("--input-format", help="The format of the files, where their names do not tell.")
@difference_options
@every_verb
def diff(left: str, right: str, **options: Any) -> None:
    """Show how alike two pages are, and what differs.

    A and B are files of a page each, HTML or text, or - for standard input; with --in they are the
    addresses, ids or numbers (#12) of pages of an archive, table or folder.
    """
    from webecho.verbs import run_diff

    run_diff(left, right, options)


@main.command()
@click.argument("workspace", type=click.Path(path_type=Path))
@click.argument("one", metavar="URL")
@click.argument("other", metavar="URL")
@difference_options
@every_verb
def why(workspace: Path, one: str, other: str, **options: Any) -> None:
    """Show why two pages of a WORKSPACE are together, and what differs.

    A page is named by its URL, its id, or its number: #12. Rules and, as far as they were found,
    clusters and pairs tell what holds the two together.
    """
    from webecho.verbs import run_why

    if run_why(workspace, one, other, options) and options["strict"]:
        sys.exit(SKIPPED)


@main.command()
@click.argument("workspace", type=click.Path(path_type=Path))
@rule_options
@every_verb
def pairs(workspace: Path, name: str, resemblance: float | None, **options: Any) -> None:
    """Find the pairs of pages of a WORKSPACE."""
    from webecho.verbs import run_pairs

    if run_pairs(workspace, name, resemblance, options) and options["strict"]:
        sys.exit(SKIPPED)
