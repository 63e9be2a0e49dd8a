"""*Pair*: two pages, `left` < `right`, that a rule holds together, with what was measured.

| rule | measures |
| --- | --- |
| `exact` | none: the token sequences are equal |
| `very-similar`, `virtually-identical` | `b_similarity`: how many supershingles agree |
| `similar` | `resemblance`, `left_containment`, `right_containment`, `estimated` |
"""

from itertools import chain
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from webecho.engine.local import connect
from webecho.group.candidates import find_candidates
from webecho.group.evidence import Evidence, concat, gather
from webecho.group.identity import representatives, unite_identical
from webecho.group.lists import flat_lists
from webecho.group.rules import Rule
from webecho.read.pages import Source
from webecho.sketches.tables import ROWS, write_table
from webecho.sketches.workspace import Workspace

# One page stands for its identity set while pairs are found; here all pages of two sets make pairs,
# and all pages of one set with each other.
EXPAND = """
WITH pairs AS (
    SELECT l.page AS one, r.page AS other, shared, left_size, right_size
    FROM found JOIN sets AS l ON l.stands = found.left JOIN sets AS r ON r.stands = found.right
    UNION ALL
    SELECT l.page, r.page, {whole}, {whole}, {whole}
    FROM sets AS l JOIN sets AS r ON l.stands = r.stands AND l.page < r.page
)
SELECT
    least(one, other) AS "left",
    greatest(one, other) AS "right",
    {measures},
    l.url AS left_url, r.url AS right_url, l.id AS left_id, r.id AS right_id
FROM pairs
JOIN names AS l ON l.page = least(one, other)
JOIN names AS r ON r.page = greatest(one, other)
ORDER BY "left", "right"
"""

SIMILAR = """
    CAST(shared AS DOUBLE) / (left_size + right_size - shared) AS resemblance,
    CAST(shared AS DOUBLE) / CASE WHEN one < other THEN left_size ELSE right_size END
        AS left_containment,
    CAST(shared AS DOUBLE) / CASE WHEN one < other THEN right_size ELSE left_size END
        AS right_containment,
    {estimated} AS estimated
"""

FOUND = pa.schema(
    [
        pa.field(name, pa.int64(), nullable=False)
        for name in ("left", "right", "shared", "left_size", "right_size")
    ]
)


def write_pairs(
    workspace: Workspace,
    rule: Rule,
    *,
    threads: int = 1,
    memory: int | None = None,
    sources: list[Source] | None = None,
) -> Path:
    """Writes `pairs/<rule>.parquet`, sorted by `left` and `right`, and gives its path."""
    forest = unite_identical(workspace)
    wanted = representatives(forest)
    stands, _ = forest.clusters()
    count = workspace.recipe.supershingles
    file = workspace.path / "pairs" / f"{rule.label}.parquet"
    with connect(threads, memory) as connection:
        table = pa.table({"page": range(workspace.pages), "stands": stands.cast(pa.int64())})
        if rule.name == "exact":
            found, whole, measures = FOUND.empty_table(), 1, "TRUE AS same_tokens"
        else:
            candidates = find_candidates(workspace, rule, wanted, memory=memory)
            if rule.name == "similar":
                evidence = gather(workspace, candidates.members(), sources, threads)
                resemblance, whole = rule.resemblance or 0.0, 1
                measures = SIMILAR.format(estimated=str(evidence.estimated).upper())
            else:
                flags = pc.is_in(
                    pa.array(range(workspace.pages), pa.uint32()), value_set=candidates.members()
                )
                lists = [flat for _, flat in flat_lists(workspace, "supershingles", flags)]
                evidence = Evidence(concat(lists), None)
                least = count if rule.name == "virtually-identical" else min(2, count)
                resemblance, whole, measures = least / count, count, "shared AS b_similarity"
            batches = [
                candidates.pairs(band, resemblance, evidence.values, evidence.offsets)
                for band in range(candidates.bands)
            ]
            found = pa.Table.from_batches(batches, FOUND)
        connection.register("found", found)
        connection.register("sets", table)
        connection.register("names", names(workspace))
        query = connection.sql(EXPAND.format(whole=whole, measures=measures))
        reader = query.to_arrow_reader(ROWS)
        rows = (pa.Table.from_batches([batch]) for batch in reader)
        write_table(file, chain([reader.schema.empty_table()], rows))
    return file


def names(workspace: Workspace) -> pa.Table:
    return pa.Table.from_batches(workspace.batches(["page", "url", "id"]))
