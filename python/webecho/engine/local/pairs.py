"""Pairs by the kernels."""

import pyarrow as pa

from webecho.engine.local.comparing import compared
from webecho.engine.local.resemblances import Candidates
from webecho.engine.local.similarities import Sketches, similar_pairs
from webecho.group.hot_buckets import HotSettings, PairCounts
from webecho.group.pair_columns import RESEMBLANCES, SIMILARITIES
from webecho.group.pairs import FoundPairs
from webecho.group.rules.keys import Bands
from webecho.group.rules.rule import Rule
from webecho.run import Run
from webecho.workspace.reread import Reread
from webecho.workspace.workspace import Workspace


def pairs(
    workspace: Workspace,
    rule: Rule,
    wanted: pa.Array,
    hot: HotSettings,
    run: Run,
    reread: Reread | None = None,
) -> FoundPairs:
    """The pairs that the searches of a rule find among the wanted pages."""
    searches = rule.searches(workspace.recipe)
    if any(isinstance(search.keys, Bands) for search in searches):
        found = compared(workspace, rule, wanted, run, reread=reread)
        verified = [*found.pairs()] if isinstance(found, Candidates) else []
        table = pa.Table.from_batches(verified, RESEMBLANCES)
        return FoundPairs(table.to_reader(), PairCounts(), found.estimated)
    # Of pairs of sets what else the sketches have is told too.
    read = ("supershingles", "projection") if rule.pairs_of_sets else rule.columns
    sketches = Sketches.of(workspace, wanted, rule.columns, read)
    counts = PairCounts()
    batches = similar_pairs(sketches, searches, hot, counts, run)
    return FoundPairs(pa.RecordBatchReader.from_batches(SIMILARITIES, batches), counts)
