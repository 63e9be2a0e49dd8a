"""`webecho.pairs`, of inputs or of a workspace."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from webecho import settings
from webecho.api.clusters import sketched_for
from webecho.api.inputs import (
    as_run,
    check_names,
    recipe_of,
    several,
    warn_of_estimates,
)
from webecho.errors import in_python
from webecho.group.hot_buckets import HotSettings
from webecho.group.measures import MeasureSettings
from webecho.group.pairs import write_pairs
from webecho.group.rules.registry import rule as named_rule
from webecho.workspace.table_files import read_file


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
    run = as_run(threads, memory, seed)
    with sketched_for(chosen, data, recipe, run, reading) as (workspace, again):
        found = write_pairs(
            workspace,
            chosen,
            HotSettings(hot, drawn, seed),
            MeasureSettings(several(measure), measured, seed),
            run=run,
            again=again,
        )
        warn_of_estimates(found.estimated)
        return read_file(found.file)
