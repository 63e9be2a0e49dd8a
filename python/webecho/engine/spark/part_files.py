"""Parts that executors put together of split files.

Where parts end depends on the input alone: after `part_pages` pages, or at the end of an input. A
skipped record is in the part of the page that comes next, or in the last of its input.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pyarrow.compute as pc

from webecho.engine.spark.split_files import (
    BEFORE,
    SKIPPED,
    SplitFiles,
    between,
    split_rows,
)
from webecho.formats.looks import check_folder
from webecho.formats.skipped import Skipped
from webecho.workspace.manifest import Part
from webecho.workspace.parts import OpenPart, beside
from webecho.workspace.workspace import Workspace


@dataclass(frozen=True)
class Piece:
    """What a part has of a split: its pages, as the split numbers them, from `first` on and below
    `end`, if it does not have the rest; `shift` makes numbers in the workspace of them."""

    files: SplitFiles
    source: int
    first: int
    end: int | None
    shift: int


@dataclass(frozen=True)
class PartTask:
    """A part by its number, with the number of its first page, and what it is put together of."""

    number: int
    first: int
    input: int
    ends_input: bool
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class MadePart:
    """A part whose files are complete, and lie in this folder of the splits."""

    part: Part
    number: int
    folder: str


def part_tasks(
    splits: Sequence[tuple[int, SplitFiles]],
    number: int,
    first: int,
    input_: int,
    part_pages: int,
) -> Iterator[PartTask]:
    """The parts of what is left of an input: its splits with the numbers of their sources, the
    number of the first part, and that of its first page."""
    pages = sum(files.pages for _, files in splits)
    pieces: list[list[Piece]] = [[] for _ in range(pages // part_pages + 1)]
    before = 0
    for source, files in splits:
        for part in range(before // part_pages, (before + files.pages) // part_pages + 1):
            start = part * part_pages - before
            end = start + part_pages if part + 1 < len(pieces) else None
            pieces[part].append(Piece(files, source, max(start, 0), end, first + before))
        before += files.pages
    for part, some in enumerate(pieces):
        ends = part + 1 == len(pieces)
        yield PartTask(number + part, first + part * part_pages, input_, ends, tuple(some))


def make_part(workspace: Workspace, task: PartTask) -> MadePart:
    """Puts a part together; its files do not have their names yet."""
    splits = workspace.files.splits
    check_folder(splits)
    folder = splits / f"part-{task.number}.{uuid4().hex}"
    folder.mkdir()
    with ThreadPoolExecutor(1, "webecho-write") as writer:
        part = OpenPart(workspace, writer, task.number, task.first, task.input, folder)
        for piece in task.pieces:
            add_piece(part, splits / piece.files.folder, piece)
        made = part.finish(task.ends_input).result()
    return MadePart(made, task.number, folder.name)


def add_piece(part: OpenPart, folder: Path, piece: Piece) -> None:
    """Adds what a part has of a split."""
    for name in piece.files.tables:
        if name == SKIPPED:
            continue
        for each in split_rows(folder, name):
            rows = between(each, "page", piece.first, piece.end)
            if not len(rows):
                continue
            at = rows.schema.get_field_index("page")
            rows = rows.set_column(at, rows.field(at), pc.add(rows["page"], piece.shift))
            if name == "sketches":
                part.add_pages({name: rows}, piece.source, rows["place"][-1].as_py())
            else:
                part.add(name, rows)
    if SKIPPED in piece.files.tables:
        for each in split_rows(folder, SKIPPED):
            rows = between(each, BEFORE, piece.first, piece.end)
            for row in rows.drop_columns([BEFORE, "source"]).to_pylist():
                part.skip(piece.source, Skipped(**row))


def name_part(workspace: Workspace, made: MadePart) -> Part:
    """Gives the files of a part their names."""
    folder = workspace.files.splits / made.folder
    for table in made.part.files:
        file = workspace.part_file(table, made.number)
        file.parent.mkdir(parents=True, exist_ok=True)
        beside(folder, table, file).replace(file)
    return made.part
