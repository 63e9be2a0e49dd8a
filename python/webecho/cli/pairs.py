"""`webecho pairs`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from webecho.cli.command import Shell, rereads, spark_verb
from webecho.cli.options import (
    again_option,
    block,
    drawing_options,
    repetitions_option,
    rule_block,
    seed_option,
    workspace_argument,
)
from webecho.cli.verb_command import VerbCommand
from webecho.group.rules.registry import rules_of_sets

if TYPE_CHECKING:
    from webecho.show.files.drawing import Width

MEASURES = ("difference", "resemblance", "equal-words")
OF_SETS = ", ".join(rules_of_sets())


def pages_or_none(_: click.Context, __: click.Parameter, value: str) -> int | None:
    """A number of pages, or none."""
    try:
        return None if value == "none" else int(value)
    except ValueError as error:
        raise click.BadParameter(f"{value!r} is not a valid integer; give one, or none") from error


# What is done about what very many pages share, and what is measured and told on demand.
hot_options = block(
    click.option(
        "--hot",
        callback=pages_or_none,
        default="5000",
        metavar="INTEGER",
        help=f"{OF_SETS}: a bucket of more pages gives a sample; none: never; default: 5,000.",
    ),
    click.option("--drawn", type=int, help="Pairs that such a bucket gives; default: 100,000."),
    click.option(
        "--measure",
        multiple=True,
        type=click.Choice(MEASURES),
        help="Read the pages again and measure; may be given several times.",
    ),
    click.option("--measured", type=int, help="Of how many pairs, by chance; default: of all."),
    click.option(
        "--given",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        help="Measure the pairs of this CSV, JSONL or Parquet file, two urls, ids or page numbers "
        "a row, instead of finding some.",
    ),
    click.option(
        "--report",
        is_flag=True,
        help=f"{OF_SETS}: print and write the tables and figures of Henzinger 2006.",
    ),
)


@click.command(cls=VerbCommand)
@workspace_argument
@rule_block("similar", several=True)
@hot_options
@repetitions_option
@drawing_options
@again_option
@seed_option
@spark_verb
@rereads
def pairs(
    shell: Shell,
    workspace: Path,
    rule: tuple[str, ...],
    resemblance: float | None,
    equal_words: float | None,
    least_b: int | None,
    least_c: int | None,
    least_c_across: int | None,
    pieces: int | None,
    chunk: str | None,
    shared: int | None,
    most_pages: int | None,
    fingerprint: int | None,
    hot: int | None,
    drawn: int | None,
    measure: tuple[str, ...],
    measured: int | None,
    given: Path | None,
    report: bool,
    repetitions: int,
    width: "Width",
    title: bool,
) -> bool:
    """Find the pairs of pages of a WORKSPACE."""
    from webecho.api.given_pairs import GivenRequest, check_alone, run_given
    from webecho.api.pairs import PairsRequest, run_pairs_by, usual_settings
    from webecho.api.run_record import RunRecord
    from webecho.show.groups import SHOWN, say_estimated, show_given, show_pairs

    parameters = {
        "resemblance": resemblance,
        "equal_words": equal_words,
        "least_b": least_b,
        "least_c": least_c,
        "least_c_across": least_c_across,
        "pieces": pieces,
        "chunk": chunk,
        "shared": shared,
        "most_pages": most_pages,
        "fingerprint": fingerprint,
    }
    most = SHOWN if shell.output == "table" else None
    if given is not None:
        others = {
            "hot": hot,
            "drawn": PairsRequest.drawn if drawn is None else drawn,
            "measured": measured,
            "report": report,
            "repetitions": repetitions,
            "width": width,
            "title": title,
        }
        check_alone(rule, parameters | others, usual_settings())
        with shell.run() as run:
            named = run_given(GivenRequest(workspace, given, measure, most), run)
        say_estimated(named.estimated)
        show_given(named, shell.output)
        return bool(named.problems) or named.estimated is not None
    requests = PairsRequest.by_rules(
        workspace,
        rule,
        parameters,
        hot=hot,
        drawn=PairsRequest.drawn if drawn is None else drawn,
        measure=measure,
        measured=measured,
        seed=shell.seed,
        report=report,
        most=most,
        repetitions=repetitions,
        width=width,
        title=title,
    )
    with shell.run() as run, RunRecord(run, shell.seed) as record:
        found = run_pairs_by(requests, run)
    record.write(workspace, f"pairs {' '.join(each.rule for each in found)}")
    for each in found:
        shell.say_written(each.folder)
        say_estimated(each.estimated)
        shell.say_written(each.file)
    show_pairs(found, shell.output)
    return any(each.estimated is not None for each in found)
