"""Revisits: WARC records that say "as fetched before" instead of holding the page again.

A revisit counts as an exact copy of the record it refers to where that is known: once all pages
are read, its row gets the other's sketch, and `revisit_of` says whose. Where it is not known, the
row's sketch stays null and the page is counted apart; a record that is appended later can still
make it known.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from webecho.engine.protocol import Database
from webecho.run import Run
from webecho.workspace.table_files import SHINGLE_ROWS, TableWriter
from webecho.workspace.workspace import Workspace

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
"""

PENDING = """
SELECT count(*) AS pointers FROM pointers WHERE original IS NULL AND repeated IS NOT NULL
"""

# A revisit of a revisit is one of what that repeats. Each round goes twice as far as the one
# before; a chain may end nowhere, or in itself.
FURTHER = """
SELECT
    here.page AS page,
    coalesce(here.original, there.original) AS original,
    CASE WHEN coalesce(here.original, there.original) IS NULL THEN there.repeated END AS repeated
FROM pointers AS here
LEFT JOIN pointers AS there ON here.original IS NULL AND there.page = here.repeated
"""

# What the revisits take from their originals, in the order of the revisits: one pass over the wide
# columns, whatever the number of parts.
ORIGINALS = """
SELECT known.page AS page, known.original AS revisit_of, {columns}
FROM known JOIN {table} AS rows ON rows.page = known.original
ORDER BY known.page NULLS LAST
"""

# What a revisit has of its own; the rest of its row is its original's.
OWN = {"page", "id", "url", "host", "site", "ip", "fetched", "source", "place", "revisit_of"}
OWN |= {"beside", "by", "values", "ranked"}
# Rows that are held at a time: wide ones, and such as have any number of shingles.
HELD = {"sketches": 2048, "shingles": SHINGLE_ROWS}


def resolve_revisits(workspace: Workspace, run: Run, held: Mapping[str, int] = HELD) -> None:
    """Gives each revisit whose original is in the workspace that original's sketch; of each table
    so many rows are held at a time."""
    manifest = workspace.manifest
    if not manifest.counts.get("revisits"):
        return
    with run.database() as database:
        find_originals(database, workspace)
        count_unknown(database, workspace)
        written = [
            writer
            for table, rows in held.items()
            for writer in rewrite(database, workspace, table, rows)
        ]
    # The new files are complete and the manifest names their checksums before they replace the
    # old ones: a run that is killed between two of them can still be gone on with.
    workspace.save()
    for writer in written:
        writer.aside.replace(writer.file)


def find_originals(database: Database, workspace: Workspace) -> None:
    """Makes the table `known`: each revisit, `page`, with the page it repeats, `original`."""
    database.add("records", workspace.stored("records"))
    database.keep("pointers", POINTERS)
    longest: int = database.row(PENDING)["pointers"]
    for _ in range(longest.bit_length()):
        database.keep("pointers", FURTHER)
    database.keep("known", "SELECT page, original FROM pointers WHERE original IS NOT NULL")


def count_unknown(database: Database, workspace: Workspace) -> None:
    parts = workspace.manifest.parts
    for number, part in enumerate(parts):
        if revisits := part.counts.get("revisits"):
            last = part.first + part.pages - 1
            here = f"SELECT count(*) AS known FROM known WHERE page BETWEEN {part.first} AND {last}"
            unknown = revisits - database.row(here)["known"]
            counts = part.counts | {"revisits of unknown records": unknown}
            parts[number] = replace(part, counts=dict(sorted(counts.items())))


def rewrite(
    database: Database, workspace: Workspace, table: str, rows: int
) -> Iterator[TableWriter]:
    """Writes the parts in which revisits are known aside, with the originals' sketches in them."""
    stored = workspace.stored(table)
    if not stored.files:
        return
    parts = workspace.manifest.parts
    names = stored.schema.names
    database.add(table, stored)
    columns = ", ".join(name for name in names if name not in OWN)
    originals = Originals(database.batches(ORIGINALS.format(columns=columns, table=table), rows))
    for number, part in enumerate(parts):
        known = part.counts.get("revisits", 0) - part.counts.get("revisits of unknown records", 0)
        if table in part.files and known:
            file = workspace.part_file(table, number)
            writer = TableWriter(file, durable=not workspace.temporary)
            for batch in workspace.part_batches(table, number, names):
                writer.write(with_originals(pa.Table.from_batches([batch]), originals))
            parts[number] = replace(part, files=part.files | {table: writer.complete()})
            yield writer


class Originals:
    """What revisits take from their originals, handed out page after page."""

    def __init__(self, batches: Iterator[pa.RecordBatch]) -> None:
        self._batches = batches
        self._held: list[pa.RecordBatch] = []

    def up_to(self, last: int) -> pa.Table | None:
        """The rows for the revisits up to the last, less those given before."""
        while not self._held or self._held[-1]["page"][-1].as_py() <= last:
            batch = next(self._batches, None)
            if batch is None:
                break
            if len(batch):
                self._held.append(batch)
        if not self._held:
            return None
        held = pa.Table.from_batches(self._held)
        count = pc.sum(pc.less_equal(held["page"], last)).as_py()
        self._held = held.slice(count).to_batches()
        return held.slice(0, count) if count else None


def with_originals(rows: pa.Table, originals: Originals) -> pa.Table:
    """The rows of a table, those of revisits with what they take from their originals."""
    found = originals.up_to(rows["page"][-1].as_py())
    if found is None:
        return rows
    # Row i takes row i, or the one appended for its original; of revisit_of too, which the rows
    # of pages that are no revisits have as null.
    at = pc.index_in(rows["page"], found["page"])
    take = pc.coalesce(pc.add(at, len(rows)).cast(pa.int64()), pa.array(range(len(rows))))
    for name in rows.column_names:
        if name in OWN and name != "revisit_of":
            continue
        column = rows.column_names.index(name)
        kind = rows.field(name).type
        both = pa.chunked_array([*rows[name].chunks, *found[name].cast(kind).chunks], kind)
        rows = rows.set_column(column, rows.field(name), both.take(take))
    return rows
