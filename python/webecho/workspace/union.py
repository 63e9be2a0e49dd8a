"""Two workspaces seen as one: the pages of one, then those of another."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from webecho.settings import Recipe
from webecho.workspace.removed import removed_pages
from webecho.workspace.resume import check_settings
from webecho.workspace.sources import check_new, known_locations
from webecho.workspace.workspace import Workspace

NUMBERS = ("page", "revisit_of")


class Beside:
    """The pages of one workspace, and after them those of another."""

    def __init__(self, left: Workspace, right: Workspace) -> None:
        check_settings(left.path, left.manifest, right.manifest, ["recipe"])
        self.left, self.right = left, right

    @property
    def path(self) -> Path:
        return self.right.path

    @property
    def pages(self) -> int:
        return self.left.pages + self.right.pages

    @property
    def recipe(self) -> Recipe:
        return self.right.recipe

    @property
    def pieces(self) -> list[tuple[Workspace, int]]:
        return [(self.left, 0), (self.right, self.left.pages)]

    def require(self, column: str) -> None:
        self.left.require(column)
        self.right.require(column)

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Some columns of the sketches, in page order."""
        for piece, (workspace, _) in enumerate(self.pieces):
            for number, part in enumerate(workspace.manifest.parts):
                if "sketches" in part.files:
                    yield from self.piece_batches(piece, number, columns)

    def piece_batches(
        self, piece: int, number: int, columns: Sequence[str]
    ) -> Iterator[pa.RecordBatch]:
        """Those of one part of a piece."""
        workspace, first = self.pieces[piece]
        for batch in workspace.part_batches("sketches", number, columns):
            yield shifted(batch, dict.fromkeys(NUMBERS, first))


class Union(Beside):
    """The pages of `old` that hold their content, less those that a dedup removed, and after them
    those of `new`.

    What a revisit of `old` repeats is there by itself, or is nowhere.
    """

    def __init__(self, old: Workspace, new: Workspace) -> None:
        super().__init__(old, new)
        check_new(old, (given["name"] for given in new.manifest.inputs), known_locations(new))
        self.gone = removed_pages(old)

    def piece_batches(
        self, piece: int, number: int, columns: Sequence[str]
    ) -> Iterator[pa.RecordBatch]:
        """Those of one part of a piece."""
        if piece:
            yield from super().piece_batches(piece, number, columns)
            return
        read = list(dict.fromkeys(["page", "revisit_of", *columns]))
        for batch in self.left.part_batches("sketches", number, read):
            gone = pc.is_in(batch["page"], value_set=self.gone)
            absent = pc.or_(gone, batch["revisit_of"].is_valid())
            yield batch.filter(pc.invert(absent)).select(list(columns))


def shifted(batch: pa.RecordBatch, by: Mapping[str, int]) -> pa.RecordBatch:
    """The rows with the numbers in some columns raised."""
    columns = [
        pc.add(column, pa.scalar(by[name], column.type)) if by.get(name) else column
        for name, column in zip(batch.schema.names, batch.columns, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema)


# What grouping works on.
Pages = Workspace | Beside
