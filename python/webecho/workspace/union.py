"""Two workspaces seen as one: the pages of an earlier collection, then those of a new one."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from webecho.errors import WorkspaceError
from webecho.settings import Recipe
from webecho.workspace.resume import check_settings
from webecho.workspace.sources import known_locations
from webecho.workspace.table_files import TableWriter
from webecho.workspace.workspace import Workspace

NUMBERS = ("page", "revisit_of")


class Union:
    """The pages of `old` that hold their content, less those that a dedup removed, and after them
    those of `new`.

    What a revisit of `old` repeats is there by itself, or is nowhere.
    """

    def __init__(self, old: Workspace, new: Workspace) -> None:
        check_settings(old.path, old.manifest, new.manifest, ["recipe"])
        check_new(old, new)
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
        read = list(dict.fromkeys(["page", "revisit_of", *columns]))
        for batch in self.old.batches(read):
            gone = pc.is_in(batch["page"], value_set=self._gone)
            absent = pc.or_(gone, batch["revisit_of"].is_valid())
            yield batch.filter(pc.invert(absent)).select(list(columns))
        for batch in self.new.batches(columns):
            yield shifted(batch, dict.fromkeys(NUMBERS, self.old.pages))


def check_new(old: Workspace, new: Workspace) -> None:
    """Refuses an input that the earlier collection has already."""
    there = {where for where in known_locations(old) if where is not None}
    for given, where in zip(new.manifest.inputs, known_locations(new), strict=True):
        if where in there:
            raise WorkspaceError(f"{given['name']} is in {old.path} already; leave it out")


def shifted(batch: pa.RecordBatch, by: Mapping[str, int]) -> pa.RecordBatch:
    """The rows with the numbers in some columns raised."""
    columns = [
        pc.add(column, pa.scalar(by[name], column.type)) if name in by else column
        for name, column in zip(batch.schema.names, batch.columns, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema)


# What grouping works on.
Pages = Workspace | Union


def removed_pages(workspace: Workspace) -> pa.Array:
    """The pages that a dedup of this workspace has removed, if there was one."""
    if workspace.manifest.removed is None:
        return pa.array([], pa.int64())
    file = workspace.path / workspace.manifest.removed
    try:
        return pq.read_table(file)["page"].combine_chunks()
    except (OSError, pa.ArrowInvalid) as error:
        raise WorkspaceError(f"{file} cannot be read ({error}); run that dedup again") from error


def save_removed(workspace: Workspace, pages: pa.Array) -> None:
    """Notes which pages of the workspace a dedup has removed, and saves the manifest, which makes
    it so."""
    numbers = pages.cast(pa.int64())
    # A name by its content: until the manifest is saved the file that it names is as it was.
    digest = hashlib.blake2b(digest_size=8)
    if len(numbers):
        digest.update(numbers.buffers()[1].slice(numbers.offset * 8, len(numbers) * 8))
    name = f"removed-{digest.hexdigest()}.parquet"
    writer = TableWriter(workspace.path / name)
    writer.write(pa.table({"page": numbers}))
    writer.finish()
    workspace.manifest.removed = name
    workspace.save()
    for old in workspace.path.glob("removed-*.parquet"):
        if old.name != name:
            old.unlink()
