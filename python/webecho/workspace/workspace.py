"""The workspace: a folder that holds what each stage wrote.

Nobody goes on with a *temporary* one: its files are neither synced nor checksummed.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Self

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from webecho.errors import SettingsError, WorkspaceError
from webecho.formats.entries import shown
from webecho.settings import Recipe
from webecho.workspace.checksums import damaged, is_sealed_json, sealed_json
from webecho.workspace.layout import LISTS, Layout
from webecho.workspace.manifest import FORMAT, Manifest
from webecho.workspace.mirror import fetch, is_away, push, workspace_path
from webecho.workspace.schemas import (
    ID_TYPES,
    beside_schema,
    is_page_table,
    sketch_schema,
)
from webecho.workspace.stored import InStore, Stored, one_file, readable
from webecho.workspace.table_files import (
    aside,
    mapped_batches,
    read_rows,
    write_aside,
    write_table,
)

# What to do about files that are damaged.
SKETCH = "give the `webecho sketch` or `dedup` command again that made it, which mends it"
REMOVE = "remove it, and what needs it makes it again"
FIND_CLUSTERS = "find the clusters again"
FIND_PAIRS = "find the pairs again, or remove it"
FIND_OVERLAP = "find the overlap again, or remove it"


@dataclass
class Workspace:
    """A folder of tables, and its manifest."""

    path: Path
    manifest: Manifest
    temporary: bool = False
    # Whether the larger columns lie in a table of their own that is mapped: writing them to Parquet
    # and reading them back took a tenth of the time from a million pages to their clusters.
    mapped: bool = False
    # The files whose checksums were looked at.
    checked: set[Path] = field(default_factory=set, repr=False, compare=False)
    checked_there: set[Path] = field(default_factory=set, repr=False, compare=False)

    @classmethod
    def open(cls, path: str | Path, *, complete: bool = True) -> Self:
        """An existing workspace; an unfinished one only when asked for."""
        path = workspace_path(path)
        file = Layout(path).manifest
        if not file.is_file():
            made = f"'{path.with_suffix('.echo')}'" if path.is_file() else "NAME.echo"
            given = f"'{path}'" if path.exists() else "INPUT…"
            raise WorkspaceError(
                f"{path} is no workspace (it has no {file.name}); "
                f"make one with: webecho sketch {given} -o {made}"
            )
        try:
            content = file.read_bytes()
            values = json.loads(content)
            if values.get("format") != FORMAT:
                raise WorkspaceError(
                    f"{file} has format {values.get('format')}, this webecho reads {FORMAT}; "
                    "sketch the collection again"
                )
            if not is_sealed_json(content, file.name):
                raise ValueError("it is not what was written there")
            del values["checksum"]
            manifest = Manifest.from_dict(values)
        except (
            *(ValueError, TypeError, KeyError, AttributeError, RecursionError, SettingsError),
        ) as error:
            raise WorkspaceError(
                f"{file} is damaged ({error}); sketch the collection again into another workspace"
            ) from error
        if complete and not manifest.complete:
            raise WorkspaceError(
                f"{path} is not finished; run the same `webecho sketch` command again to go on"
            )
        return cls(path, manifest)

    def bare(self) -> "Workspace":
        """What others need who write or read its parts elsewhere: not what is told of all parts."""
        manifest = replace(self.manifest, inputs=[], sources=[], parts=[])
        # A path far away is a plain one there: it is seen, or not.
        path = Path(os.fspath(self.path.absolute()))
        return replace(self, path=path, manifest=manifest, checked=set())

    @property
    def files(self) -> Layout:
        """Where its files lie."""
        return Layout(self.path)

    @property
    def name(self) -> str:
        """What people call it: its path, or its address."""
        return f"{self.path}"

    @property
    def recipe(self) -> Recipe:
        return Recipe(**self.manifest.recipe)

    @property
    def source_names(self) -> list[str]:
        """The names of its sources for people and tables: valid text, whatever the files have."""
        return [shown(source["name"]) for source in self.manifest.sources]

    @property
    def pages(self) -> int:
        return self.manifest.pages

    @property
    def id_type(self) -> pa.DataType:
        return ID_TYPES[self.manifest.id_type]

    @property
    def schema(self) -> pa.Schema:
        """That of the files of the `sketches` table."""
        columns = [] if self.mapped else self.manifest.columns
        return sketch_schema(columns, self.manifest.id_type)

    @property
    def pieces(self) -> list[tuple["Workspace", int]]:
        """The workspaces that the pages lie in, here one, and the number of each one's first."""
        return [(self, 0)]

    def part_file(self, table: str, number: int) -> Path:
        return self.files.part(table, number)

    def part_files(self, table: str) -> list[Path]:
        """The files of one table, part after part."""
        return [
            self.part_file(table, number)
            for number, part in enumerate(self.manifest.parts)
            if table in part.files
        ]

    def stored(self, table: str, label: str = "") -> Stored:
        """A table by its name, as it lies on the disk; `clusters` and `pairs` are those of the rule
        with this label."""
        if table == "clusters":
            return self.one_file(self.files.clusters(label), FIND_CLUSTERS)
        if table == "pairs":
            return self.one_file(self.files.pairs(label), FIND_PAIRS)
        schema = self.schema if table == "sketches" else beside_schema(table)
        files = self.part_files(table)

        def check() -> None:
            fetch(*files)
            for number, part in enumerate(self.manifest.parts):
                if table in part.files:
                    self.check_part(table, number)

        if not is_away(self.path):
            check()
            return Stored(tuple(files), schema, SKETCH)
        # Who reads them may be able to read them where they lie.
        every = [part.files[table] for part in self.manifest.parts if table in part.files]
        known = zip(files, every, strict=True)
        checksums = {file: "" if each is None else each.xxh3 for file, each in known}
        return Stored(tuple(files), schema, SKETCH, InStore(checksums, check, self.checked_there))

    def save(self) -> None:
        """Writes the manifest, all or nothing."""
        content = sealed_json(self.manifest.as_dict(), self.files.manifest.name)
        write_aside(self.files.manifest, content, durable=not self.temporary)
        push(self.path)

    def one_file(self, file: Path, fix: str) -> Stored:
        """A table in a file of its own that was written by `write`."""
        return one_file(file, self.files.name(file), fix)

    def write(self, file: Path, tables: Iterable[pa.Table]) -> None:
        """Writes a table into a file of its own."""
        write_table(file, tables, durable=not self.temporary, name=self.files.name(file))

    def check_part(self, table: str, number: int) -> None:
        """Refuses one part of a table that is not what was written, when it is first looked at."""
        file = self.part_file(table, number)
        if self.temporary or file in self.checked:
            return
        checksum = self.manifest.parts[number].files[table]
        if checksum is None or not checksum.fits(file):
            if checksum is not None and checksum.fits(aside(file)):
                # Complete, and named in the manifest, when the run was killed.
                aside(file).replace(file)
            elif file.is_file():
                raise damaged(file, REMOVE if is_page_table(table) else SKETCH)
        self.checked.add(file)

    def batches(self, columns: Sequence[str], table: str = "sketches") -> Iterator[pa.RecordBatch]:
        """Some columns of a table, in page order, a bounded number of rows at a time."""
        for number, part in enumerate(self.manifest.parts):
            if table in part.files:
                yield from self.part_batches(table, number, columns)

    def part_batches(
        self, table: str, number: int, columns: Sequence[str] | None
    ) -> Iterator[pa.RecordBatch]:
        """Some columns of one part of a table, or all."""
        file = self.part_file(table, number)
        self.check_part(table, number)
        larger = self.manifest.columns if self.mapped and table == "sketches" else []
        lists = [name for name in larger if columns is None or name in columns]
        plain = None if columns is None else [name for name in columns if name not in larger]
        rows = read_rows(table)
        with readable(file, SKETCH), pq.ParquetFile(file, pre_buffer=False) as parquet:
            if not lists:
                yield from parquet.iter_batches(rows, columns=plain, use_threads=False)
                return
            read = parquet.read(plain, use_threads=False)
            names = [*read.column_names, *lists]
            start = 0
            for more in mapped_batches(self.part_file(LISTS, number), lists):
                cut = [each.slice(start, len(more)).combine_chunks() for each in read.columns]
                yield pa.RecordBatch.from_arrays([*cut, *more.columns], names)
                start += len(more)
            if start != len(read):
                raise pa.ArrowInvalid(f"{len(read)} rows, but lists of {start}")

    def piece_batches(
        self, _: int, number: int, columns: Sequence[str]
    ) -> Iterator[pa.RecordBatch]:
        """Some columns of one part of the sketches: of the only piece that there is."""
        return self.part_batches("sketches", number, columns)

    def part_of(self, page: int) -> int:
        """The number of the part that has this page."""
        parts = enumerate(self.manifest.parts)
        return next(number for number, part in parts if page < part.first + part.pages)

    def row(self, page: int, columns: Sequence[str], table: str = "sketches") -> pa.RecordBatch:
        """Some columns of one page, as a batch of one row."""
        for batch in self.part_batches(table, self.part_of(page), ["page", *columns]):
            found = batch.filter(pc.equal(batch["page"], page))
            if len(found):
                return found
        raise WorkspaceError(f"{self.path} has lost page {page}; sketch the collection again")

    def table(self, name: str = "sketches") -> pa.Table:
        """A whole table, read into memory."""
        stored = self.stored(name)
        if name == "sketches" and self.mapped and stored.files:
            every = (self.part_batches(name, number, None) for number in range(len(stored.files)))
            return pa.Table.from_batches(chain.from_iterable(every))
        return stored.read()

    def first_damaged(
        self, but: Callable[[str], bool] = lambda _: False
    ) -> tuple[int, Path] | None:
        """The first part that has a file missing or not what was written, and that file, `but` for
        some tables.

        A file that a killed run had completed aside but not yet renamed gets its name here.
        """
        for number, part in enumerate(self.manifest.parts):
            for table, checksum in part.files.items():
                file = self.part_file(table, number)
                if but(table):
                    continue
                if checksum is not None and checksum.fits(file):
                    # A run may have been killed that had put the file, and not yet removed this.
                    aside(file).unlink(missing_ok=True)
                    continue
                if checksum is None or not checksum.fits(aside(file)):
                    return number, file
                aside(file).replace(file)
        return None

    def require(self, column: str) -> None:
        """Refuses to go on without a sketch column, naming the command that adds it."""
        if column not in self.manifest.columns:
            raise WorkspaceError(
                f"{self.path} has no column {column}; sketch again with: webecho sketch … "
                f"--columns {','.join([*self.manifest.columns, column])} -o ANOTHER.echo"
            )
