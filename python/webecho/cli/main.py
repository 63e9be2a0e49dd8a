"""The command line: one verb per command.

Results go to standard output, progress and notes to standard error. Exit codes: 0 done, 1 failed,
2 wrong use, 3 done but records could not be read and `--strict` was given, 130 stopped by Ctrl-C,
141 whoever read the output went away, as other programs have it.
"""

import sys
from pathlib import Path
from typing import Any

import click

from webecho.cli.command import SKIPPED, every_verb
from webecho.cli.label_options import evaluate_options, label_options
from webecho.cli.options import (
    dedup_options,
    difference_options,
    hot_options,
    input_format_option,
    inputs_argument,
    reading_options,
    recipe_option,
    rule_options,
    threshold_options,
    workspace_argument,
)
from webecho.cli.study import study
from webecho.group.rules.registry import RULES
from webecho.synthetic.web import FORMS, Web


def shares(
    _: click.Context, __: click.Parameter, values: tuple[str, ...]
) -> tuple[tuple[str, float], ...]:
    """KIND=SHARE, any number of times."""
    split = [value.partition("=") for value in values]
    try:
        return tuple((kind.strip(), float(share)) for kind, _sign, share in split)
    except ValueError as error:
        raise click.BadParameter("give KIND=SHARE, such as parked=0.2") from error


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="webecho")
def main() -> None:
    """Find where a web collection repeats itself."""


main.add_command(study)


@main.command()
@reading_options
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="The folder.")
@rule_options(RULES)
@threshold_options
@dedup_options
@every_verb
def dedup(inputs: tuple[str, ...], out: Path, **options: Any) -> None:
    """Remove the duplicates of the INPUTs, and tell what was removed and why.

    What stays is written to OUT/data in the inputs' own formats; OUT/duplicates.parquet names for
    each page that was removed the one that stays. INPUTs are as for `webecho sketch`.
    """
    from webecho.cli.dedup import run_dedup

    if run_dedup(inputs, out, options) and options["strict"]:
        sys.exit(SKIPPED)


@main.command()
@reading_options
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="The workspace.")
@click.option("--columns", help="Of features,supershingles,projection; or none.")
@click.option("--append", is_flag=True, help="Add the inputs to an existing workspace.")
@click.option("--keep-shingles", is_flag=True, help="Keep the shingle sets for verification.")
@click.option("--paragraphs", is_flag=True, help="Keep the shingle paragraphs, for studies.")
@click.option("--links", is_flag=True, help="Keep the links of the pages, for studies.")
@click.option("--part-pages", type=click.IntRange(1), help="Pages a part; a run resumes by parts.")
@every_verb
def sketch(inputs: tuple[str, ...], out: Path, **options: Any) -> None:
    """Sketch every page of the INPUTs into a workspace.

    An INPUT is a WARC, ARC, WET, WACZ, Parquet, JSONL or CSV file, a folder or glob of those or of
    HTML and text files, an address such as s3://…, or - for JSONL on standard input. A run that was
    stopped goes on where it was when the same command is given again.
    """
    from webecho.cli.sketch import run_sketch

    if run_sketch(inputs, out, options) and options["strict"]:
        sys.exit(SKIPPED)


@main.command()
@workspace_argument
@rule_options(RULES)
@threshold_options
@every_verb
def clusters(workspace: Path, **options: Any) -> None:
    """Group the pages of a WORKSPACE into clusters."""
    from webecho.cli.groups import run_clusters

    if run_clusters(workspace, options) and options["strict"]:
        sys.exit(SKIPPED)


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
@recipe_option
@input_format_option
@difference_options
@every_verb
def diff(left: str, right: str, **options: Any) -> None:
    """Show how alike two pages are, and what differs.

    A and B are files of a page each, HTML or text, or - for standard input; with --in they are the
    addresses, ids or numbers (#12) of pages of an archive, table or folder.
    """
    from webecho.cli.compare import run_diff

    run_diff(left, right, options)


@main.command()
@workspace_argument
@click.argument("one", metavar="URL")
@click.argument("other", metavar="URL")
@difference_options
@every_verb
def why(workspace: Path, one: str, other: str, **options: Any) -> None:
    """Show why two pages of a WORKSPACE are together, and what differs.

    A page is named by its URL, its id, or its number: #12. Rules and, as far as they were found,
    clusters and pairs tell what holds the two together.
    """
    from webecho.cli.compare import run_why

    if run_why(workspace, one, other, options) and options["strict"]:
        sys.exit(SKIPPED)


@main.command()
@workspace_argument
@rule_options(RULES)
@threshold_options
@hot_options
@every_verb
def pairs(workspace: Path, **options: Any) -> None:
    """Find the pairs of pages of a WORKSPACE."""
    from webecho.cli.groups import run_pairs

    if run_pairs(workspace, options) and options["strict"]:
        sys.exit(SKIPPED)


@main.command()
@workspace_argument
@label_options
@every_verb
def label(workspace: Path, rules: tuple[str, ...], **options: Any) -> None:
    """Label a sample of the pairs of a WORKSPACE by hand, in a browser.

    Two pages are shown side by side as text, with what differs marked; keys say whether they are
    correct near-duplicates and why they differ. Labels are on disk when the page says so. The same
    command goes on where you stopped.
    """
    from webecho.cli.label import run_label

    if run_label(workspace, rules, options) and options["strict"]:
        sys.exit(SKIPPED)


@main.command()
@workspace_argument
@evaluate_options
@every_verb
def evaluate(workspace: Path, rules: tuple[str, ...], **options: Any) -> None:
    """Tell from labels how precise the rules are on the pages of a WORKSPACE.

    Shares of correct, incorrect and undecided pairs, each with a 95 % interval, by same site or
    not, B-similarity and C-similarity. Label pairs with `webecho label` first.
    """
    from webecho.cli.evaluate import run_evaluate

    run_evaluate(workspace, rules, options)


@main.command()
@inputs_argument
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="The folder.")
@click.option("--force", is_flag=True, help="Overwrite files that are there already.")
@every_verb
def restore(inputs: tuple[str, ...], out: Path, force: bool, **options: Any) -> None:
    """Bring back the records of WARC files for which `dedup` wrote revisits.

    An INPUT is a WARC file, or a folder or glob of those. The originals that the revisits refer to
    must be in the inputs, in whichever file.
    """
    from webecho.cli.restore import run_restore

    if run_restore(inputs, out, force, options) and options["strict"]:
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
@click.option(
    "--family",
    "families",
    multiple=True,
    callback=shares,
    metavar="KIND=SHARE",
    help="What families are made of, such as 'time stamp=2'; may be given several times.",
)
@click.option(
    "--graph", is_flag=True, help="Make documents of whole paragraphs, linked as a bow tie."
)
@click.option(
    "--component",
    "components",
    multiple=True,
    callback=shares,
    metavar="NAME=SHARE",
    help="--graph: what the bow tie consists of, such as 'core=4'; may be given several times.",
)
@click.option("--force", is_flag=True, help="Replace an earlier made-up web.")
@every_verb
def synth(out: Path, **options: Any) -> None:
    """Make a web up, of which it is known what repeats what.

    OUT becomes a folder with the crawl in OUT/pages and the truth about it in OUT/truth.parquet.
    The same options give the same bytes.
    """
    from webecho.cli.synth import run_synth

    run_synth(out, options)
