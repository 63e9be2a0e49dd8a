"""Who has what from whom: the pairs of pages of two snapshots that share shingle paragraphs with
overlap, counted from the numbers of their sentences."""

from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from webecho.synthetic.evolving.across import numbered
from webecho.synthetic.reuse.plan import Plan
from webecho.synthetic.reuse.texts import LICENCE, PLACES
from webecho.synthetic.truth import ask

# What is only popular is no pair: a popular text has fewer paragraphs than any minimal number, and
# very many pages have it. A text that one document has alone is shared with nobody.
_PAIRS = """
WITH known AS (
    SELECT * FROM windows WHERE text IN (
        SELECT text FROM windows GROUP BY text HAVING count(DISTINCT document) > 1
    ) AND NOT popular
)
SELECT
    new.snapshot AS child_snapshot, new.page AS child_page,
    old.snapshot AS parent_snapshot, old.page AS parent_page,
    count(*) AS shared
FROM known AS new
JOIN known AS old
    ON old.first = new.first AND old.middle = new.middle AND old.last = new.last
    AND old.snapshot < new.snapshot AND old.document <> new.document
GROUP BY ALL
"""
# The popular paragraphs that such pairs share beside.
_POPULAR = """
SELECT
    pair.child_snapshot, pair.child_page, pair.parent_snapshot, pair.parent_page,
    count(*) AS popular
FROM pairs AS pair
JOIN windows AS new ON new.snapshot = pair.child_snapshot AND new.page = pair.child_page
JOIN windows AS old
    ON old.snapshot = pair.parent_snapshot AND old.page = pair.parent_page
    AND old.first = new.first AND old.middle = new.middle AND old.last = new.last
GROUP BY ALL
"""
_COPIES = """
SELECT
    pair.child_snapshot, pair.child_page, child.url AS child_url,
    pair.parent_snapshot, pair.parent_page, parent.url AS parent_url,
    CAST(pair.shared + coalesce(beside.popular, 0) AS INTEGER) AS shared,
    CAST(coalesce(beside.popular, 0) AS INTEGER) AS popular,
    before.document IS NULL AS child_new,
    source.document IS NOT NULL AS copied,
    source.via
FROM pairs AS pair
LEFT JOIN popular AS beside USING (child_snapshot, child_page, parent_snapshot, parent_page)
JOIN pages AS child ON child.snapshot = pair.child_snapshot AND child.page = pair.child_page
JOIN pages AS parent ON parent.snapshot = pair.parent_snapshot AND parent.page = pair.parent_page
LEFT JOIN pages AS before
    ON before.snapshot = pair.parent_snapshot AND before.document = child.document
LEFT JOIN sources AS source
    ON source.snapshot = pair.child_snapshot AND source.document = child.document
    AND source.source = parent.document AND pair.parent_snapshot = pair.child_snapshot - 1
ORDER BY
    pair.child_snapshot NULLS LAST, pair.child_page NULLS LAST,
    pair.parent_snapshot NULLS LAST, pair.parent_page NULLS LAST
"""
# Pages that stay, with the paragraphs that their texts share.
_EQUIVALENTS = """
WITH stays AS (
    SELECT
        old.document, old.url, old.snapshot AS old_snapshot, old.page AS old_page,
        new.snapshot AS new_snapshot, new.page AS new_page
    FROM pages AS old
    JOIN pages AS new ON new.document = old.document AND new.snapshot > old.snapshot
), counts AS (
    SELECT
        old.snapshot AS old_snapshot, old.page AS old_page, new.snapshot AS new_snapshot,
        count(*) AS shared
    FROM windows AS old
    JOIN windows AS new
        ON new.document = old.document AND new.snapshot > old.snapshot
        AND new.first = old.first AND new.middle = old.middle AND new.last = old.last
    GROUP BY ALL
)
SELECT
    pair.old_snapshot, pair.old_page, pair.new_snapshot, pair.new_page, pair.url,
    CAST(coalesce(counts.shared, 0) AS INTEGER) AS shared
FROM stays AS pair LEFT JOIN counts USING (old_snapshot, old_page, new_snapshot)
ORDER BY
    pair.old_snapshot NULLS LAST, pair.new_snapshot NULLS LAST, pair.old_page NULLS LAST
"""
_SOURCES = pa.schema(
    [
        ("snapshot", pa.int32()),
        ("document", pa.int64()),
        ("source", pa.int64()),
        ("via", pa.string()),
    ]
)


def copies(
    truths: Sequence[pa.Table], plan: Plan, queries: Mapping[int, str]
) -> dict[str, pa.Table]:
    """A row for each pair of pages of two snapshots that share more than a popular text, and one
    for each page that stays; `queries` are the texts of queries by their topics."""
    found = [windows(snapshot, truth) for snapshot, truth in enumerate(truths, 1)]
    table = ask("SELECT DISTINCT * FROM windows", windows=pa.concat_tables(found))
    pairs = ask(_PAIRS, windows=table)
    every = pages(truths)
    return {
        "copies": ask(
            _COPIES,
            pairs=pairs,
            popular=ask(_POPULAR, pairs=pairs, windows=table.filter(table["popular"])),
            pages=every,
            sources=pa.Table.from_pylist(list(sources(plan, queries)), _SOURCES),
        ),
        "equivalents": ask(_EQUIVALENTS, windows=table, pages=every),
    }


def pages(truths: Sequence[pa.Table]) -> pa.Table:
    """The pages of all snapshots."""
    return numbered([truth.select(["page", "url", "document", "topic"]) for truth in truths])


def windows(snapshot: int, truth: pa.Table) -> pa.Table:
    """The distinct overlapping paragraphs of each page: the numbers of three sentences, the text of
    the first, and whether all are of a popular text."""
    lists = truth["sentences"].combine_chunks()
    values, rows = lists.flatten(), pc.list_parent_indices(lists)
    size = max(0, len(values) - 2)
    first, middle, last = (values.slice(at, size) for at in range(3))
    text = pc.divide(first, PLACES)
    popular = [pc.less(one, PLACES * LICENCE) for one in (first, middle, last)]
    page = rows.slice(0, size)
    table = pa.table(
        {
            "snapshot": pa.repeat(pa.scalar(snapshot, pa.int32()), size),
            "page": truth["page"].combine_chunks().take(page),
            "document": truth["document"].combine_chunks().take(page),
            "first": first,
            "middle": middle,
            "last": last,
            "text": text,
            "popular": pc.and_(pc.and_(popular[0], popular[1]), popular[2]),
        }
    )
    return table.filter(pc.equal(page, rows.slice(2, size)))


def sources(plan: Plan, queries: Mapping[int, str]) -> Iterator[dict[str, object]]:
    """What each new page was written from."""
    for snapshot, some in enumerate(plan.snapshots, 1):
        for page in some:
            for source in {one.document: one for one in page.sources}.values():
                via = None if source.topic is None else queries.get(source.topic)
                yield {
                    "snapshot": snapshot,
                    "document": page.document,
                    "source": source.document,
                    "via": via,
                }
