"""`webecho savings`."""

from pathlib import Path

import click

from webecho.cli.command import Shell, rereads, verb
from webecho.cli.options import OutPath, again_option, rule_block, workspace_argument
from webecho.cli.verb_command import VerbCommand


@click.command(cls=VerbCommand)
@workspace_argument
@rule_block("text")
@click.option(
    "--keep",
    default="first",
    show_default=True,
    help="Which address of a cluster is visited: first, longest, shortest-url, earliest, latest.",
)
@click.option(
    "--least",
    type=float,
    default=0.7,
    show_default=True,
    help="Where the 95 % interval of a URL rule begins, at the least, that goes into lists.",
)
@click.option(
    "--mirrors",
    type=click.Path(path_type=Path, exists=True),
    help="What `study mirrors` wrote, a folder or its table crawler: mirrors to try as URL rules.",
)
@click.option(
    "-o", "--out", type=OutPath(), help="A folder for it; default: WORKSPACE/savings/RULE."
)
@again_option
@verb
@rereads
def savings(
    shell: Shell,
    workspace: Path,
    rule: str,
    resemblance: float | None,
    least_b: int | None,
    least_c: int | None,
    least_c_across: int | None,
    pieces: int | None,
    chunk: str | None,
    shared: int | None,
    most_pages: int | None,
    fingerprint: int | None,
    keep: str,
    least: float,
    mirrors: Path | None,
    out: Path | None,
) -> bool:
    """Tell a crawler which addresses of a WORKSPACE need not be visited.

    Of each cluster one address is visited and the others are left out. What addresses of a host
    have to do with each other is learned from them: parameters that change nothing, folders that
    double another, aliases by www. and by scheme; as lists of patterns for Scrapy and Heritrix.
    """
    from webecho.api.rules import RuleChoice
    from webecho.api.run_record import RunRecord
    from webecho.api.savings import SavingsRequest, run_savings
    from webecho.show.groups import say_estimated
    from webecho.show.savings import show_savings

    request = SavingsRequest(
        pages=workspace,
        rule=RuleChoice(
            *(rule, resemblance, least_b, least_c, least_c_across, pieces),
            *(chunk, shared, most_pages, fingerprint),
        ),
        keep=keep,
        least=least,
        mirrors=mirrors,
        write=True,
        out=out,
    )
    with shell.run() as run, RunRecord(run, shell.seed) as record:
        found = run_savings(request, run)
    record.write(workspace, f"savings {rule}")
    say_estimated(found.savings.estimated)
    shell.say_written(found.folder)
    show_savings(found.savings, shell.output)
    return found.savings.estimated is not None
