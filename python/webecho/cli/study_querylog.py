"""`webecho study querylog`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from webecho.cli.command import Shell, rereads, verb
from webecho.cli.options import WorkspacePath, again_option, block, seed_option
from webecho.cli.study import show_studied, study_options
from webecho.cli.verb_command import VerbCommand

if TYPE_CHECKING:
    from webecho.show.files.drawing import Width


def named(
    _: click.Context, __: click.Parameter, values: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """NAME=FILE, any number of times."""
    split = [value.partition("=") for value in values]
    for name, _sign, file in split:
        if not (name.strip() and file):
            raise click.BadParameter("give NAME=FILE, such as 2004=queries.tsv")
    return tuple((name.strip(), file) for name, _sign, file in split)


def numbers(_: click.Context, __: click.Parameter, value: str) -> tuple[int, ...]:
    """Whole numbers with commas between them."""
    try:
        return tuple(sorted({int(each) for each in value.split(",") if each.strip()}))
    except ValueError as error:
        raise click.BadParameter(f"{value} is no list of numbers; try 5,10,15") from error


log_options = block(
    click.option(
        "--drop",
        type=click.IntRange(0),
        default=1000,
        show_default=True,
        help="So many of the most frequent queries of a log, or of a period, are not used.",
    ),
    click.option(
        "--take",
        type=click.IntRange(1),
        default=15_000,
        show_default=True,
        help="So many of the next queries of a log are used.",
    ),
    click.option(
        "--period",
        default="2mo",
        show_default=True,
        metavar="PERIOD",
        help="Logs with times are also used by periods: 2mo, 3w, 1d, 6h.",
    ),
    click.option(
        "--period-take",
        type=click.IntRange(1),
        default=5000,
        show_default=True,
        help="So many queries of a period are used.",
    ),
    click.option(
        "--around",
        default="1mo",
        show_default=True,
        metavar="PERIOD",
        help="Requests around crawls are not used: 1mo, of the months of fetching; 2mo, and of one "
        "more on either side; 0, while pages were fetched.",
    ),
)


@click.command(cls=VerbCommand)
@click.option(
    "--pair",
    "pairs",
    type=(WorkspacePath(), WorkspacePath()),
    multiple=True,
    required=True,
    metavar="OLD NEW",
    help="The workspaces of an old and of a new collection; any number of times.",
)
@click.option(
    "--queries",
    multiple=True,
    required=True,
    callback=named,
    metavar="NAME=FILE",
    help="A query log: CSV, TSV, JSON lines or Parquet with query, and count or time, or lines of "
    "number:text; any number of times.",
)
@click.option(
    "--real",
    multiple=True,
    metavar="NAME",
    help="The log of the time between the crawls, of all pairs or of each; default: told by times.",
)
@click.option(
    "--ranking",
    multiple=True,
    metavar="FILE",
    help="A table of query, rank and url, of all pairs or of each, in the place of a search.",
)
@log_options
@click.option(
    "--answers",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="So many pages answer a query.",
)
@click.option(
    "--minimal",
    default="5,10,15,20,25,30",
    show_default=True,
    callback=numbers,
    metavar="N,N…",
    help="Minimal numbers of identical paragraphs.",
)
@click.option(
    "--tested",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="The minimal number of tests, cases, parents and children.",
)
@click.option(
    "--permutations",
    type=click.IntRange(0),
    default=1000,
    show_default=True,
    help="How often queries are handed out again by chance (--seed); 0: no tests.",
)
@click.option(
    "--cases",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    help="So many new documents are shown with their sources.",
)
@click.option(
    "--most",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="Paragraphs on more old documents than this are not looked up.",
)
@study_options
@again_option
@seed_option
@verb
@rereads
def querylog(
    shell: Shell,
    pairs: tuple[tuple[Path, Path], ...],
    queries: tuple[tuple[str, str], ...],
    real: tuple[str, ...],
    ranking: tuple[str, ...],
    drop: int,
    take: int,
    period: str,
    period_take: int,
    around: str,
    answers: int,
    minimal: tuple[int, ...],
    tested: int,
    permutations: int,
    cases: int,
    most: int,
    out: Path | None,
    width: "Width",
    title: bool,
) -> None:
    """Tell whether new pages are made from what queries give (Baeza-Yates 2007, section 4).

    Queries of a log are answered from the old collection of a pair; new documents that are composed
    of two answers to one query are counted, with the real log and with others.
    """
    from webecho.api.run_record import RunRecord
    from webecho.api.studies import record_run
    from webecho.api.study_querylog import (
        QueryLogFile,
        StudyQuerylogRequest,
        run_study_querylog,
    )
    from webecho.show.cases import show_cases

    request = StudyQuerylogRequest(
        pairs=pairs,
        queries=tuple(QueryLogFile(*each) for each in queries),
        real=real,
        ranking=ranking,
        drop=drop,
        take=take,
        period=period,
        period_take=period_take,
        around=around,
        answers=answers,
        minimal=minimal,
        tested=tested,
        permutations=permutations,
        cases=cases,
        most=most,
        seed=shell.seed,
        write=True,
        out=out,
        width=width,
        title=title,
    )
    with shell.run() as run, RunRecord(run, shell.seed) as record:
        found = run_study_querylog(request, run)
    paths = [path for pair in pairs for path in pair]
    record_run(record, found.studied, paths, "study querylog")
    show_studied(found.studied, shell)
    show_cases(found.cases, shell.output)
