"""Pairs of identity sets: one page, the lowest, stands for all with the same tokens (Henzinger
2006, section 3, where all but one page of each set were removed before pairs were looked for).

`pairs/<label>.parquet` has the pairs, `pairs/identity.parquet` the sets of two or more pages, and
`pairs/<label>/` what was counted beside: `counts.json`, in how many pairs each page is
(`degrees.parquet`), and the hot buckets (`hot.parquet`).
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho.engine.local import connect
from webecho.group.identity import representatives, unite_identical
from webecho.group.lists import page_numbers
from webecho.group.lookup import Lookup
from webecho.group.rules import Rule
from webecho.group.similarity import (
    FOUND,
    Counts,
    HotSettings,
    Sketches,
    find_similar,
    needed,
)
from webecho.memory import check_budget, pairing, sorting_pairs
from webecho.sketches.tables import ROWS, write_aside, write_table
from webecho.sketches.workspace import Workspace

IDENTITY = "identity.parquet"
SORTED = 'SELECT * FROM found ORDER BY "left", "right"'
# A page may be in pairs of several searches.
DEGREES = (
    "SELECT page, CAST(sum(degree) AS BIGINT) AS degree FROM degrees GROUP BY page ORDER BY page"
)


@dataclass(frozen=True)
class CollapsedPairs:
    """The files that were written, and what there is to say of them."""

    file: Path
    beside: Path
    summary: dict[str, Any]


def write_collapsed(
    workspace: Workspace,
    rule: Rule,
    hot: HotSettings | None = None,
    *,
    threads: int = 1,
    memory: int | None = None,
) -> CollapsedPairs:
    """Writes the pairs of a rule, sorted by `left` and `right`, and what was counted."""
    hot = hot or HotSettings()
    check_budget(memory, pairing(workspace.pages), f"finding pairs in {workspace.path}")
    forest = unite_identical(workspace, threads, memory=memory)
    stands, sizes = forest.clusters()
    sets = write_identity(workspace, stands, sizes)
    wanted = representatives(forest)
    del forest, stands, sizes
    counts = Counts()
    label = f"{rule.label}{hot.label}"
    folder = workspace.path / "pairs"
    sketches = Sketches.of(workspace, wanted, needed(rule))
    found = find_similar(sketches, rule, workspace.recipe, hot, counts, threads=threads)
    with connect(threads, sorting_pairs(memory, workspace.pages)) as connection:
        connection.register("found", pa.RecordBatchReader.from_batches(FOUND, found))
        pairs = connection.sql(SORTED).to_arrow_reader(ROWS)
        write_table(folder / f"{label}.parquet", named(workspace, pairs))
    return told(workspace, rule, label, counts, sets | {"distinct pages": wanted.true_count})


def write_identity(workspace: Workspace, stands: pa.Array, sizes: pa.Array) -> dict[str, int]:
    """Writes the identity sets of two or more pages, and counts them."""
    several = pc.greater(sizes, 1)
    pages = page_numbers(workspace.pages)
    columns = {"page": pages, "stands": stands, "size": sizes}
    table = pa.table(
        {name: each.filter(several).cast(pa.int64()) for name, each in columns.items()}
    )
    write_table(workspace.path / "pairs" / IDENTITY, [table])
    sets = pc.sum(pc.equal(table["page"], table["stands"])).as_py() or 0
    return {
        "pages": workspace.pages,
        "identity sets": sets,
        "pages in identity sets": table.num_rows,
    }


def named(workspace: Workspace, pairs: pa.RecordBatchReader) -> Iterator[pa.Table]:
    """The pairs with the addresses and ids of their pages."""
    lookup = Lookup.of(workspace)
    for batch in chain([pa.RecordBatch.from_pylist([], pairs.schema)], pairs):
        left, right = lookup.names(batch["left"], "left"), lookup.names(batch["right"], "right")
        rows = pa.Table.from_batches([batch]).cast(FOUND)
        for name in ("left_url", "right_url", "left_id", "right_id"):
            rows = rows.append_column(name, (left | right)[name])
        yield rows


def told(
    workspace: Workspace, rule: Rule, label: str, counts: Counts, sets: dict[str, int]
) -> CollapsedPairs:
    """Writes what was counted beside the pairs."""
    folder = workspace.path / "pairs"
    beside = folder / label
    hot = pa.Table.from_batches(counts.hot_buckets)
    with connect() as connection:
        connection.register("degrees", pa.concat_tables(counts.degrees))
        degrees = connection.sql(DEGREES).to_arrow_table()
    write_table(beside / "hot.parquet", [hot])
    write_table(beside / "degrees.parquet", [degrees])
    summary: dict[str, Any] = sets | {"pairs": round(counts.pairs), "pairs given": counts.given}
    if counts.standard_error:
        summary["standard error"] = round(counts.standard_error)
    if rule.pieces is not None:
        summary[f"missed by {rule.pieces} pieces"] = round(counts.missed)
    summary |= {
        "hot buckets": hot.num_rows,
        "comparisons": counts.comparisons,
        "pages with a near-duplicate": degrees.num_rows,
    }
    write_aside(beside / "counts.json", (json.dumps(summary, indent=1) + "\n").encode())
    return CollapsedPairs(folder / f"{label}.parquet", beside, summary)
