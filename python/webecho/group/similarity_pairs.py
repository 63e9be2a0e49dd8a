"""Pairs of identity sets: one page, the lowest, stands for all with the same tokens (Henzinger
2006, section 3, where all but one page of each set were removed before pairs were looked for).

The pairs of a label, the sets of two or more pages, and what was counted beside, lie where
`Layout` says.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho.group.columns import page_numbers
from webecho.group.hot_buckets import HotSettings, PairCounts
from webecho.group.measured_pairs import with_measures
from webecho.group.measures import MeasureSettings
from webecho.group.pair_columns import SIMILARITIES
from webecho.group.rules.rule import Rule
from webecho.memory import pairing, sorting_pairs
from webecho.run import Run
from webecho.workspace.checksums import sealed_json
from webecho.workspace.lookup import Lookup
from webecho.workspace.reread import Reread
from webecho.workspace.table_files import ROWS, write_aside
from webecho.workspace.workspace import Workspace

SORTED = 'SELECT * FROM found ORDER BY "left" NULLS LAST, "right" NULLS LAST'
# A page may be in pairs of several searches.
DEGREES = """
SELECT page, CAST(sum(degree) AS BIGINT) AS degree FROM degrees
GROUP BY page ORDER BY page NULLS LAST
"""


@dataclass(frozen=True)
class SimilarityPairs:
    """The files that were written, and what there is to say of them."""

    file: Path
    beside: Path
    summary: dict[str, Any]
    # Why some pairs could not be measured as asked.
    problems: tuple[str, ...] = ()


def write_similarity_pairs(
    workspace: Workspace,
    rule: Rule,
    hot: HotSettings | None = None,
    measures: MeasureSettings | None = None,
    *,
    run: Run,
    reread: Reread | None = None,
) -> SimilarityPairs:
    """Writes the pairs of a rule, sorted by `left` and `right`, and what was counted."""
    hot, measures = hot or HotSettings(), measures or MeasureSettings()
    run.check_memory(pairing(workspace.pages), f"finding pairs in {workspace.path}")
    same = run.engine.clusters(workspace, rule.without_searches, run)
    sets = write_identity(workspace, same.names, same.sizes)
    wanted = pc.equal(same.names, page_numbers(workspace.pages))
    del same
    problems = list[str]()
    label = f"{rule.label}{hot.label}"
    found = run.engine.pairs(workspace, rule, wanted, hot, run, reread)
    sorting = replace(run, memory=sorting_pairs(run.memory, workspace.pages))
    with sorting.database() as database:
        database.add("found", found.batches)
        reader = database.batches(SORTED, ROWS)
        rows = (pa.Table.from_batches([batch]).cast(SIMILARITIES) for batch in reader)
        pairs: Iterable[pa.Table] = chain([SIMILARITIES.empty_table()], rows)
        pairs = with_measures(workspace, label, pairs, measures, reread, run, problems)
        lookup = Lookup.of(workspace)
        workspace.write(workspace.files.pairs(label), map(lookup.named, pairs))
    distinct = {"distinct pages": wanted.true_count}
    summary = write_counts(workspace, rule, label, found.counts, sets | distinct, run)
    files = workspace.files
    return SimilarityPairs(files.pairs(label), files.pair_counts(label), summary, tuple(problems))


def write_identity(workspace: Workspace, stands: pa.Array, sizes: pa.Array) -> dict[str, int]:
    """Writes the identity sets of two or more pages, and counts them."""
    several = pc.greater(sizes, 1)
    pages = page_numbers(workspace.pages)
    columns = {"page": pages, "stands": stands, "size": sizes}
    table = pa.table(
        {name: each.filter(several).cast(pa.int64()) for name, each in columns.items()}
    )
    workspace.write(workspace.files.identity, [table])
    sets = pc.sum(pc.equal(table["page"], table["stands"])).as_py() or 0
    return {
        "pages": workspace.pages,
        "identity sets": sets,
        "pages in identity sets": table.num_rows,
    }


def write_counts(
    workspace: Workspace,
    rule: Rule,
    label: str,
    counts: PairCounts,
    sets: dict[str, int],
    run: Run,
) -> dict[str, Any]:
    """Writes what was counted beside the pairs, and gives the summary."""
    files = workspace.files
    hot = pa.Table.from_batches(counts.hot_buckets)
    with run.database() as database:
        database.add("degrees", pa.concat_tables(counts.degrees))
        degrees = database.table(DEGREES)
    workspace.write(files.hot_buckets(label), [hot])
    workspace.write(files.degrees(label), [degrees])
    summary: dict[str, Any] = sets | {"pairs": round(counts.pairs), "pairs given": counts.given}
    if counts.standard_error:
        summary["standard error"] = round(counts.standard_error)
    pieces = rule.value("pieces")
    if pieces is not None:
        summary[f"missed by {pieces} pieces"] = round(counts.missed)
    summary |= {
        "hot buckets": hot.num_rows,
        "comparisons": counts.comparisons,
        "pages with a near-duplicate": degrees.num_rows,
    }
    write_aside(files.counts(label), sealed_json(summary, files.name(files.counts(label))))
    return summary
