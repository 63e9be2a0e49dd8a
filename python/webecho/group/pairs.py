"""*Pair*: two pages, `left` < `right`, that a rule holds together, with what was measured.

| rule | measures |
| --- | --- |
| `payload`, `text`, `tokens` | none: stored bytes, visible text or token sequence are the same |
| `very-similar`, `virtually-identical` | `b_similarity`: how many supershingles agree |
| `similar` | `resemblance`, `left_containment`, `right_containment`, `estimated` |
| `edited` | `equal_words`, `equal_words_estimated` |
| `paragraphs` | none: the shingle paragraphs are equal |
| `overlap` | `shared_chunks`, `left_containment`, `right_containment`, `same_site`, `copy` |

These pairs are of pages, all pages of a set with each other; only copies by chunks make a star. The
pairs of rules whose pairs are of sets, one page standing for each, are those of
similarity_pairs.py.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho.group.columns import page_numbers
from webecho.group.hot_buckets import ALL_PAIRS, HotSettings, PairCounts
from webecho.group.measured_pairs import with_measures
from webecho.group.measures import MeasureSettings
from webecho.group.overlaps import OverlapSearch, overlap_rows
from webecho.group.pair_columns import PAIR
from webecho.group.rules.checks import EqualWords, Resemblance
from webecho.group.rules.keys import SameChunks
from webecho.group.rules.rule import Rule
from webecho.group.similarity_pairs import write_similarity_pairs
from webecho.memory import grouping
from webecho.run import Run
from webecho.settings import Recipe
from webecho.workspace.lookup import Lookup
from webecho.workspace.reread import Reread
from webecho.workspace.table_files import ROWS
from webecho.workspace.workspace import Workspace

# One page stands for its set while pairs are found; here all pages of two sets make pairs, and all
# pages of one set with each other.
EXPAND = """
WITH pairs AS (
    SELECT l.page AS one, r.page AS other{found}
    FROM found JOIN sets AS l ON l.stands = found.left JOIN sets AS r ON r.stands = found.right
    UNION ALL
    SELECT l.page, r.page{whole}
    FROM sets AS l JOIN sets AS r ON l.stands = r.stands AND l.page < r.page
)
SELECT
    least(one, other) AS "left",
    greatest(one, other) AS "right",
    {measures}
FROM pairs
ORDER BY "left" NULLS LAST, "right" NULLS LAST
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

EDITED = """
    2 * CAST(shared AS DOUBLE) / (left_size + right_size) AS equal_words,
    estimated AS equal_words_estimated
"""
# What is selected of pairs of which something was counted, by the check.
COUNTED = {Resemblance: SIMILAR, EqualWords: EDITED}


@dataclass(frozen=True)
class FoundPairs:
    """Pairs of the pages that stand for their sets, with the columns of pair_columns.py, and what
    was counted while they were found."""

    batches: pa.RecordBatchReader
    counts: PairCounts
    # Why resemblances had to be estimated, if they had to.
    estimated: str | None = None


@dataclass(frozen=True)
class PairMeasures:
    """What is known of a pair, in SQL: the columns of found pairs, what they are of two pages of
    one set, and what is selected of them."""

    columns: tuple[str, ...]
    whole: tuple[str, ...]
    selected: str


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
    reread: Reread | None = None,
) -> Pairs:
    """Writes `pairs/<rule>.parquet`, sorted by `left` and `right`."""
    measures = measures or MeasureSettings()
    if rule.pairs_of_sets:
        written = write_similarity_pairs(workspace, rule, hot, measures, run=run, reread=reread)
        return Pairs(written.file, next(iter(written.problems), None), written.summary)
    if isinstance(rule.sets, SameChunks):
        return write_overlap_pairs(workspace, rule, measures, run, reread)
    run.check_memory(grouping(workspace.pages), f"finding pairs in {workspace.path}")
    stands = run.engine.clusters(workspace, rule.without_searches, run).names
    nothing = pa.schema(PAIR).empty_table().to_reader()
    found = FoundPairs(nothing, PairCounts())
    if rule.searches(workspace.recipe):
        wanted = pc.equal(stands, page_numbers(workspace.pages))
        found = run.engine.pairs(workspace, rule, wanted, ALL_PAIRS, run, reread)
    return expanded(workspace, rule, found, stands, measures, run, reread)


def write_overlap_pairs(
    workspace: Workspace, rule: Rule, measures: MeasureSettings, run: Run, reread: Reread | None
) -> Pairs:
    """The same of pages that share chunks: copies make pairs with the page that stands for them,
    and not with each other."""
    file = workspace.files.pairs(rule.label)
    search = OverlapSearch.of(rule, workspace.recipe)
    found = run.engine.overlaps(workspace, search, run)
    problems = list[str]()
    rows = overlap_rows(workspace, found, merged=True)
    rows = with_measures(workspace, rule.label, rows, measures, reread, run, problems)
    workspace.write(file, rows)
    return Pairs(file, next(iter(problems), None))


def expanded(
    workspace: Workspace,
    rule: Rule,
    found: FoundPairs,
    stands: pa.Array,
    settings: MeasureSettings,
    run: Run,
    reread: Reread | None,
) -> Pairs:
    """Writes the pairs of all pages, for each of which another or itself `stands`."""
    file = workspace.files.pairs(rule.label)
    measures = measures_of(rule, workspace.recipe)
    query = EXPAND.format(
        found="".join(f", {name}" for name in measures.columns),
        whole="".join(f", {value}" for value in measures.whole),
        measures=measures.selected,
    )
    with run.database() as database:
        database.add("found", found.batches)
        pages = page_numbers(workspace.pages).cast(pa.int64())
        database.add("sets", pa.table({"page": pages, "stands": stands.cast(pa.int64())}))
        reader = database.batches(query, ROWS)
        rows = (pa.Table.from_batches([batch]) for batch in reader)
        pairs: Iterable[pa.Table] = chain([reader.schema.empty_table()], rows)
        problems = list[str]()
        pairs = with_measures(workspace, rule.label, pairs, settings, reread, run, problems)
        lookup = Lookup.of(workspace)
        workspace.write(file, map(lookup.named, pairs))
    return Pairs(file, found.estimated or next(iter(problems), None))


def measures_of(rule: Rule, recipe: Recipe) -> PairMeasures:
    """What the pairs of a rule have beside their pages."""
    searches = rule.searches(recipe)
    if not searches:
        return PairMeasures((), (), f"TRUE AS {rule.sets.evidence}")
    for check, selected in COUNTED.items():
        if any(isinstance(search.check, check) for search in searches):
            columns = ("shared", "left_size", "right_size", "estimated")
            return PairMeasures(columns, ("1", "1", "1", "FALSE"), selected)
    whole = {"b_similarity": str(recipe.supershingles), "c_similarity": str(recipe.bits)}
    asked = {name for search in searches for name in search.check.asked}
    names = tuple(name for name in whole if name in asked)
    return PairMeasures(names, tuple(whole[name] for name in names), ", ".join(names))
