"""*Pair*: two pages, `left` < `right`, that a rule holds together, with what was measured.

| rule | measures |
| --- | --- |
| `exact` | none: the token sequences are equal |
| `very-similar`, `virtually-identical` | `b_similarity`: how many supershingles agree |
| `similar` | `resemblance`, `left_containment`, `right_containment`, `estimated` |
| `paragraphs` | none: the shingle paragraphs are equal |

These pairs are of pages, all pages of an identity set with each other. The pairs of `b`, `c`,
`combined` and `by-site`, where one page stands for its set, are those of collapsed.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.engine.local.database import connect
from webecho.group.candidates import find_candidates
from webecho.group.columns import page_numbers
from webecho.group.evidence import Evidence, gather
from webecho.group.identity import representatives, unite_identical
from webecho.group.measures import MeasureSettings
from webecho.group.paragraphs import same_documents
from webecho.group.rules import SIMILARITIES, Rule
from webecho.group.similarity import Counts, HotSettings, Sketches, find_similar, needed
from webecho.group.similarity_pairs import write_collapsed
from webecho.memory import check_budget, grouping
from webecho.run import Run
from webecho.settings import Recipe
from webecho.workspace.reread import Reread
from webecho.workspace.table_files import ROWS, write_table
from webecho.workspace.workspace import Workspace

# One page stands for its identity set while pairs are found; here all pages of two sets make pairs,
# and all pages of one set with each other.
EXPAND = """
WITH pairs AS (
    SELECT l.page AS one, r.page AS other, shared, left_size, right_size, estimated
    FROM found JOIN sets AS l ON l.stands = found.left JOIN sets AS r ON r.stands = found.right
    UNION ALL
    SELECT l.page, r.page, {whole}, {whole}, {whole}, FALSE
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

# Features estimate the resemblance; how large each set is they do not tell.
SIMILAR = """
    CAST(shared AS DOUBLE) / (left_size + right_size - shared) AS resemblance,
    CASE WHEN estimated THEN NULL WHEN one < other THEN CAST(shared AS DOUBLE) / left_size
        ELSE CAST(shared AS DOUBLE) / right_size END AS left_containment,
    CASE WHEN estimated THEN NULL WHEN one < other THEN CAST(shared AS DOUBLE) / right_size
        ELSE CAST(shared AS DOUBLE) / left_size END AS right_containment,
    estimated
"""

FOUND = pa.schema(
    [
        pa.field(name, pa.int64(), nullable=False)
        for name in ("left", "right", "shared", "left_size", "right_size")
    ]
    + [pa.field("estimated", pa.bool_(), nullable=False)]
)


@dataclass(frozen=True)
class Found:
    """Pairs of representatives, and how they are measured; `whole` is the measure of equals."""

    pairs: pa.Table | pa.RecordBatchReader
    measures: str
    whole: int = 1
    estimated: str | None = None


@dataclass(frozen=True)
class Pairs:
    """The file that was written, and why resemblances had to be estimated or pairs could not be
    measured, if it was so."""

    file: Path
    estimated: str | None = None
    # What was counted beside, of the pairs of identity sets.
    summary: dict[str, Any] | None = None


def write_pairs(
    workspace: Workspace,
    rule: Rule,
    hot: HotSettings | None = None,
    measures: MeasureSettings | None = None,
    *,
    run: Run,
    again: Reread | None = None,
) -> Pairs:
    """Writes `pairs/<rule>.parquet`, sorted by `left` and `right`."""
    if rule.name in SIMILARITIES:
        written = write_collapsed(workspace, rule, hot, measures, run=run, again=again)
        return Pairs(written.file, next(iter(written.problems), None), written.summary)
    check_budget(run.memory, grouping(workspace.pages), f"finding pairs in {workspace.path}")
    if rule.name == "paragraphs":
        clusters = same_documents(workspace, run)
        alone = page_numbers(workspace.pages)
        found = Found(FOUND.empty_table(), "TRUE AS same_paragraphs")
        return expanded(workspace, rule, found, pc.coalesce(clusters, alone), run)
    forest = unite_identical(workspace, run)
    wanted = representatives(forest)
    if rule.name == "exact":
        found = Found(FOUND.empty_table(), "TRUE AS same_tokens")
    elif rule.name == "similar":
        candidates = find_candidates(workspace, rule, wanted, run)
        evidence = gather(workspace, candidates.members(), again, run)
        pairs = all_pairs(candidates, rule.resemblance or 0.0, evidence)
        found = Found(pairs, SIMILAR, estimated=evidence.estimated)
    else:
        sketches = Sketches.of(workspace, wanted, needed(rule), needed(rule))
        batches = agreeing(sketches, rule, workspace.recipe, run)
        reader = pa.RecordBatchReader.from_batches(FOUND, batches)
        found = Found(reader, "shared AS b_similarity", whole=workspace.recipe.supershingles)
    return expanded(workspace, rule, found, forest.clusters()[0], run)


def expanded(workspace: Workspace, rule: Rule, found: Found, stands: pa.Array, run: Run) -> Pairs:
    """Writes the pairs of all pages, for each of which another or itself `stands`."""
    file = workspace.path / "pairs" / f"{rule.label}.parquet"
    with connect(run.threads, run.memory) as connection:
        connection.register("found", found.pairs)
        pages = page_numbers(workspace.pages).cast(pa.int64())
        connection.register("sets", pa.table({"page": pages, "stands": stands.cast(pa.int64())}))
        files = [str(file) for file in workspace.part_files("sketches")]
        names = connection.read_parquet(files).select("page", "url", "id") if files else None
        connection.register("names", workspace.table() if names is None else names)
        query = EXPAND.format(whole=found.whole, measures=found.measures)
        reader = connection.sql(query).to_arrow_reader(ROWS)
        rows = (pa.Table.from_batches([batch]) for batch in reader)
        write_table(file, chain([reader.schema.empty_table()], rows))
    return Pairs(file, found.estimated)


def agreeing(sketches: Sketches, rule: Rule, recipe: Recipe, run: Run) -> Iterator[pa.RecordBatch]:
    """All pairs of enough supershingles, none left to chance."""
    every = HotSettings(hot=None)
    for batch in find_similar(sketches, rule, recipe, every, Counts(), run):
        shared = batch["b_similarity"]
        counted = pa.repeat(False, len(batch))
        columns = [batch["left"], batch["right"], shared, shared, shared, counted]
        yield pa.RecordBatch.from_arrays(columns, schema=FOUND)


def all_pairs(candidates: _core.Candidates, resemblance: float, evidence: Evidence) -> pa.Table:
    """The verified pairs of all bands."""
    batches = [
        candidates.pairs(band, resemblance, evidence.kernel) for band in range(candidates.bands)
    ]
    return pa.Table.from_batches(batches, FOUND)
