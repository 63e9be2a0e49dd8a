"""*Answer set*: the pages that a search engine gives for a query (Baeza-Yates 2007, Definition 7);
the *total answer set* of a log is that of all its queries together.

A query is a bag of words: pages that have any of its terms are ranked by BM25, pages of one score
by their number. So it is in an index of one segment; in one of several, which very uneven pages may
leave, the search is repeated for more where pages of one score stand on both sides of the cut.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.engine.protocol import Database
from webecho.errors import InputError
from webecho.read.named_rows import RowCounts
from webecho.read.rankings import RANKED, ranking
from webecho.run import Progress, Run
from webecho.sketches.boilerplate import CONTENT, sketcher_of
from webecho.sketches.search_index import PAGE, TEXT, analyzer, engine, joined_tokens, open_index
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from tantivy import Searcher

# A row for each answer: the number of the query, and the page.
ANSWERS = pa.schema([("query", pa.int64()), ("rank", pa.int64()), ("page", pa.int64())])
# Queries that a thread takes at a time.
CHUNK = 64
# By how much more is asked for where the cut goes through pages of one score.
MORE = 8

_RANKED = """
SELECT query, CAST(row_number() OVER (
    PARTITION BY query ORDER BY rank NULLS LAST, page NULLS LAST
) AS BIGINT) AS rank, page
FROM (
    SELECT asked.number AS query, addresses.page AS page, min(ranked.rank) AS rank
    FROM ranked
    JOIN asked ON asked.query = ranked.query
    JOIN addresses ON addresses.key = ranked.key
    GROUP BY asked.number, addresses.page
) AS found
"""


@dataclass(frozen=True)
class Answers:
    """The answers of queries, as `ANSWERS` has them, sorted by query and rank; of a ranking made
    elsewhere, how many rows are of pages that the collection does not have, and how many are not as
    a ranking has them."""

    rows: pa.Table
    unknown: int = 0
    bad: int = 0


def searched(workspace: Workspace, queries: Sequence[str], most: int, run: Run) -> Answers:
    """What the search engine gives for these queries, `most` pages each; the index must be there
    (see `require_index`)."""
    index = open_index(workspace)
    searcher, schema = index.searcher(), index.schema
    terms = query_terms(workspace, queries, run)
    starts = range(0, len(queries), CHUNK)

    def chunk(start: int) -> pa.Table:
        found = [answers_of(searcher, schema, each, most) for each in terms[start : start + CHUNK]]
        sizes = [len(pages) for pages in found]
        numbers = np.repeat(np.arange(start, start + len(found)), sizes)
        ranks = np.concatenate([np.arange(1, size + 1) for size in sizes])
        pages = np.fromiter(chain.from_iterable(found), np.int64, sum(sizes))
        return pa.table([numbers, ranks, pages], schema=ANSWERS)

    tables = [ANSWERS.empty_table()]
    with ThreadPoolExecutor(run.threads) as pool:
        for done, table in enumerate(pool.map(chunk, starts), 1):
            tables.append(table)
            run.report(Progress("searching", done / len(starts)))
    return Answers(pa.concat_tables(tables))


def query_terms(workspace: Workspace, queries: Sequence[str], run: Run) -> list[list[str]]:
    """The different terms of each query, made as those of pages are."""
    count = len(queries)
    texts = pa.record_batch(
        [
            pa.array(queries, pa.large_string()),
            pa.array([False] * count, pa.bool_()),
            pa.array(["utf-8"] * count, pa.string()),
            pa.nulls(count, pa.string()),
            pa.nulls(count, pa.binary()),
        ],
        names=CONTENT,
    )
    if workspace.recipe.boilerplate:
        texts = texts.append_column("site", pa.nulls(count, pa.string()))
    joined = joined_tokens(sketcher_of(workspace, run), texts).to_pylist()
    terms = analyzer()
    return [[*dict.fromkeys(terms.analyze(text or ""))] for text in joined]


def answers_of(searcher: "Searcher", schema: Any, terms: Sequence[str], most: int) -> list[int]:
    """The pages that have any of these terms, the best first."""
    if not terms:
        return []
    tantivy = engine()
    query = tantivy.Query.boolean_query(
        [
            (tantivy.Occur.Should, tantivy.Query.term_query(schema, TEXT, term, "freq"))
            for term in terms
        ]
    )
    asked = most if searcher.num_segments == 1 else most + 1
    hits = searcher.search(query, asked, count=False).hits
    while len(hits) == asked > most and hits[most - 1][0] == hits[-1][0]:
        asked *= MORE
        hits = searcher.search(query, asked, count=False).hits
    pages = searcher.fast_field_values(PAGE, [address for _, address in hits])
    scores = (-float(score) for score, _ in hits)
    ranked = sorted(zip(scores, (int(page or 0) for page in pages), strict=True))
    return [page for _, page in ranked[:most]]


def ranked_elsewhere(
    database: Database, workspace: Workspace, file: str, queries: Sequence[str], most: int, run: Run
) -> Answers:
    """The answers of these queries by a ranking made elsewhere, `most` pages each; addresses are
    compared by their normal form."""
    counts = RowCounts()
    database.add("ranked", pa.RecordBatchReader.from_batches(KEYED, keyed(file, counts, run)))
    database.keep("ranked", "SELECT query, rank, key FROM ranked")
    asked = {"number": pa.array(range(len(queries)), pa.int64()), "query": pa.array(queries)}
    database.add("asked", pa.table(asked))
    database.add("addresses", addresses(workspace, run))
    database.keep("found", _RANKED)
    rows = database.table(
        f"SELECT query, rank, page FROM found WHERE rank <= {most} "
        "ORDER BY query NULLS LAST, rank NULLS LAST"
    ).cast(ANSWERS)
    unknown = database.row(
        "SELECT count(*) AS rows FROM ranked WHERE key IS NULL OR NOT EXISTS "
        "(SELECT 1 FROM addresses WHERE addresses.key = ranked.key)"
    )["rows"]
    if not counts.rows or counts.bad == counts.rows:
        raise InputError(f"{file} has no row with a query, a rank from 1 on, and a url")
    return Answers(rows, unknown, counts.bad)


KEYED = pa.schema([*RANKED, ("key", pa.int64())])


def keyed(file: str, counts: RowCounts, run: Run) -> Iterator[pa.RecordBatch]:
    for batch in ranking(file, counts):
        keys, _ = _core.address_keys(batch.select(["url"]), run.threads)
        yield pa.RecordBatch.from_arrays([*batch.columns, keys], schema=KEYED)


def addresses(workspace: Workspace, run: Run) -> pa.Table:
    """`page` and `key` of its address, of the pages that have one; of an address with several pages
    the first."""
    schema = pa.schema([("page", pa.int64()), ("key", pa.int64())])
    tables = [schema.empty_table()]
    for batch in workspace.batches(["page", "url"]):
        keys, _ = _core.address_keys(batch.select(["url"]), run.threads)
        tables.append(pa.table([batch["page"], keys], schema=schema).filter(pc.is_valid(keys)))
    every = pa.concat_tables(tables)
    first = every.group_by("key").aggregate([("page", "min")])
    return pa.table([first["page_min"], first["key"]], schema=schema)
