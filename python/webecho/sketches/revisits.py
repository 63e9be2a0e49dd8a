"""Revisits: WARC records that say "as fetched before" instead of holding the page again.

A revisit counts as an exact copy of the record it refers to where that is known: once all pages
are read, its row gets the other's sketch. Where it is not, the row's sketch stays null and the
page is counted apart; a record that is appended later can still make it known.
"""

from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from webecho.engine.local import connect
from webecho.sketches.tables import write_table
from webecho.sketches.workspace import Workspace

# Of several records that a revisit may mean, the first is taken.
RESOLVE = """
SELECT revisit.page AS page, min(original.page) AS original
FROM records AS revisit
JOIN records AS original ON original.key = revisit.key
WHERE revisit.refers AND NOT original.refers
GROUP BY revisit.page
ORDER BY revisit.page
"""


def resolve_revisits(workspace: Workspace) -> None:
    """Gives each revisit whose original is in the workspace that original's sketch."""
    manifest = workspace.manifest
    if not manifest.counts.get("revisits"):
        return
    with connect() as connection:
        records = [str(file) for file in workspace.part_files("records")]
        connection.register("records", connection.read_parquet(records))
        known: pa.Table = connection.sql(RESOLVE).to_arrow_table()
    for number, part in enumerate(manifest.parts):
        if not part.counts.get("revisits"):
            continue
        inside = pc.and_(
            pc.greater_equal(known["page"], part.first),
            pc.less(known["page"], part.first + part.pages),
        )
        here = known.filter(inside)
        counts = part.counts | {"revisits of unknown records": part.counts["revisits"] - len(here)}
        files = dict(part.files)
        for table in ("sketches", "shingles"):
            if table in files and len(here):
                files[table] = copy_rows(workspace, table, number, part.first, here)
        manifest.parts[number] = replace(part, counts=dict(sorted(counts.items())), files=files)
    workspace.save()


def copy_rows(workspace: Workspace, table: str, number: int, first: int, known: pa.Table) -> str:
    """Rewrites a part with the sketches of the originals in the rows of their revisits."""
    file = workspace.part_file(table, number)
    rows = pq.read_table(file)
    own = {"page", "id", "url", "host", "site", "ip", "fetched", "source", "place"}
    copied = [name for name in rows.column_names if name not in own]
    originals = rows_of(workspace, table, known["original"].unique().to_pylist(), copied)
    at = pc.index_in(known["original"], originals["page"])
    # Row i of the part takes row i of the part, or the row appended for its original.
    source = list(range(len(rows)))
    for page, original in zip(known["page"].to_pylist(), at.to_pylist(), strict=True):
        source[page - first] = len(rows) + original
    for name in copied:
        both = pa.chunked_array([*rows[name].chunks, *originals[name].chunks], rows[name].type)
        column = rows.column_names.index(name)
        rows = rows.set_column(column, rows.field(name), both.take(pa.array(source)))
    return write_table(file, [rows])


def rows_of(
    workspace: Workspace, table: str, pages: Sequence[int], columns: Sequence[str]
) -> pa.Table:
    """The rows of some pages."""
    wanted = pa.array(sorted(pages), pa.int64())
    found = [
        batch.filter(pc.is_in(batch["page"], wanted))
        for batch in workspace.batches(["page", *columns], table)
    ]
    return pa.Table.from_batches(found)
