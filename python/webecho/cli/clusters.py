"""`webecho clusters`."""

from pathlib import Path

import click

from webecho.cli.command import Shell, rereads, spark_verb
from webecho.cli.options import again_option, rule_options, workspace_argument
from webecho.cli.verb_command import VerbCommand


@click.command(cls=VerbCommand)
@workspace_argument
@rule_options
@again_option
@spark_verb
@rereads
def clusters(
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
) -> bool:
    """Group the pages of a WORKSPACE into clusters."""
    from webecho.api.clusters import ClustersRequest, run_clusters
    from webecho.api.rules import RuleChoice
    from webecho.api.run_record import RunRecord
    from webecho.show.groups import SHOWN, say_estimated
    from webecho.show.terminal import show

    request = ClustersRequest(
        pages=workspace,
        rule=RuleChoice(
            *(rule, resemblance, least_b, least_c, least_c_across, pieces),
            *(chunk, shared, most_pages, fingerprint),
        ),
        summary=True,
        most=SHOWN if shell.output == "table" else None,
    )
    with shell.run() as run, RunRecord(run, shell.seed) as record:
        found = run_clusters(request, run)
    record.write(workspace, f"clusters {found.rule}")
    say_estimated(found.estimated)
    shell.say_written(found.file)
    show({"rule": found.rule} | found.summary, found.rows, shell.output, "The largest clusters")
    return found.estimated is not None
