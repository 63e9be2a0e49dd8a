"""`webecho.clusters` and `webecho.pairs`, of inputs or of a workspace."""

from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from webecho import settings
from webecho.api.inputs import as_bytes, default_threads, sketched, warn_of_estimates
from webecho.errors import in_python
from webecho.group.clusters import cluster, write_clusters
from webecho.group.pairs import write_pairs
from webecho.group.rules import rule as named_rule


@in_python()
def clusters(
    data: Any,
    rule: str = "similar",
    resemblance: float | None = None,
    *,
    recipe: str | settings.Recipe | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    **reading: Any,
) -> pa.Table:
    """Every page with its cluster (named by the cluster's lowest page), its size, url and id."""
    chosen = named_rule(rule, resemblance)
    shelved = chosen.name == "similar"
    with sketched(data, recipe, threads, reading, shelved=shelved) as (workspace, again):
        found = cluster(
            workspace,
            chosen,
            threads=threads or default_threads(),
            memory=as_bytes(memory),
            again=again,
        )
        warn_of_estimates(found.estimated)
        return pq.read_table(write_clusters(workspace, chosen, found), memory_map=False)


@in_python()
def pairs(
    data: Any,
    rule: str = "similar",
    resemblance: float | None = None,
    *,
    recipe: str | settings.Recipe | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    **reading: Any,
) -> pa.Table:
    """Every pair of pages that the rule holds together, with what was measured of it."""
    chosen = named_rule(rule, resemblance)
    shelved = chosen.name == "similar"
    with sketched(data, recipe, threads, reading, shelved=shelved) as (workspace, again):
        found = write_pairs(
            workspace,
            chosen,
            threads=threads or default_threads(),
            memory=as_bytes(memory),
            again=again,
        )
        warn_of_estimates(found.estimated)
        return pq.read_table(found.file, memory_map=False)
