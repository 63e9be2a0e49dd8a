"""Revisits: WARC records that say "as fetched before" instead of holding the page again.

A revisit counts as an exact copy of the record it refers to where that is known: once all pages
are read, its row gets the other's sketch, and `revisit_of` says whose. Where it is not known, the
row's sketch stays null and the page is counted apart; a record that is appended later can still
make it known.
"""

from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from webecho.engine.local import connect
from webecho.sketches.parts import RECORDS
from webecho.sketches.tables import TableWriter
from webecho.sketches.workspace import Part, Workspace

# Of several records that a revisit may mean, the first is taken. A revisit of a revisit is one of
# what that one repeats.
RESOLVE = """
WITH RECURSIVE revisits AS (SELECT DISTINCT page FROM records WHERE refers),
steps AS (
    SELECT DISTINCT revisit.page AS page, named.page AS other
    FROM records AS revisit JOIN records AS named ON named.key = revisit.key
    WHERE revisit.refers AND NOT named.refers AND named.page <> revisit.page
),
ways AS (
    SELECT page, other FROM steps
    UNION
    SELECT ways.page, steps.other FROM ways JOIN steps ON steps.page = ways.other
)
SELECT page, min(other) AS original
FROM ways WHERE other NOT IN (SELECT page FROM revisits)
GROUP BY page ORDER BY page
"""

# What a revisit has of its own; the rest of its row is its original's.
OWN = {"page", "id", "url", "host", "site", "ip", "fetched", "source", "place", "revisit_of"}


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
        found: pa.Table = connection.sql(RESOLVE).to_arrow_table()
    return found


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
    for page, original, row in zip(*known.to_pydict().values(), at, strict=True):
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
