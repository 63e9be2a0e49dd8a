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
from webecho.made_up.web import FORMS, Web
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


@main.command()
@click.argument("workspace", type=click.Path(path_type=Path))
@rule_options
@every_verb
def pairs(workspace: Path, name: str, resemblance: float | None, **options: Any) -> None:
    """Find the pairs of pages of a WORKSPACE."""
    from webecho.verbs import run_pairs

    if run_pairs(workspace, name, resemblance, options) and options["strict"]:
        sys.exit(SKIPPED)


@main.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--pages", type=int, default=Web.pages, show_default=True, help="Pages to make.")
@click.option(
    "--as",
    "form",
    type=click.Choice(FORMS),
    default=Web.form,
    show_default=True,
    help="The form of the crawl.",
)
@click.option(
    "--words", type=int, default=Web.words, show_default=True, help="Mean words of text a page."
)
@click.option(
    "--power",
    type=float,
    default=Web.power,
    show_default=True,
    help="Families of n pages are as frequent as n to the minus this.",
)
@click.option(
    "--duplicates",
    type=float,
    default=Web.duplicates,
    show_default=True,
    help="Share of the pages that are made from another one.",
)
@click.option("--force", is_flag=True, help="Replace an earlier made-up web.")
@every_verb
def synth(out: Path, **options: Any) -> None:
    """Make a web up, of which it is known what repeats what.

    OUT becomes a folder with the crawl in OUT/pages and the truth about it in OUT/truth.parquet.
    The same options give the same bytes.
    """
    from webecho.verbs import run_synth

    run_synth(out, options)
