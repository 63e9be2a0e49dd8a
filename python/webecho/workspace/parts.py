"""Gathers sketched batches until a part is full, and writes it.

Where a part ends depends on the input alone: after `part_pages` pages, or at the end of an input.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, Future
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from webecho.formats.skipped import Skipped
from webecho.workspace.manifest import Part
from webecho.workspace.schemas import SKIPPED
from webecho.workspace.table_files import ROWS, TableWriter
from webecho.workspace.workspace import Workspace


class OpenPart:
    """The part that is being filled; its rows are written by another thread as they come."""

    def __init__(
        self,
        workspace: Workspace,
        writer: Executor,
        number: int,
        first: int,
        input_: int,
        folder: Path | None = None,
    ) -> None:
        """With a `folder`, the files lie there when it is finished, and others name them."""
        self.workspace = workspace
        self.writer = writer
        self.number = number
        self.first = first
        self.input = input_
        self.folder = folder
        self.source = -1
        self.place = -1
        self.pages = 0
        self.counts: Counter[str] = Counter()
        self.skipped: list[tuple[int, Skipped]] = []
        self.tables: dict[str, TableWriter] = {}
        self.writing: Future[None] | None = None

    def add_pages(self, tables: Mapping[str, pa.Table], source: int, place: int) -> None:
        """Adds the rows of pages of a source, of which the last stands at this place."""
        for name, rows in tables.items():
            self.add(name, rows)
        rows = tables["sketches"]
        empty = pc.equal(pc.fill_null(rows["tokens"], -1), 0)
        self.counts["pages"] += len(rows)
        self.counts["bytes"] += pc.sum(rows["bytes"]).as_py() or 0
        self.counts["pages without tokens"] += pc.sum(empty).as_py() or 0
        self.counts["pages left nearly empty"] += pc.sum(rows["hollow"]).as_py() or 0
        # Only what a revisit holds is not known.
        self.counts["revisits"] += rows["chars"].null_count
        self.pages += len(rows)
        self.reach(source, place)

    def add(self, table: str, rows: pa.Table) -> None:
        """Hands rows to the writing thread, once it is done with those before."""
        self.settle()
        file = self.workspace.part_file(table, self.number)
        durable = not self.workspace.temporary
        aside = None if self.folder is None else beside(self.folder, table, file)
        into = self.tables.setdefault(table, TableWriter(file, aside, durable=durable))
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
            files={
                name: writer.finish() if self.folder is None else writer.complete()
                for name, writer in sorted(self.tables.items())
            },
        )


def beside(folder: Path, table: str, file: Path) -> Path:
    """Where in a folder a file of a part waits for its name."""
    return folder / f"{table}{file.suffix}"


def name_parts(workspace: Workspace, made: Sequence[Part], unsaved: int = 0) -> int:
    """Names complete parts in the manifest; gives how many of the last it does not have on the disk
    yet, given how many it did not have before.

    The manifest names all parts. With very many it is not written for each one, which would be
    quadratic; what it does not name yet a later run makes again.
    """
    parts = workspace.manifest.parts
    parts += made
    unsaved += len(made)
    if unsaved * 100 < len(parts):
        return unsaved
    workspace.save()
    return 0


def skipped_table(rows: list[tuple[int, Skipped]]) -> pa.Table:
    columns: dict[str, list[object]] = {name: [] for name in SKIPPED.names}
    for source, skipped in rows:
        columns["source"].append(source)
        for name in SKIPPED.names[1:]:
            columns[name].append(getattr(skipped, name))
    return pa.table(columns, schema=SKIPPED)
