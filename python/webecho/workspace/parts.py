"""Gathers sketched batches until a part is full, and writes it.

Where a part ends depends on the input alone: after `part_pages` pages, or at the end of an input.
"""

from collections import Counter
from concurrent.futures import Executor, Future

import pyarrow as pa

from webecho.formats.skipped import Skipped
from webecho.workspace.manifest import Part
from webecho.workspace.schemas import SKIPPED
from webecho.workspace.table_files import ROWS, TableWriter
from webecho.workspace.workspace import Workspace


class OpenPart:
    """The part that is being filled; its rows are written by another thread as they come."""

    def __init__(
        self, workspace: Workspace, writer: Executor, number: int, first: int, input_: int
    ) -> None:
        self.workspace = workspace
        self.writer = writer
        self.number = number
        self.first = first
        self.input = input_
        self.source = -1
        self.place = -1
        self.pages = 0
        self.counts: Counter[str] = Counter()
        self.skipped: list[tuple[int, Skipped]] = []
        self.tables: dict[str, TableWriter] = {}
        self.writing: Future[None] | None = None

    def add(self, table: str, rows: pa.Table) -> None:
        """Hands rows to the writing thread, once it is done with those before."""
        self.settle()
        file = self.workspace.part_file(table, self.number)
        durable = not self.workspace.temporary
        into = self.tables.setdefault(table, TableWriter(file, durable=durable))
        self.writing = self.writer.submit(into.write, rows)

    def settle(self) -> None:
        if self.writing:
            self.writing.result()
            self.writing = None

    def reach(self, source: int, place: int) -> None:
        """Notes how far the sources are read: a later run goes on from there."""
        self.place = max(self.place, place) if source == self.source else place
        self.source = source

    def skip(self, source: int, skipped: Skipped) -> None:
        self.skipped.append((source, skipped))
        self.reach(source, skipped.place)
        kind = "failed" if skipped.failed else "skipped"
        self.counts[kind] += 1
        self.counts[f"{kind}: {skipped.reason}"] += 1
        if len(self.skipped) >= ROWS:
            self.write_skipped()

    def write_skipped(self) -> None:
        if self.skipped:
            self.add("skipped", skipped_table(self.skipped))
            self.skipped = []

    def finish(self, ends_input: bool) -> Future[Part]:
        """Lets the writing thread complete the files of the part; the caller then names it in the
        manifest."""
        self.write_skipped()
        self.settle()
        return self.writer.submit(self.finished, ends_input)

    def finished(self, ends_input: bool) -> Part:
        return Part(
            first=self.first,
            pages=self.pages,
            input=self.input,
            source=self.source,
            place=self.place,
            ends_input=ends_input,
            counts=dict(sorted(self.counts.items())),
            files={name: self.tables[name].finish() for name in sorted(self.tables)},
        )


def skipped_table(rows: list[tuple[int, Skipped]]) -> pa.Table:
    columns: dict[str, list[object]] = {name: [] for name in SKIPPED.names}
    for source, skipped in rows:
        columns["source"].append(source)
        for name in SKIPPED.names[1:]:
            columns[name].append(getattr(skipped, name))
    return pa.table(columns, schema=SKIPPED)
