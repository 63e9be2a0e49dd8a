"""Two workspaces seen as one: the pages of an earlier collection, then those of a new one."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from webecho.errors import WorkspaceError
from webecho.settings import Recipe
from webecho.sketches.beginning import check_settings
from webecho.sketches.tables import write_table
from webecho.sketches.workspace import Workspace

# The pages of a workspace that a dedup has removed.
REMOVED = "removed.parquet"
NUMBERS = ("page", "revisit_of")


class Joined:
    """The pages of `old`, less those that a dedup removed, and after them those of `new`."""

    def __init__(self, old: Workspace, new: Workspace) -> None:
        check_settings(old.path, old.manifest, new.manifest)
        self.old = old
        self.new = new
        self._gone = removed_pages(old)

    @property
    def path(self) -> Path:
        return self.new.path

    @property
    def pages(self) -> int:
        return self.old.pages + self.new.pages

    @property
    def recipe(self) -> Recipe:
        return self.new.recipe

    @property
    def pieces(self) -> list[tuple[Workspace, int]]:
        return [(self.old, 0), (self.new, self.old.pages)]

    def require(self, column: str) -> None:
        self.old.require(column)
        self.new.require(column)

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Some columns of the sketches, in page order."""
        read = list(dict.fromkeys(["page", *columns]))
        for batch in self.old.batches(read):
            gone = pc.is_in(batch["page"], value_set=self._gone)
            yield batch.filter(pc.invert(gone)).select(list(columns))
        for batch in self.new.batches(columns):
            yield moved(batch, self.old.pages)


def moved(batch: pa.RecordBatch, by: int) -> pa.RecordBatch:
    """The rows with their page numbers raised."""
    columns = {
        name: pc.add(column, by) if name in NUMBERS else column
        for name, column in zip(batch.schema.names, batch.columns, strict=True)
    }
    return pa.RecordBatch.from_arrays(list(columns.values()), schema=batch.schema)


# What grouping works on.
Pages = Workspace | Joined


def removed_pages(workspace: Workspace) -> pa.Array:
    """The pages that a dedup of this workspace has removed, if there was one."""
    file = workspace.path / REMOVED
    if not file.is_file():
        return pa.array([], pa.int64())
    try:
        return pq.read_table(file)["page"].combine_chunks()
    except (OSError, pa.ArrowInvalid) as error:
        raise WorkspaceError(f"{file} cannot be read ({error}); run that dedup again") from error


def note_removed(workspace: Workspace, pages: pa.Array) -> None:
    """Notes which pages of the workspace a dedup has removed."""
    write_table(workspace.path / REMOVED, [pa.table({"page": pages.cast(pa.int64())})])
