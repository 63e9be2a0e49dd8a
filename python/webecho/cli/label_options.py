"""The options of the verbs that label pairs and judge rules by labels."""

from getpass import getuser
from pathlib import Path

import click

from webecho.cli.options import Option, block


def labels_option(exists: bool) -> Option:
    """The file that labels are added to, or that must be there to be read."""
    return click.option(
        "--labels",
        type=click.Path(path_type=Path, exists=exists, dir_okay=not exists),
        help="The file of labels; WORKSPACE/labels/labels.jsonl unless told.",
    )


label_options = block(
    click.option(
        "--rule",
        "rules",
        multiple=True,
        help="Whose pairs are sampled, such as b or c-372; may be given several times.",
    ),
    click.option(
        "--sample", type=click.IntRange(1), default=500, show_default=True, help="Pairs to label."
    ),
    click.option("--labeller", default=getuser, help="Who labels; your user name unless told."),
    labels_option(exists=False),
    click.option(
        "--host", default="127.0.0.1", show_default=True, help="The address to be reached by."
    ),
    click.option("--port", type=click.IntRange(0, 65535), default=0, help="0: any that is free."),
    click.option(
        "--import",
        "imported",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        help="Take labels in from a CSV or JSONL file instead.",
    ),
    click.option(
        "--from-truth",
        type=click.Path(path_type=Path, exists=True),
        help="Label the sample as the truth of this made-up web has it instead.",
    ),
    click.option(
        "--guess", is_flag=True, help="Guess the labels of the sample instead, and say so."
    ),
    click.option("--agreement", is_flag=True, help="Tell how far labellers agree instead."),
)

evaluate_options = block(
    labels_option(exists=True),
    click.option(
        "--sample",
        "samples",
        multiple=True,
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        help="The sample that was labelled; all in WORKSPACE/labels unless told.",
    ),
    click.option(
        "--rule",
        "rules",
        multiple=True,
        help="Which rule, such as b or combined-2-360; may be given several times; all unless "
        "told.",
    ),
    click.option("--compare", nargs=2, metavar="RULE RULE", help="Put two rules side by side."),
    click.option(
        "--equal-recall",
        metavar="RULE",
        help="Find the C threshold at which c has as many correct pairs as this rule, such as b.",
    ),
    click.option(
        "--least-r",
        type=click.FloatRange(0, 1),
        default=0.8,
        show_default=True,
        help="The share of the correct pairs of b that a chosen C threshold must leave.",
    ),
    click.option(
        "--truth",
        type=click.Path(path_type=Path, exists=True),
        help="A made-up web, or a CSV, JSONL or Parquet file of correct pairs: tell the recall "
        "too.",
    ),
    click.option("--measure", is_flag=True, help="Measure term differences where nobody did."),
    click.option(
        "--all", "all_tables", is_flag=True, help="Print all tables, not the answer only."
    ),
)
