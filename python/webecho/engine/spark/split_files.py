"""*Split files*: what an executor makes of a split of a source, until parts are put together of it.

They lie in a folder of the workspace, with the numbers that pages have in the split. A task that is
tried twice writes two folders, of which one counts. Which one is noted beside it, so that a run
that was stopped does not sketch the split again.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self
from uuid import uuid4

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from webecho import _core
from webecho.formats.looks import check_folder
from webecho.formats.skipped import Skipped
from webecho.read.pages import Source
from webecho.read.rows import numbers_from
from webecho.read.splits import Split
from webecho.settings import Recipe
from webecho.sketches.boilerplate import BLOCKS, page_blocks, sketcher_on
from webecho.sketches.rows import Origin, sketched_batch, table_rows
from webecho.workspace.layout import MAPPED
from webecho.workspace.parts import skipped_table
from webecho.workspace.prefetch import plain_memory
from webecho.workspace.resume import SketchSettings
from webecho.workspace.table_files import mapped_writer
from webecho.workspace.workspace import Workspace

SKIPPED = "skipped"
# The column of skipped records that tells how many pages stand before one in its split.
BEFORE = "before"


@dataclass(frozen=True)
class SplitTask:
    """A split of a source, and what follows from the source."""

    source: Source
    split: Split
    origin: Origin


@dataclass(frozen=True)
class SplitFiles:
    """What was made of a split: so many pages, and a file for each of these tables. Where it does
    not end with a record, the split ends within one."""

    folder: str
    pages: int
    tables: tuple[str, ...]
    ends: bool = True


def sketch_split(
    workspace: Workspace, settings: SketchSettings, threads: int, task: SplitTask
) -> SplitFiles:
    """Reads and sketches a split."""
    check_folder(workspace.files.splits)
    task.source.look.check_here()
    key = split_key(settings, task)
    before = noted(workspace.files.splits, key)
    if before is not None:
        return before
    sketcher = sketcher_on(workspace, threads)
    pages = 0
    reached = task.split.after
    with plain_memory(), TableFiles(workspace.files.splits, key) as files:
        for batch in task.source.batches(task.split.after, task.split.last):
            numbers = numbers_from(pages, len(batch.pages))
            reached = max(reached, batch.end)
            if batch.skipped:
                places = batch.pages["place"]
                rows = skipped_rows(batch.skipped, places, task.origin.source, pages)
                files.write(SKIPPED, rows)
            if len(numbers):
                made = sketched_batch(batch, task.origin, settings, sketcher, numbers)
                # The bodies are let go before the next are read.
                del batch
                every = slice(0, len(numbers))
                tables = table_rows(made, every, numbers, task.origin, workspace, settings)
                for name, rows in tables.items():
                    files.write(name, rows)
            pages += len(numbers)
    ends = task.source.sure_breaks or task.split.last in (None, reached)
    found = SplitFiles(files.folder.name, pages, tuple(sorted(files.writers)), ends)
    if not workspace.temporary:
        files.note(key, found)
    return found


def write_blocks(splits: Path, recipe: Recipe, threads: int, task: tuple[Source, Split]) -> str:
    """Writes the blocks of the pages of a split, and gives the name of the file."""
    source, split = task
    check_folder(splits)
    source.look.check_here()
    sketcher = _core.Sketcher(recipe.as_dict(), threads)
    file = splits / f"blocks-{uuid4().hex}.parquet"
    with plain_memory(), pq.ParquetWriter(file, BLOCKS) as writer:
        for batch in source.batches(split.after, split.last):
            writer.write_batch(page_blocks(sketcher, batch, recipe))
    return file.name


def joined(
    tasks: Sequence[SplitTask], made: Sequence[SplitFiles]
) -> list[tuple[SplitTask, SplitFiles | None]]:
    """The splits with what was made of them; one that ends within a record is joined with the next,
    and nothing is made of both as yet."""
    found: list[tuple[SplitTask, SplitFiles | None]] = []
    rest = iter(zip(tasks, made, strict=True))
    for task, files in rest:
        if files.ends:
            found.append((task, files))
            continue
        following, _ = next(rest)
        both = Split(task.split.after, following.split.last)
        found.append((replace(task, split=both), None))
    return found


def split_key(settings: SketchSettings, task: SplitTask) -> str:
    """What tells a split from others of the same workspace, and by which tables are made of it."""
    made = hashlib.blake2b(repr((settings.tables, task.origin)).encode(), digest_size=8)
    after, last = task.split.after, task.split.last
    return f"{task.origin.source}-{after}-{'end' if last is None else last}-{made.hexdigest()}"


def noted(splits: Path, key: str) -> SplitFiles | None:
    """What an earlier run has made of a split."""
    try:
        values = json.loads((splits / f"{key}.json").read_bytes())
        made = (values["folder"], values["pages"], tuple(values["tables"]), values["ends"])
        found = SplitFiles(*made)
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None
    return found if (splits / found.folder).is_dir() else None


class TableFiles:
    """A file for each of some tables, in a folder that no other task writes to."""

    def __init__(self, splits: Path, key: str) -> None:
        self.splits = splits
        self.folder = splits / f"{key}.{uuid4().hex}"
        self.writers: dict[str, pa.ipc.RecordBatchFileWriter] = {}

    def __enter__(self) -> Self:
        self.folder.mkdir()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for writer in self.writers.values():
            writer.close()

    def write(self, table: str, rows: pa.Table) -> None:
        if table not in self.writers:
            self.writers[table] = mapped_writer(table_file(self.folder, table), rows.schema)
        self.writers[table].write_table(rows)

    def note(self, key: str, found: SplitFiles) -> None:
        """Lets a later run find what was made, once it is sure to lie on the disk."""
        for table in self.writers:
            synced(table_file(self.folder, table))
        aside = self.folder / "split.json"
        aside.write_text(json.dumps(asdict(found)), encoding="utf-8")
        synced(aside)
        aside.replace(self.splits / f"{key}.json")


def table_file(folder: Path, table: str) -> Path:
    return folder / f"{table}{MAPPED}"


def synced(file: Path) -> None:
    with file.open("rb+") as written:
        os.fsync(written.fileno())


def skipped_rows(skipped: Sequence[Skipped], places: pa.Array, source: int, pages: int) -> pa.Table:
    """Skipped records as rows, with the number of pages that stand before each in the split; so
    many stood before this batch, whose pages have these places."""
    rows = skipped_table([(source, each) for each in skipped])
    found = [place.as_py() for place in places] if len(places) else []
    at, before = 0, []
    for each in skipped:
        while at < len(found) and found[at] < each.place:
            at += 1
        before.append(pages + at)
    return rows.append_column(BEFORE, pa.array(before, pa.int64()))


def split_rows(folder: Path, table: str) -> Iterator[pa.Table]:
    """The rows of a table of a split, some at a time, where they lie on the disk."""
    with pa.memory_map(str(table_file(folder, table))) as memory, pa.ipc.open_file(memory) as file:
        for number in range(file.num_record_batches):
            yield pa.Table.from_batches([file.get_batch(number)])


def between(rows: pa.Table, column: str, first: int, end: int | None) -> pa.Table:
    """The rows with numbers, which ascend, from `first` on, and below `end` if that is said."""
    start = pc.sum(pc.less(rows[column], first)).as_py() or 0
    stop = len(rows) if end is None else pc.sum(pc.less(rows[column], end)).as_py() or 0
    return rows.slice(start, max(stop - start, 0))
