"""Revisits: WARC records that say "as fetched before" instead of holding the page again.

A revisit counts as an exact copy of the record it refers to where that is known: once all pages
are read, its row gets the other's sketch, and `revisit_of` says whose. Where it is not known, the
row's sketch stays null and the page is counted apart; a record that is appended later can still
make it known.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from webecho.engine.local import connect
from webecho.sketches.parts import RECORDS
from webecho.sketches.tables import TableWriter
from webecho.sketches.workspace import Part, Workspace

# For each revisit the page it points to: of several the first, but one that holds its content
# before another revisit. One page for each key, so that a digest which many share costs no more.
POINTERS = """
WITH revisits AS (SELECT DISTINCT page FROM records WHERE refers),
named AS (
    SELECT
        key,
        min(records.page) FILTER (WHERE revisits.page IS NULL) AS original,
        min(records.page) FILTER (WHERE revisits.page IS NOT NULL) AS repeated
    FROM records LEFT JOIN revisits ON revisits.page = records.page
    WHERE NOT refers
    GROUP BY key
)
SELECT
    records.page AS page,
    min(original) AS original,
    min(repeated) FILTER (WHERE repeated <> records.page) AS repeated
FROM records JOIN named ON named.key = records.key
WHERE refers
GROUP BY records.page
ORDER BY records.page
"""

# What a revisit has of its own; the rest of its row is its original's.
OWN = {"page", "id", "url", "host", "site", "ip", "fetched", "source", "place", "revisit_of"}
OWN |= {"beside", "by", "value"}


def resolve_revisits(workspace: Workspace) -> None:
    """Gives each revisit whose original is in the workspace that original's sketch."""
    manifest = workspace.manifest
    if not manifest.counts.get("revisits"):
        return
    known = originals(workspace)
    written: list[TableWriter] = []
    for number, part in enumerate(manifest.parts):
        if part.counts.get("revisits"):
            here = known.filter(
                pc.and_(
                    pc.greater_equal(known["page"], part.first),
                    pc.less(known["page"], part.first + part.pages),
                )
            )
            manifest.parts[number] = with_originals(workspace, number, part, here, written)
    # The new files are complete and the manifest names their checksums before they replace the
    # old ones: a run that is killed between two of them can still be gone on with.
    workspace.save()
    for writer in written:
        writer.aside.replace(writer.file)


def originals(workspace: Workspace) -> pa.Table:
    """Each revisit with the page it repeats: columns `page`, `original`."""
    files = [str(file) for file in workspace.part_files("records")]
    with connect() as connection:
        records = connection.read_parquet(files) if files else RECORDS.empty_table()
        connection.register("records", records)
        pointers: pa.Table = connection.sql(POINTERS).to_arrow_table()
    known = {page: original for page, original, _ in rows_of(pointers) if original is not None}
    # A revisit of a revisit is one of what that repeats; a chain may end nowhere, or in itself.
    steps = {page: other for page, original, other in rows_of(pointers) if original is None}
    lost: set[int] = set()
    for page in steps:
        way: set[int] = set()
        end = page
        while end in steps and end not in known and end not in way and end not in lost:
            way.add(end)
            end = steps[end]
        if end in known:
            known |= dict.fromkeys(way, known[end])
        else:
            lost |= way
    pages = sorted(known)
    found = {"page": pages, "original": [known[page] for page in pages]}
    return pa.table(found, pa.schema([("page", pa.int64()), ("original", pa.int64())]))


def rows_of(table: pa.Table) -> Iterator[tuple[Any, ...]]:
    return zip(*(column.to_pylist() for column in table.columns), strict=True)


def with_originals(
    workspace: Workspace, number: int, part: Part, known: pa.Table, written: list[TableWriter]
) -> Part:
    """Rewrites a part's files aside with the originals' sketches in the rows of their revisits."""
    unknown = part.counts["revisits"] - len(known)
    counts = part.counts | {"revisits of unknown records": unknown}
    files = dict(part.files)
    for table in ("sketches", "shingles"):
        if table in files and len(known):
            writer = TableWriter(workspace.part_file(table, number))
            writer.write(copy_rows(workspace, table, number, part.first, known))
            files[table] = writer.complete()
            written.append(writer)
    return replace(part, counts=dict(sorted(counts.items())), files=files)


def copy_rows(
    workspace: Workspace, table: str, number: int, first: int, known: pa.Table
) -> pa.Table:
    """The rows of a part, those of its revisits with their originals' sketches."""
    rows = pq.read_table(workspace.part_file(table, number))
    copied = [name for name in rows.column_names if name not in OWN]
    wanted = pc.unique(known["original"])
    found = pa.Table.from_batches(
        [
            batch.filter(pc.is_in(batch["page"], wanted))
            for batch in workspace.batches(["page", *copied], table)
        ]
    )
    # Row i of the part takes row i of the part, or the row appended for its original.
    take = list(range(len(rows)))
    at = pc.index_in(known["original"], found["page"]).to_pylist()
    repeats: list[int | None] = [None] * len(rows)
    for (page, original), row in zip(rows_of(known), at, strict=True):
        take[page - first] = len(rows) + row
        repeats[page - first] = original
    for name in copied:
        both = pa.chunked_array([*rows[name].chunks, *found[name].chunks], rows[name].type)
        column = rows.column_names.index(name)
        rows = rows.set_column(column, rows.field(name), both.take(pa.array(take, pa.int64())))
    if "revisit_of" in rows.column_names:
        column = rows.column_names.index("revisit_of")
        rows = rows.set_column(column, rows.field(column), pa.array(repeats, pa.int64()))
    return rows
