"""Pairs on Spark: those of each pack, and what was counted of them."""

from collections import deque
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from webecho.engine.local.engine import local_run
from webecho.engine.local.similarities import Sketches, similar_pairs
from webecho.engine.spark.components import disk_only
from webecho.engine.spark.pack_tasks import COUNTED, Pairs
from webecho.engine.spark.packs import PackSizes, decoded, tables
from webecho.engine.spark.page_parts import table_bytes, table_of
from webecho.engine.spark.searching import USUAL, Searching, problem_of
from webecho.group.hot_buckets import HotSettings, PairCounts
from webecho.group.pair_columns import RESEMBLANCES, SIMILARITIES
from webecho.group.pairs import FoundPairs
from webecho.group.rules.rule import Rule, Search
from webecho.run import Run
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
    sizes: PackSizes = USUAL,
) -> FoundPairs:
    """The pairs that the searches of a rule find among the wanted pages."""
    # Of pairs of sets what else the sketches have is told too.
    there = workspace.manifest.columns
    beside = ("supershingles", "projection") if rule.pairs_of_sets else ()
    read = (*rule.columns, *(name for name in beside if name in there))
    found = Searching(
        session,
        workspace,
        rule,
        wanted,
        run,
        read,
        together=hot.hot,
        # What is counted of pairs of sets is counted by one kernel for a family.
        whole=rule.pairs_of_sets,
        sizes=sizes,
    )
    frame = found.packed(Pairs(found.searches, workspace.recipe, hot)).persist(disk_only())
    counted = frame.where("what <> 'pairs'").toArrow()
    frames = [(frame, frame.where("what = 'pairs'").select("rows"))]
    by_content = found.content is not None
    schema = RESEMBLANCES if by_content else SIMILARITIES
    counts = PairCounts() if by_content else counts_of(counted, found.searches, hot)
    large = found.blocked(Pairs(found.searches, workspace.recipe, hot))
    if large is not None:
        large = large.persist(disk_only())
        counted = pa.concat_tables([counted, large.where("what = 'problem'").toArrow()])
        frames.append((large, packed_again(each_once(large, schema), schema)))
    batches = pa.RecordBatchReader.from_batches(schema, streamed(frames, schema))
    return FoundPairs(batches, counts, problem_of(counted))


DDL = {pa.int64(): "long", pa.float64(): "double", pa.bool_(): "boolean"}


def each_once(answers: "DataFrame", schema: pa.Schema) -> "DataFrame":
    """The pairs of blocks: they may be in several."""
    ddl = ", ".join(f"`{field.name}` {DDL[field.type]}" for field in schema)
    return decoded(answers, "pairs", schema.names, ddl).dropDuplicates(["left", "right"])


def packed_again(pairs: "DataFrame", schema: pa.Schema) -> "DataFrame":
    return pairs.mapInArrow(partial(pack, schema), "rows binary")


def pack(schema: pa.Schema, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Batches as values of one column."""
    for batch in batches:
        content = table_bytes(pa.Table.from_batches([batch]).cast(schema))
        yield pa.RecordBatch.from_arrays([pa.array([content], pa.binary())], ["rows"])


def streamed(
    frames: "Sequence[tuple[DataFrame, DataFrame]]", schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """The pairs, partition after partition, of which one is held; what frames are made of is let go
    after."""
    for held, rows in frames:
        try:
            for row in rows.toLocalIterator():
                yield from table_of(bytes(row["rows"])).cast(schema).to_batches()
        finally:
            held.unpersist()


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
