"""Gathers sketched batches until a part is full, and writes it.

Where a part ends depends on the input alone: after `part_pages` pages, or at the end of an input.
"""

from collections import Counter
from dataclasses import dataclass, field

import pyarrow as pa

from webecho.read.pages import Skipped
from webecho.sketches.workspace import Part, Workspace, write_table

SKIPPED = pa.schema(
    [
        pa.field("source", pa.int32(), nullable=False),
        pa.field("place", pa.int64(), nullable=False),
        pa.field("reason", pa.string(), nullable=False),
        pa.field("detail", pa.string()),
        pa.field("url", pa.string()),
        pa.field("location", pa.string()),
        pa.field("failed", pa.bool_(), nullable=False),
    ]
)

# By which fingerprints pages can be referred to, and which ones revisits refer to.
RECORDS = pa.schema(
    [
        pa.field("page", pa.int64(), nullable=False),
        pa.field("key", pa.int64(), nullable=False),
        pa.field("refers", pa.bool_(), nullable=False),
    ]
)


@dataclass
class OpenPart:
    """The part that is being filled."""

    first: int
    input: int
    source: int = -1
    place: int = -1
    pages: int = 0
    tables: dict[str, list[pa.Table]] = field(default_factory=dict)
    skipped: list[tuple[int, Skipped]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, table: str, rows: pa.Table) -> None:
        self.tables.setdefault(table, []).append(rows)

    def reach(self, source: int, place: int) -> None:
        """Notes how far the sources are read: a later run goes on from there."""
        self.place = max(self.place, place) if source == self.source else place
        self.source = source

    def skip(self, source: int, skipped: Skipped) -> None:
        self.skipped.append((source, skipped))
        self.reach(source, skipped.place)
        self.counts["failed" if skipped.failed else "skipped"] += 1
        self.counts[f"{'failed' if skipped.failed else 'skipped'}: {skipped.reason}"] += 1

    def write(self, workspace: Workspace, number: int, ends_input: bool) -> Part:
        """Writes all tables of the part; the caller then names it in the manifest."""
        if self.skipped:
            self.add("skipped", skipped_table(self.skipped))
        files = {
            name: write_table(
                workspace.part_file(name, number), pa.concat_tables(tables).combine_chunks()
            )
            for name, tables in sorted(self.tables.items())
            if any(table.num_rows for table in tables)
        }
        return Part(
            first=self.first,
            pages=self.pages,
            input=self.input,
            source=self.source,
            place=self.place,
            ends_input=ends_input,
            counts=dict(sorted(self.counts.items())),
            files=files,
        )


def skipped_table(rows: list[tuple[int, Skipped]]) -> pa.Table:
    columns: dict[str, list[object]] = {name: [] for name in SKIPPED.names}
    for source, skipped in rows:
        columns["source"].append(source)
        for name in SKIPPED.names[1:]:
            columns[name].append(getattr(skipped, name))
    return pa.table(columns, schema=SKIPPED)
