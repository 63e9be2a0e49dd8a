"""`webecho.clusters`, of inputs or of a workspace."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

import pyarrow as pa

from webecho import settings
from webecho.api.inputs import (
    as_run,
    check_names,
    recipe_of,
    sketched,
    warn_of_estimates,
)
from webecho.errors import in_python
from webecho.group.clusters import write_clusters
from webecho.group.rules.registry import rule as named_rule
from webecho.group.rules.rule import Rule
from webecho.run import Run
from webecho.workspace.reread import Reread
from webecho.workspace.table_files import read_file
from webecho.workspace.workspace import Workspace


@in_python()
def clusters(
    data: Any,
    rule: str = "similar",
    resemblance: float | None = None,
    *,
    least_b: int | None = None,
    least_c: int | None = None,
    least_c_across: int | None = None,
    recipe: str | settings.Recipe | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    **reading: Any,
) -> pa.Table:
    """Every page with its cluster (named by the cluster's lowest page), its size, url and id.

    `least_b` and `least_c` say how many supershingles and bits must agree for the rules `b`, `c`,
    `combined` and `by-site`, `least_c_across` how many bits on different sites.
    """
    check_names(clusters, reading)
    chosen = named_rule(
        rule,
        resemblance,
        recipe_of(data, recipe),
        least_b=least_b,
        least_c=least_c,
        least_c_across=least_c_across,
    )
    run = as_run(threads, memory)
    with sketched_for(chosen, data, recipe, run, reading) as (workspace, again):
        found = run.engine.clusters(workspace, chosen, run, again)
        warn_of_estimates(found.estimated)
        return read_file(write_clusters(workspace, chosen, found))


def sketched_for(
    rule: Rule,
    data: Any,
    recipe: str | settings.Recipe | None,
    run: Run,
    reading: Mapping[str, Any],
) -> AbstractContextManager[tuple[Workspace, Reread | None]]:
    """The workspace that `data` is, or a temporary one with what the rule looks at."""
    return sketched(
        data,
        recipe,
        run,
        reading,
        rule.sketched,
        shelved=rule.compares_shingles,
        tables=rule.tables,
    )
