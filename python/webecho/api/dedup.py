"""`webecho.dedup`."""

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from webecho import settings
from webecho.api.inputs import (
    as_inputs,
    as_recipe,
    as_run,
    read_options,
    warn_of_estimates,
)
from webecho.deduplication.job import Job, summarise
from webecho.errors import SettingsError, in_python
from webecho.group.decision import Decision, DedupSettings, decide
from webecho.group.keeping import keep as keep_order
from webecho.group.rules.registry import rule as named_rule
from webecho.read.collection import Collection, open_collection
from webecho.read.tables import StreamSource, TableSource, is_table
from webecho.sketches.sketching import sketch_collection
from webecho.workspace.locks import reading as open_workspace
from webecho.workspace.reread import Reread
from webecho.workspace.workspace import Workspace
from webecho.write.results import write_results


@dataclass(frozen=True)
class Deduplicated:
    """What stays, and what was decided.

    `kept` is what was given without the rows that went, of the same kind; for paths a table of the
    pages that stay (`page`, `id`, `url`). `duplicates` and `clusters` are as the command writes
    them, `summary` too.
    """

    kept: Any
    duplicates: pa.Table
    clusters: pa.Table
    summary: dict[str, Any]


@in_python()
def dedup(
    data: Any,
    out: str | os.PathLike[str] | None = None,
    *,
    rule: str = "similar",
    resemblance: float | None = None,
    least_b: int | None = None,
    least_c: int | None = None,
    least_c_across: int | None = None,
    link: str = "kept",
    keep: str = "first",
    within: str = "collection",
    by: str | None = None,
    revisit: bool = False,
    against: str | os.PathLike[str] | None = None,
    append_kept: bool = False,
    recipe: str | settings.Recipe = "webecho",
    threads: int | None = None,
    memory: int | str | None = None,
    force: bool = False,
    **reading: Any,
) -> Deduplicated:
    """What stays of a collection, and what was removed and why.

    Rules and thresholds are as in `clusters`. With `out`, for paths, it is also written there, as
    `webecho dedup` does. What else is named says how to read, as for `sketch`.
    """
    order = keep_order(keep)
    named = named_rule(
        rule,
        resemblance,
        as_recipe(recipe),
        least_b=least_b,
        least_c=least_c,
        least_c_across=least_c_across,
    )
    chosen = DedupSettings(named, link, order, within, by, revisit)
    options = read_options(**reading, by=by, value=order.column)
    inputs = as_inputs(data)
    with tempfile.TemporaryDirectory(prefix="webecho-") as folder:
        job = Job(
            options,
            chosen,
            Path(out) if out is not None else Path(folder) / "out",
            as_run(threads, memory),
            as_recipe(recipe),
            None if against is None else Path(against),
            append_kept,
            force,
        )
        if out is not None:
            if any(is_table(each) for each in inputs):
                raise SettingsError("a table in memory is not written; leave out `out`")
            summary = job.do(job.open([os.fspath(each) for each in inputs]))
            warn_of_estimates(summary["estimated"])
            clusters = pq.read_table(job.out / "clusters.parquet", memory_map=False)
            duplicates = pq.read_table(job.out / "duplicates.parquet", memory_map=False)
            return Deduplicated(_stay(clusters), duplicates, clusters, summary)
        collection = open_collection(inputs, options)
        return _in_memory(job, inputs, collection, Path(folder))


def _in_memory(job: Job, inputs: list[Any], collection: Collection, folder: Path) -> Deduplicated:
    streams = [s for each in collection.inputs for s in each.sources if isinstance(s, StreamSource)]
    if streams:
        raise SettingsError(f"{streams[0].name} comes only once; give its rows as a table")
    shelf = job.shelf(folder)
    workspace = sketch_collection(
        collection,
        job.options,
        folder / "sketches.echo",
        job.sketches,
        job.run,
        temporary=True,
        shelf=shelf,
    )
    again = Reread.of(collection, shelf)
    if job.append_kept:
        raise SettingsError("append_kept needs `out`: what is added must be there to read again")
    if job.against is None:
        decision = _decide(job, workspace, again, None)
    else:
        with open_workspace(job.against) as old:
            decision = _decide(job, workspace, again, old)
    write_results(decision.pages, decision.stars, folder, job.run)
    clusters = pq.read_table(folder / "clusters.parquet", memory_map=False)
    duplicates = pq.read_table(folder / "duplicates.parquet", memory_map=False)
    summary = summarise(workspace, decision, job.settings, [], 0)
    warn_of_estimates(summary["estimated"])
    kept = _stay(clusters)
    sources = collection.sources
    tables = [
        _staying(given, source.table, _gone(workspace, decision.stays, number))
        for number, (given, source) in enumerate(zip(inputs, sources, strict=False))
        if isinstance(source, TableSource)
    ]
    if len(tables) == len(inputs):
        kept = tables[0] if len(tables) == 1 else tables
    return Deduplicated(kept, duplicates, clusters, summary)


def _decide(job: Job, workspace: Workspace, again: Reread, old: Workspace | None) -> Decision:
    return decide(workspace, job.settings, job.run, old=old, again=again)


def _stay(clusters: pa.Table) -> pa.Table:
    return clusters.filter(clusters["stays"]).select(["page", "id", "url"])


def _gone(workspace: Workspace, stays: pa.Array, number: int) -> set[int]:
    """The rows of a table that go."""
    gone: set[int] = set()
    for batch in workspace.batches(["page", "source", "place"]):
        here = pc.and_(pc.equal(batch["source"], number), pc.invert(stays.take(batch["page"])))
        gone.update(batch["place"].filter(here).to_pylist())
    return gone


def _staying(table: Any, arrow: pa.Table, gone: set[int]) -> Any:
    """The table without these rows, of the kind it was."""
    library = type(table).__module__.partition(".")[0]
    rows = [row for row in range(len(arrow)) if row not in gone]
    if library == "pandas":
        return table.iloc[rows]
    if library == "polars":
        return (table.collect() if hasattr(table, "collect") else table)[rows]
    return (
        table.select(rows)
        if hasattr(table, "with_format")
        else arrow.take(pa.array(rows, pa.int64()))
    )
