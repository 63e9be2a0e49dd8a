"""`webecho evaluate`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webecho.cli.command import FAILED, Shell, rereads, verb
from webecho.cli.options import (
    again_option,
    block,
    drawing_options,
    labels_option,
    seed_option,
    workspace_argument,
)
from webecho.cli.verb_command import VerbCommand

if TYPE_CHECKING:
    from webecho.show.files.drawing import Width

evaluate_options = block(
    labels_option(exists=True),
    click.option(
        "--sample",
        "samples",
        multiple=True,
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        help="The sample that was labelled; default: all in WORKSPACE/labels.",
    ),
    click.option(
        "--rule",
        "rules",
        multiple=True,
        help="Which rule, such as b or combined-2-360; may be given several times; default: all.",
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
    click.option(
        "--precision",
        type=click.FloatRange(0, 1),
        default=0.95,
        show_default=True,
        help="Choose the lowest threshold of similar, edited, b or c that has this precision.",
    ),
    click.option(
        "--require-precision",
        type=click.FloatRange(0, 1),
        help="Exit with 1 if the lower end of a rule's interval is below; name rules by --rule.",
    ),
    click.option("--measure", is_flag=True, help="Measure term differences where nobody did."),
    click.option(
        "--all", "all_tables", is_flag=True, help="Print all tables, not the answer only."
    ),
)


@click.command(cls=VerbCommand)
@workspace_argument
@evaluate_options
@drawing_options
@again_option
@seed_option
@verb
@rereads
def evaluate(
    shell: Shell,
    workspace: Path,
    rules: tuple[str, ...],
    labels: Path | None,
    samples: tuple[Path, ...],
    compare: tuple[str, str] | None,
    equal_recall: str | None,
    least_r: float,
    truth: Path | None,
    precision: float,
    require_precision: float | None,
    measure: bool,
    all_tables: bool,
    width: "Width",
    title: bool,
) -> None:
    """Tell from labels how precise the rules are on the pages of a WORKSPACE.

    Shares of correct, incorrect and undecided pairs, each with a 95 % interval, by same site or
    not, B-similarity and C-similarity. Label pairs with `webecho label` first.
    """
    from webecho.api.evaluate import EvaluateRequest, run_evaluate
    from webecho.safe_text import plain
    from webecho.show.evaluation import show_evaluation
    from webecho.show.terminal import say

    request = EvaluateRequest(
        workspace=workspace,
        rules=rules,
        labels=labels,
        samples=samples,
        compare=compare,
        equal_recall=equal_recall,
        least_r=least_r,
        measure=measure,
        truth=truth,
        precision=precision,
        require_precision=require_precision,
        seed=shell.seed,
        write=True,
        width=width,
        title=title,
    )
    with shell.run() as run:
        found = run_evaluate(request, run)
    unsaid = found.evaluation.hints if shell.quiet else ()
    for line in found.evaluation.notes:
        if line not in unsaid:
            say(f"webecho: {plain(line)}")
    shell.say_written(found.folder)
    show_evaluation(found.evaluation, shell.output, all_tables, found.folder)
    for each in found.evaluation.required:
        say(f"webecho: {plain(str(each))}")
    if not found.evaluation.met:
        sys.exit(FAILED)
