"""The command line: one verb per command.

Results go to standard output, progress and notes to standard error. Exit codes: 0 done, 1 failed,
2 wrong use, 3 done but records could not be read and `--strict` was given, 130 stopped by Ctrl-C,
141 whoever read the output went away, as other programs have it.
"""

import sys
from collections.abc import Callable
from getpass import getuser
from pathlib import Path
from typing import Any

import click

from webecho.group.rules import KEEPS, LINKS, REMOVING, RULES, WITHIN
from webecho.made_up.web import FORMS, Web
from webecho.settings import RECIPES
from webecho.verbs.every import SKIPPED, every_verb
from webecho.verbs.options import hot_options, rule_options, threshold_options
from webecho.verbs.study import study


def converters(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """TYPE=COMMAND, any number of times."""
    split = [value.partition("=") for value in values]
    for kind, _sign, command in split:
        if not (kind and command):
            raise click.BadParameter("give TYPE=COMMAND, such as application/pdf='pdftotext - -'")
    return {kind: command for kind, _sign, command in split}


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


def reading_options(command: Callable[..., None]) -> Callable[..., None]:
    """The inputs of verbs that read a collection, and how they are read and sketched."""
    for option in reversed(
        (
            click.argument("inputs", nargs=-1, required=True, metavar="INPUT…"),
            click.option(
                "--recipe",
                default="webecho",
                show_default=True,
                help=f"How pages are sketched: {', '.join(RECIPES)}.",
            ),
            click.option("--text", help="The column with the text."),
            click.option("--html", help="The column with the HTML."),
            click.option("--url", help="The column with the address."),
            click.option("--id", help="The column with your own id."),
            click.option("--date", help="The column with the date."),
            click.option(
                "--status", "statuses", multiple=True, type=int, help="WARC: wanted HTTP status."
            ),
            click.option("--type", "types", multiple=True, help="WARC: wanted content type."),
            click.option(
                "--convert",
                multiple=True,
                callback=converters,
                help="TYPE=COMMAND: pipe a type through it.",
            ),
            click.option(
                "--input-format", help="The format of the inputs, where their names do not tell."
            ),
        )
    ):
        command = option(command)
    return command


@main.command()
@reading_options
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="The folder.")
@rule_options(REMOVING)
@click.option(
    "--link",
    type=click.Choice(LINKS),
    default="kept",
    show_default=True,
    help="kept: what goes is similar to the page named for it; chain: to one that is similar.",
)
@click.option(
    "--keep",
    default="first",
    show_default=True,
    help=f"Which page stays: {', '.join(KEEPS)}.",
)
@click.option(
    "--within",
    type=click.Choice(WITHIN),
    default="collection",
    show_default=True,
    help="Compare pages only within the same host or site.",
)
@click.option("--by", help="Compare pages only within the same value of this column.")
@click.option("--revisit", is_flag=True, help="WARC: leave a revisit record for an exact copy.")
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    help="Remove also what this earlier workspace has.",
)
@click.option(
    "--append-kept", is_flag=True, help="Add what stays to the workspace of --against afterwards."
)
@click.option("--dry-run", is_flag=True, help="Read a sample and say what the run will need.")
@click.option("--limit", type=click.IntRange(1), help="--dry-run: pages to read, about.")
@click.option(
    "--sample",
    type=click.FloatRange(0, 1, min_open=True),
    help="--dry-run: share of each input to read.",
)
@click.option("--force", is_flag=True, help="Replace what an earlier dedup wrote there.")
@every_verb
def dedup(inputs: tuple[str, ...], out: Path, **options: Any) -> None:
    """Remove the duplicates of the INPUTs, and tell what was removed and why.

    What stays is written to OUT/data in the inputs' own formats; OUT/duplicates.parquet names for
    each page that was removed the one that stays. INPUTs are as for `webecho sketch`.
    """
    from webecho.verbs.dedup import run_dedup

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
    from webecho.verbs.sketch import run_sketch

    if run_sketch(inputs, out, options) and options["strict"]:
        sys.exit(SKIPPED)


@main.command()
@click.argument("workspace", type=click.Path(path_type=Path))
@rule_options(RULES)
@threshold_options
@every_verb
def clusters(workspace: Path, **options: Any) -> None:
    """Group the pages of a WORKSPACE into clusters."""
    from webecho.verbs.groups import run_clusters

    if run_clusters(workspace, options) and options["strict"]:
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
    from webecho.verbs.comparison import run_diff

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
    from webecho.verbs.comparison import run_why

    if run_why(workspace, one, other, options) and options["strict"]:
        sys.exit(SKIPPED)


@main.command()
@click.argument("workspace", type=click.Path(path_type=Path))
@rule_options(RULES)
@threshold_options
@hot_options
@every_verb
def pairs(workspace: Path, **options: Any) -> None:
    """Find the pairs of pages of a WORKSPACE."""
    from webecho.verbs.groups import run_pairs

    if run_pairs(workspace, options) and options["strict"]:
        sys.exit(SKIPPED)


@main.command()
@click.argument("workspace", type=click.Path(path_type=Path))
@click.option(
    "--rule",
    "rules",
    multiple=True,
    help="Whose pairs are sampled, such as b or c-372; may be given several times.",
)
@click.option(
    "--sample", type=click.IntRange(1), default=500, show_default=True, help="Pairs to label."
)
@click.option("--labeller", default=getuser, help="Who labels; your user name unless told.")
@click.option(
    "--labels",
    type=click.Path(path_type=Path),
    help="The file of labels; WORKSPACE/labels/labels.jsonl unless told.",
)
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="The address to be reached by."
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="0: any that is free.")
@click.option(
    "--import",
    "imported",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Take labels in from a CSV or JSONL file instead.",
)
@click.option(
    "--from-truth",
    type=click.Path(path_type=Path, exists=True),
    help="Label the sample as the truth of this made-up web has it instead.",
)
@click.option("--guess", is_flag=True, help="Guess the labels of the sample instead, and say so.")
@click.option("--agreement", is_flag=True, help="Tell how far labellers agree instead.")
@every_verb
def label(workspace: Path, rules: tuple[str, ...], **options: Any) -> None:
    """Label a sample of the pairs of a WORKSPACE by hand, in a browser.

    Two pages are shown side by side as text, with what differs marked; keys say whether they are
    correct near-duplicates and why they differ. Labels are on disk when the page says so. The same
    command goes on where you stopped.
    """
    from webecho.verbs.label import run_label

    if run_label(workspace, rules, options) and options["strict"]:
        sys.exit(SKIPPED)


@main.command()
@click.argument("workspace", type=click.Path(path_type=Path))
@click.option(
    "--labels",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The file of labels; WORKSPACE/labels/labels.jsonl unless told.",
)
@click.option(
    "--sample",
    "samples",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The sample that was labelled; all in WORKSPACE/labels unless told.",
)
@click.option(
    "--rule",
    "rules",
    multiple=True,
    help="Which rule, such as b or combined-2-360; may be given several times; all unless told.",
)
@click.option("--compare", nargs=2, metavar="RULE RULE", help="Put two rules side by side.")
@click.option(
    "--equal-recall",
    metavar="RULE",
    help="Find the C threshold at which c has as many correct pairs as this rule, such as b.",
)
@click.option(
    "--least-r",
    type=click.FloatRange(0, 1),
    default=0.8,
    show_default=True,
    help="The share of the correct pairs of b that a chosen C threshold must leave.",
)
@click.option(
    "--truth",
    type=click.Path(path_type=Path, exists=True),
    help="A made-up web, or a CSV, JSONL or Parquet file of correct pairs: tell the recall too.",
)
@click.option("--measure", is_flag=True, help="Measure term differences where nobody did.")
@every_verb
def evaluate(workspace: Path, rules: tuple[str, ...], **options: Any) -> None:
    """Tell from labels how precise the rules are on the pages of a WORKSPACE.

    Shares of correct, incorrect and undecided pairs, each with a 95 % interval, by same site or
    not, B-similarity and C-similarity. Label pairs with `webecho label` first.
    """
    from webecho.verbs.evaluate import run_evaluate

    run_evaluate(workspace, rules, options)


@main.command()
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT…")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="The folder.")
@click.option("--force", is_flag=True, help="Overwrite files that are there already.")
@every_verb
def restore(inputs: tuple[str, ...], out: Path, force: bool, **options: Any) -> None:
    """Bring back the records of WARC files for which `dedup` wrote revisits.

    An INPUT is a WARC file, or a folder or glob of those. The originals that the revisits refer to
    must be in the inputs, in whichever file.
    """
    from webecho.verbs.restore import run_restore

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
    from webecho.verbs.synth import run_synth

    run_synth(out, options)
