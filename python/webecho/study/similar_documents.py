"""*New similar document*: a document of a new collection with at least one overlapping shingle
paragraph of an old one (Baeza-Yates 2007, Definition 6); with a minimal number of them
(Definition 5) it may be a partial copy.

Documents are those that the paper's dynamic studies *consider*: pages of more than 450 characters
with at least three overlapping paragraphs. Different paragraphs count, once each.

A paragraph that stands on very many old documents is no trace of any of them, and would be compared
with all: it is left out, and counted.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.engine.protocol import Database
from webecho.group.rules.paragraphs import LONGEST_LEFT_OUT
from webecho.run import Run
from webecho.workspace.workspace import Workspace

TABLE, COLUMN = "paragraphs", "overlapping_paragraphs"
# Documents have at least so many paragraphs (section 2.2).
LEAST_PARAGRAPHS = 3
# A paragraph on more old documents than this is left out.
MOST = 1000

_PAGES = pa.schema([("page", pa.int64()), ("content", pa.int64()), ("key", pa.int64())])
_ROWS = pa.schema([("content", pa.int64()), ("paragraph", pa.int64())])

_DOCUMENTS = f"""
SELECT pages.page, pages.content, pages.key
FROM {{pages}} AS pages
JOIN (
    SELECT content FROM {{rows}} GROUP BY content HAVING count(*) >= {LEAST_PARAGRAPHS}
) AS enough ON enough.content = pages.content
"""
_PARAGRAPHS = """
SELECT DISTINCT documents.page, listed.paragraph
FROM {documents} AS documents JOIN {rows} AS listed ON listed.content = documents.content
"""
_STANDING = """
SELECT paragraph, count(*) AS pages FROM old_paragraphs
WHERE page IN (SELECT page FROM total) GROUP BY paragraph
"""
_LOOKED_UP = """
SELECT old_paragraphs.page, old_paragraphs.paragraph FROM old_paragraphs
JOIN standing ON standing.paragraph = old_paragraphs.paragraph
WHERE standing.pages <= {most} AND page IN (SELECT page FROM total)
"""
_SIMILAR = """
SELECT new_paragraphs.page AS new, looked_up.page AS old, count(*) AS shared
FROM new_paragraphs JOIN looked_up ON looked_up.paragraph = new_paragraphs.paragraph
GROUP BY new_paragraphs.page, looked_up.page HAVING count(*) >= {least}
"""
_SHARED = """
SELECT similar_pairs.new, similar_pairs.old, new_paragraphs.paragraph
FROM similar_pairs
JOIN new_paragraphs ON new_paragraphs.page = similar_pairs.new
JOIN looked_up
    ON looked_up.page = similar_pairs.old AND looked_up.paragraph = new_paragraphs.paragraph
WHERE similar_pairs.new IN (SELECT new FROM similar_pairs GROUP BY new HAVING count(*) > 1)
ORDER BY similar_pairs.new NULLS LAST, similar_pairs.old NULLS LAST
"""
_NEW_SIMILAR = """
SELECT count(DISTINCT page) AS pages FROM new_paragraphs WHERE paragraph IN (
    SELECT paragraph FROM old_paragraphs WHERE page IN (
        SELECT page FROM log_answers WHERE log = {log}
    )
)
"""
# Rows of shared paragraphs that are taken at a time.
BATCH = 65_536


@dataclass(frozen=True)
class LeftOut:
    """Paragraphs that stand on very many old documents, and on how many of them together."""

    paragraphs: int
    places: int


def add_documents(database: Database, workspace: Workspace, side: str, run: Run) -> int:
    """Adds `SIDE_documents` (`page`, the `content` it has, the `key` of its address) and
    `SIDE_paragraphs` (`page`, `paragraph`), and gives the number of documents. The workspace must
    have its paragraphs (see `require_tables`)."""
    run.begin(f"taking in {workspace.path.name}")
    pages, rows = f"{side}_pages", f"{side}_rows"
    database.add(pages, pa.RecordBatchReader.from_batches(_PAGES, _long_pages(workspace, run)))
    database.keep(pages, f"SELECT * FROM {pages}")
    database.add(rows, pa.RecordBatchReader.from_batches(_ROWS, _paragraphs(workspace)))
    database.keep(rows, f"SELECT * FROM {rows}")
    documents = f"{side}_documents"
    database.keep(documents, _DOCUMENTS.format(pages=pages, rows=rows))
    database.keep(f"{side}_paragraphs", _PARAGRAPHS.format(documents=documents, rows=rows))
    for gone in (pages, rows):
        database.keep(gone, "SELECT 1 AS nothing WHERE false")
    return int(database.row(f"SELECT count(*) AS pages FROM {documents}")["pages"])


def _long_pages(workspace: Workspace, run: Run) -> Iterator[pa.RecordBatch]:
    for batch in workspace.batches(["page", "revisit_of", "url", "chars"]):
        rows = batch.filter(pc.fill_null(pc.greater(batch["chars"], LONGEST_LEFT_OUT), False))
        keys, _ = _core.address_keys(rows.select(["url"]), run.threads)
        content = pc.coalesce(rows["revisit_of"], rows["page"])
        yield pa.RecordBatch.from_arrays([rows["page"], content, keys], schema=_PAGES)


def _paragraphs(workspace: Workspace) -> Iterator[pa.RecordBatch]:
    for batch in workspace.batches(["page", COLUMN], TABLE):
        lists = batch[COLUMN]
        parents = pc.list_parent_indices(lists)
        columns = [batch["page"].take(parents), pc.list_flatten(lists)]
        yield pa.RecordBatch.from_arrays(columns, schema=_ROWS)


def add_similar(database: Database, least: int, most: int = MOST) -> LeftOut:
    """Adds `similar_pairs` (`new`, `old`, `shared`): documents with at least `least` paragraphs in
    common. Of the old ones only those in `total` (`page`) are looked up, the total answer set."""
    database.keep("standing", _STANDING)
    left_out = database.row(
        "SELECT count(*) AS paragraphs, CAST(coalesce(sum(pages), 0) AS BIGINT) AS places "
        f"FROM standing WHERE pages > {most}"
    )
    database.keep("looked_up", _LOOKED_UP.format(most=most))
    database.keep("similar_pairs", _SIMILAR.format(least=least))
    return LeftOut(**left_out)


def shared_paragraphs(database: Database) -> pa.RecordBatchReader:
    """`new`, `old`, `paragraph` of all that is in `similar_pairs`, sorted by the pages, of new
    documents that are similar to two old ones or more."""
    return database.batches(_SHARED, BATCH)


def new_similar(database: Database, log: int) -> int:
    """How many new documents have at least one paragraph of the total answer set of a log; no
    paragraph is left out."""
    return int(database.row(_NEW_SIMILAR.format(log=log))["pages"])
