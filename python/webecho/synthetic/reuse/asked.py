"""What queries lead to, and what each case comes to, as tables of the truth."""

from collections.abc import Sequence

import pyarrow as pa

from webecho.synthetic.reuse.logs import Log
from webecho.synthetic.reuse.plan import Plan
from webecho.synthetic.truth import ask

QUERIES = pa.schema(
    [
        ("log", pa.string()),
        ("query", pa.string()),
        ("role", pa.string()),
        ("requests", pa.int32()),
        ("first", pa.timestamp("s", tz="UTC")),
        ("last", pa.timestamp("s", tz="UTC")),
        ("topic", pa.int64()),
        ("answers", pa.int32()),
        ("copies", pa.int32()),
    ]
)
CASES = pa.schema(
    [
        ("condition", pa.int32()),
        ("minimal", pa.int32()),
        ("case", pa.string()),
        ("snapshot", pa.int32()),
        ("page", pa.int64()),
        ("url", pa.string()),
        ("kept", pa.bool_()),
        ("old_urls", pa.list_(pa.string())),
        ("queries", pa.list_(pa.string())),
    ]
)

_ANSWERS = """
SELECT DISTINCT query.query, page.snapshot, page.page, page.url
FROM queries AS query JOIN pages AS page ON page.topic = query.topic
ORDER BY query.query NULLS LAST, page.snapshot NULLS LAST, page.page NULLS LAST
"""
_QUERIES = """
SELECT query.log, query.query, query.role, query.requests, query.first, query.last, query.topic,
    (
        SELECT CAST(count(*) AS INTEGER) FROM pages AS page
        WHERE page.topic = query.topic AND page.snapshot = query.old
    ) AS answers,
    (
        SELECT CAST(count(DISTINCT copy.child_page) AS INTEGER) FROM copies AS copy
        WHERE copy.via = query.query AND copy.child_snapshot = query.old + 1 AND query.after > 0
    ) AS copies
FROM queries AS query
ORDER BY query.log NULLS LAST, query.requests DESC NULLS LAST, query.query NULLS LAST
"""


def queries(found: Sequence[Log], pages: pa.Table, copies: pa.Table) -> dict[str, pa.Table]:
    """The queries of all logs with what they lead to in the snapshot before, and how many pages of
    the next one were composed through them; and the pages that have their names."""
    rows = [
        {
            "log": log.name,
            "query": query.text,
            "role": query.role,
            "requests": len(query.times),
            "first": query.times[0],
            "last": query.times[-1],
            "topic": query.topic,
            "after": log.after,
            "old": max(1, log.after),
        }
        for log in found
        for query in log.queries
    ]
    schema = pa.schema([*QUERIES][:7]).append(pa.field("after", pa.int32()))
    table = pa.Table.from_pylist(rows, schema.append(pa.field("old", pa.int32())))
    return {
        "queries": ask(_QUERIES, queries=table, pages=pages, copies=copies).cast(QUERIES),
        "answers": ask(_ANSWERS, queries=table, pages=pages),
    }


def cases(plan: Plan, truths: Sequence[pa.Table], texts: dict[int, str]) -> pa.Table:
    """A row for each new page of a case. Of several the first in the order of the crawl is kept, if
    one is."""
    at = [
        {row["document"]: row for row in truth.select(["document", "page", "url"]).to_pylist()}
        for truth in truths
    ]
    rows = []
    for case, new in ((reaped.case, reaped.new) for reaped in plan.cases):
        snapshot = 1 + case.old[0].born
        here, before = at[snapshot - 1], at[snapshot - 2]
        found = sorted((here[page.document] for page in new), key=lambda row: row["page"])
        rows += [
            {
                "condition": case.condition,
                "minimal": case.minimal,
                "case": case.case,
                "snapshot": snapshot,
                "page": row["page"],
                "url": row["url"],
                "kept": number < case.kept,
                "old_urls": [before[page.document]["url"] for page in case.old],
                "queries": [texts[topic] for topic in case.topics],
            }
            for number, row in enumerate(found)
        ]
    return pa.Table.from_pylist(rows, CASES)
