"""`webecho.clusters` and `webecho.pairs`, of inputs or of a workspace."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from webecho import settings
from webecho.api.inputs import (
    as_bytes,
    check_names,
    default_threads,
    recipe_of,
    several,
    sketched,
    warn_of_estimates,
)
from webecho.errors import in_python
from webecho.group.clusters import cluster, write_clusters
from webecho.group.measures import MeasureSettings
from webecho.group.pairs import write_pairs
from webecho.group.rules import SIMILARITIES, Rule, page_tables
from webecho.group.rules import rule as named_rule
from webecho.group.similarity import HotSettings


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
    shelved = chosen.name == "similar"
    tables = page_tables(chosen.name)
    with sketched(
        data, recipe, threads, reading, needs(chosen), shelved=shelved, tables=tables
    ) as (workspace, again):
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
    least_b: int | None = None,
    least_c: int | None = None,
    least_c_across: int | None = None,
    pieces: int | None = None,
    hot: int | None = HotSettings.hot,
    drawn: int = HotSettings.drawn,
    measure: str | Sequence[str] = (),
    measured: int | None = None,
    seed: int = 0,
    recipe: str | settings.Recipe | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    **reading: Any,
) -> pa.Table:
    """Every pair of pages that the rule holds together, with what was measured of it.

    Thresholds as in `clusters`. For the rules `b`, `c`, `combined` and `by-site`: a bucket of more
    than `hot` pages gives a sample of `drawn` pairs (None: all pairs, always), and `measure`, of
    `difference` and `resemblance`, reads the pages again, for `measured` of the pairs if not all.
    """
    check_names(pairs, reading)
    chosen = named_rule(
        rule,
        resemblance,
        recipe_of(data, recipe),
        least_b=least_b,
        least_c=least_c,
        least_c_across=least_c_across,
        pieces=pieces,
    )
    shelved = chosen.name == "similar"
    tables = page_tables(chosen.name)
    with sketched(
        data, recipe, threads, reading, needs(chosen), shelved=shelved, tables=tables
    ) as (workspace, again):
        found = write_pairs(
            workspace,
            chosen,
            HotSettings(hot, drawn, seed),
            MeasureSettings(several(measure), measured, seed),
            threads=threads or default_threads(),
            memory=as_bytes(memory),
            again=again,
        )
        warn_of_estimates(found.estimated)
        return pq.read_table(found.file, memory_map=False)


def needs(rule: Rule) -> tuple[str, ...]:
    """The sketch columns that are made for a rule."""
    if rule.name in SIMILARITIES:
        return settings.SKETCH_COLUMNS
    alone = {"exact": (), "paragraphs": (), "similar": ("features",)}
    return alone.get(rule.name, ("supershingles",))
