"""Pairs on Spark: those of each pack, and what was counted of them."""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from webecho.engine.local.engine import local_run
from webecho.engine.local.pairs import pairs as pairs_locally
from webecho.engine.local.similarities import Sketches, similar_pairs
from webecho.engine.spark.components import disk_only
from webecho.engine.spark.pack_tasks import COUNTED, Pairs
from webecho.engine.spark.packs import tables
from webecho.engine.spark.page_parts import table_of
from webecho.engine.spark.searching import Searching, problem_of
from webecho.group.hot_buckets import HotSettings, PairCounts
from webecho.group.pair_columns import RESEMBLANCES, SIMILARITIES
from webecho.group.pairs import FoundPairs
from webecho.group.rules.keys import SameChunks
from webecho.group.rules.rule import Rule, Search
from webecho.run import Run
from webecho.workspace.reread import Reread
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def pairs(
    session: "SparkSession",
    workspace: Workspace,
    rule: Rule,
    wanted: pa.Array,
    hot: HotSettings,
    run: Run,
    reread: Reread | None = None,
) -> FoundPairs:
    """The pairs that the searches of a rule find among the wanted pages."""
    if isinstance(rule.sets, SameChunks):
        return pairs_locally(workspace, rule, wanted, hot, run, reread)
    found = Searching(session, workspace, rule, wanted, run)
    # Of pairs of sets what else the sketches have is told too.
    there = workspace.manifest.columns
    beside = ("supershingles", "projection") if rule.pairs_of_sets else ()
    read = (*rule.columns, *(name for name in beside if name in there))
    task = Pairs(found.searches, workspace.recipe, hot)
    frame = found.found(task, read, together=hot.hot).persist(disk_only())
    counted = frame.where("what <> 'pairs'").toArrow()
    schema = RESEMBLANCES if rule.compares_shingles else SIMILARITIES
    counts = PairCounts() if rule.compares_shingles else counts_of(counted, found.searches, hot)
    batches = pa.RecordBatchReader.from_batches(schema, streamed(frame, schema))
    return FoundPairs(batches, counts, problem_of(counted))


def streamed(frame: "DataFrame", schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The pairs, partition after partition, of which one is held; the frame is let go after."""
    try:
        for row in frame.where("what = 'pairs'").select("rows").toLocalIterator():
            yield from table_of(bytes(row["rows"])).cast(schema).to_batches()
    finally:
        frame.unpersist()


def counts_of(answers: pa.Table, searches: Sequence[Search], hot: HotSettings) -> PairCounts:
    """What all packs have counted, search by search."""
    found = PairCounts()
    # Tables with their columns, also where there is nothing to count.
    none: pa.Array = pa.array([], pa.uint32())
    nothing: pa.Array = pa.array([], pa.int64())
    empty = Sketches(none, none, nothing, nothing)
    deque(similar_pairs(empty, searches, hot, found, local_run()), maxlen=0)
    errors = 0.0
    for table in tables(answers, "counts"):
        [row] = table.to_pylist()
        for name in COUNTED:
            if name != "standard_error":
                setattr(found, name, getattr(found, name) + row[name])
        errors += row["standard_error"] ** 2
    found.standard_error = errors**0.5
    for search in range(len(searches)):
        of_search = answers.filter(pc.equal(answers["at"], search))
        found.hot_buckets += [
            batch for each in tables(of_search, "hot") for batch in each.to_batches()
        ]
        found.degrees += tables(of_search, "degrees")
    return found
