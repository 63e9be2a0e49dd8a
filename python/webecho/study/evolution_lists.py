"""Lists of addresses and clusters for the study of evolution: page numbers with their addresses."""

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from webecho.engine.protocol import Database
from webecho.study.cluster_events import BY_EARLIER, STEP, Step

NAMED = """
SELECT wanted.page AS page, url FROM wanted
JOIN sketches_{number} AS sketches ON sketches.page = wanted.page
"""
EVENT_LIST = pa.schema(
    {
        **STEP,
        "event": pa.string(),
        "earlier": pa.string(),
        "later": pa.string(),
        "addresses before": pa.int64(),
        "addresses after": pa.int64(),
        "in common": pa.int64(),
        "parts": pa.int64(),
    }
)
EVENT_PAGES = pa.schema(
    {
        **STEP,
        "event": pa.string(),
        "cluster": pa.string(),
        "url": pa.string(),
        "before": pa.string(),
        "after": pa.string(),
    }
)
REVISITS = pa.schema(
    {
        "url": pa.string(),
        "representative": pa.string(),
        "cluster size": pa.int64(),
        "same text now": pa.bool_(),
        "visits": pa.int64(),
        "came out the same": pa.int64(),
        "probability": pa.float64(),
    }
)
COEFFICIENTS = pa.schema(
    {
        "url": pa.string(),
        "cluster size in 1": pa.int64(),
        "cluster size in n": pa.int64(),
        "in common": pa.int64(),
        "containment Φ₁ⁿ": pa.float64(),
        "similarity Ψ": pa.float64(),
        "containment Φₙ¹": pa.float64(),
    }
)
# Where a page is that is in no cluster of two and more.
SINGLE, GONE, NEW = "single", "gone", "new"
Urls = dict[int | None, str | None]


def urls(database: Database, number: int, pages: Iterable[int | None]) -> Urls:
    """The addresses of these pages of a snapshot."""
    wanted = sorted({page for page in pages if page is not None})
    database.add("wanted", pa.table({"page": pa.array(wanted, pa.int64())}))
    found = database.table(NAMED.format(number=number))
    named: Urls = dict(zip(found["page"].to_pylist(), found["url"].to_pylist(), strict=True))
    return named


def event_lists(database: Database, every: Sequence[Step]) -> tuple[pa.Table, pa.Table]:
    """The largest events of all steps, and their pages."""
    events: list[dict[str, Any]] = []
    pages: list[dict[str, Any]] = []
    for step in every:
        largest = step.largest.to_pylist()
        by_side = [table.to_pylist() for table in step.pages]
        names: list[Urls] = []
        for side, own, other in (("earlier", 0, 1), ("later", 1, 0)):
            wanted = [row[side] for row in largest]
            wanted += [row[name] for row in by_side[own] for name in ("cluster", "page")]
            wanted += [row["other_first"] for row in by_side[other]]
            names.append(urls(database, step.number + own, wanted))
        at = {"from": step.number, "to": step.number + 1}
        events += [
            at
            | {
                "event": row["event"],
                "earlier": names[0].get(row["earlier"]),
                "later": names[1].get(row["later"]),
                "addresses before": row["pages_before"],
                "addresses after": row["pages_after"],
                "in common": row["shared"],
                "parts": row["parts"],
            }
            for row in largest
        ]
        pages += [at | row for row in page_rows(by_side, names)]
    return pa.Table.from_pylist(events, EVENT_LIST), pa.Table.from_pylist(pages, EVENT_PAGES)


def page_rows(
    by_side: Sequence[list[dict[str, Any]]], names: Sequence[Urls]
) -> list[dict[str, Any]]:
    """The pages of events with the clusters that they were and are in, by the representatives."""
    rows = []
    for own, found in enumerate(by_side):
        for row in found:
            here = names[own][row["cluster"]]
            if not row["there"]:
                there: str | None = GONE if row["event"] in BY_EARLIER else NEW
            else:
                single = row["other_size"] == 1
                there = SINGLE if single else names[1 - own][row["other_first"]]
            before, after = (here, there) if own == 0 else (there, here)
            rows.append(
                {
                    "event": row["event"],
                    "cluster": here,
                    "url": names[own][row["page"]],
                    "before": before,
                    "after": after,
                }
            )
    return rows


def revisit_list(database: Database, number: int, found: pa.Table) -> pa.Table:
    """Candidates of a snapshot (see revisits.py) with their addresses."""
    rows = found.to_pylist()
    named = urls(database, number, [row[name] for row in rows for name in ("page", "cluster")])
    return pa.Table.from_pylist(
        [
            {
                "url": named[row["page"]],
                "representative": named[row["cluster"]],
                "cluster size": row["size"],
                "same text now": row["same_now"] == 1,
                "visits": row["visits"],
                "came out the same": row["same"],
                "probability": row["probability"],
            }
            for row in rows
        ],
        REVISITS,
    )


def coefficient_list(database: Database, found: pa.Table) -> pa.Table:
    """Coefficients of addresses of the first snapshot (see cluster_coefficients.py)."""
    rows = found.to_pylist()
    named = urls(database, 1, [row["page"] for row in rows])
    return pa.Table.from_pylist(
        [
            {
                "url": named[row["page"]],
                "cluster size in 1": row["one_size"],
                "cluster size in n": row["other_size"],
                "in common": row["shared"],
                "containment Φ₁ⁿ": row["contained"],
                "similarity Ψ": row["alike"],
                "containment Φₙ¹": row["reverse"],
            }
            for row in rows
        ],
        COEFFICIENTS,
    )
