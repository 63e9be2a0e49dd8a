"""`webecho synth`."""

from pathlib import Path

import click

from webecho.cli.command import Shell, verb
from webecho.cli.options import OutPath, seed_option
from webecho.cli.verb_command import VerbCommand
from webecho.synthetic.web import FORMS, Form, Web


def shares(
    _: click.Context, __: click.Parameter, values: tuple[str, ...]
) -> tuple[tuple[str, float], ...]:
    """KIND=SHARE, any number of times."""
    split = [value.partition("=") for value in values]
    try:
        return tuple((kind.strip(), float(share)) for kind, _sign, share in split)
    except ValueError as error:
        raise click.BadParameter("give KIND=SHARE, such as parked=0.2") from error


def losses(
    _: click.Context, __: click.Parameter, values: tuple[str, ...]
) -> tuple[tuple[int, float], ...]:
    """SNAPSHOT=SHARE, any number of times."""
    split = [value.partition("=") for value in values]
    try:
        return tuple((int(snapshot), float(share)) for snapshot, _sign, share in split)
    except ValueError as error:
        raise click.BadParameter("give SNAPSHOT=SHARE, such as 3=0.25") from error


@click.command(cls=VerbCommand)
@click.argument("out", type=OutPath())
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
@click.option(
    "--passages", type=int, default=0, help="Passages that otherwise different pages share."
)
@click.option("--popular", type=int, default=0, help="Manuals that many servers have.")
@click.option("--aliases", type=int, default=0, help="Groups of other names of servers and pages.")
@click.option(
    "--url-rules", type=int, default=0, help="Hosts whose addresses tell the same content."
)
@click.option("--questions", type=int, default=0, help="Questions, most of which stand in pages.")
@click.option(
    "--snapshots", type=int, default=Web.snapshots, help="Crawls of the web, as it changes."
)
@click.option(
    "--days",
    type=int,
    default=Web.days,
    show_default=True,
    help="--snapshots: from one to the next.",
)
@click.option(
    "--mirrors", type=int, help="--snapshots: groups of hosts that repeat each other, or seem to."
)
@click.option(
    "--followers", type=int, help="--snapshots: URLs that leave their cluster and return."
)
@click.option(
    "--lost",
    multiple=True,
    callback=losses,
    metavar="SNAPSHOT=SHARE",
    help="--snapshots: share of the hosts that one lacks; may be given several times.",
)
@click.option("--reuse", is_flag=True, help="--snapshots: new pages are composed of old ones.")
@click.option(
    "--copies",
    type=float,
    default=Web.copies,
    show_default=True,
    help="--reuse: share of the new pages that are composed of old ones.",
)
@click.option(
    "--through-queries",
    type=float,
    default=Web.through_queries,
    show_default=True,
    help="--reuse: share of these that were found by a query.",
)
@click.option("--force", is_flag=True, help="Replace an earlier made-up web.")
@seed_option
@verb
def synth(
    shell: Shell,
    out: Path,
    pages: int,
    form: Form,
    words: int,
    power: float,
    duplicates: float,
    families: tuple[tuple[str, float], ...],
    graph: bool,
    components: tuple[tuple[str, float], ...],
    passages: int,
    popular: int,
    aliases: int,
    url_rules: int,
    questions: int,
    snapshots: int,
    days: int,
    mirrors: int | None,
    followers: int | None,
    lost: tuple[tuple[int, float], ...],
    reuse: bool,
    copies: float,
    through_queries: float,
    force: bool,
) -> None:
    """Make a web up, of which it is known what repeats what.

    OUT becomes a folder with the crawl in OUT/pages and the truth about it in OUT/truth.parquet;
    with several snapshots these are in OUT/1, OUT/2 and so on.
    The same options give the same bytes.
    """
    from webecho.api.synth import SynthRequest, run_synth
    from webecho.show.terminal import show

    request = SynthRequest(
        out=out,
        pages=pages,
        seed=shell.seed,
        form=form,
        words=words,
        power=power,
        duplicates=duplicates,
        families=families or Web.families,
        graph=graph,
        components=components or Web.components,
        passages=passages,
        popular=popular,
        aliases=aliases,
        url_rules=url_rules,
        questions=questions,
        snapshots=snapshots,
        days=days,
        mirrors=mirrors,
        followers=followers,
        lost=lost,
        reuse=reuse,
        copies=copies,
        through_queries=through_queries,
        force=force,
    )
    with shell.run() as run:
        found = run_synth(request, run)
    show(found.summary | found.places, found.kinds, shell.output, "What was planted")
