"""What executors read of the pages of packs: columns of the sketches, what is known of the pages,
and where more is compared than sketches have, that content."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import pyarrow as pa
import pyarrow.compute as pc

from webecho.engine.local.engine import local_run
from webecho.engine.spark.compared_content import ComparedContent
from webecho.engine.spark.page_parts import PagePart
from webecho.group.reread_content import ContentReader, Made
from webecho.workspace.schemas import LIST

# The types of what is known of pages, and of columns, as Spark has them.
TYPES = {
    "pack": "long",
    "page": "long",
    "partition": "long",
    "rank": "long",
    "stay": "long",
    "site": "string",
    "revisit_of": "long",
    "features": "array<long>",
    "supershingles": "array<long>",
    "projection": "array<long>",
    "shingles": "array<long>",
    "words": "array<long>",
    "problem": "string",
}
ARROW = {"long": pa.int64(), "string": pa.string(), "array<long>": LIST}


def schema_of(names: tuple[str, ...]) -> str:
    return ", ".join(f"{name} {TYPES[name]}" for name in names)


def batch_of(names: tuple[str, ...], columns: dict[str, pa.Array], count: int) -> pa.RecordBatch:
    """So many rows of these columns; what is not there is null."""
    types = [ARROW[TYPES[name]] for name in names]
    arrays = [
        columns[name].cast(kind) if name in columns else pa.nulls(count, kind)
        for name, kind in zip(names, types, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, names)


@dataclass(frozen=True)
class PackRows:
    """Rows of the pages of packs that have the first of these sketch columns."""

    columns: tuple[str, ...]
    # What of `partition` and `rank` is known of the pages.
    known: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return ("pack", "page", *self.known, *self.columns)

    @property
    def schema(self) -> str:
        return schema_of(self.names)

    def __call__(self, parts: Iterator[PagePart]) -> Iterator[pa.RecordBatch]:
        for part in parts:
            yield from self.of(part)

    def of(self, part: PagePart) -> Iterator[pa.RecordBatch]:
        for batch, known in part.batches(self.columns):
            chosen = pc.and_(pc.greater(known["pack"], 0), batch[self.columns[0]].is_valid())
            if chosen.true_count:
                columns = {name: batch[name] for name in ("page", *self.columns)} | dict(known)
                yield batch_of(
                    self.names,
                    {name: columns[name].filter(chosen) for name in self.names},
                    chosen.true_count,
                )


@dataclass(frozen=True)
class ListedRows:
    """The same of pages that may be in several packs: `packs` lists them for every page."""

    rows: PackRows

    @property
    def names(self) -> tuple[str, ...]:
        return self.rows.names

    @property
    def schema(self) -> str:
        return self.rows.schema

    def __call__(self, parts: Iterator[PagePart]) -> Iterator[pa.RecordBatch]:
        for part in parts:
            yield from self.of(part)

    def of(self, part: PagePart) -> Iterator[pa.RecordBatch]:
        for batch, known in part.batches(self.rows.columns):
            at = pc.list_parent_indices(known["packs"])
            if not len(at):
                continue
            columns = {name: batch[name] for name in ("page", *self.rows.columns)} | dict(known)
            taken = {name: columns[name].take(at) for name in self.names if name != "pack"}
            taken["pack"] = pc.list_flatten(known["packs"])
            yield batch_of(self.names, taken, len(at))


class Rows(Protocol):
    """Rows of pages in packs, part by part."""

    @property
    def names(self) -> tuple[str, ...]: ...

    @property
    def schema(self) -> str: ...

    def __call__(self, parts: Iterator[PagePart]) -> Iterator[pa.RecordBatch]: ...


class MemberRows(Rows, Protocol):
    """The same, each of a page as it is a member of a pack."""

    def of(self, part: PagePart) -> Iterator[pa.RecordBatch]: ...


@dataclass(frozen=True)
class ContentRows:
    """The same with the content of each page that is compared. A revisit has that of the page that
    it repeats: `content` lists for every page the packs that have revisits of it. `convert` are the
    commands that the user gave for documents that are read again."""

    rows: MemberRows
    kind: ComparedContent
    convert: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.rows.names, self.kind.column, "problem")

    @property
    def schema(self) -> str:
        return schema_of(self.names)

    def __call__(self, parts: Iterator[PagePart]) -> Iterator[pa.RecordBatch]:
        for part, reader in with_readers(parts, self.convert, self.kind.kept):
            yield from self.of(part, reader)

    def of(self, part: PagePart, reader: ContentReader) -> Iterator[pa.RecordBatch]:
        members = [*self.rows.of(part)]
        for batch in members:
            columns = dict(zip(self.rows.names, batch.columns, strict=True))
            yield batch_of(self.names, columns, len(batch))
        own = [
            batch.select(["pack", "page"]).filter(batch["revisit_of"].is_null())
            for batch in members
        ]
        wanted = pa.Table.from_batches([*own, *self.repeated(part)], PAIR)
        yield from content_rows(self.names, part, reader, wanted, self.kind.column, self.kind.made)

    def repeated(self, part: PagePart) -> Iterator[pa.RecordBatch]:
        """The pages that are repeated by revisits, with the packs of these."""
        if "content" in part.known:
            lists = part.known["content"]
            page = pc.add(pc.list_parent_indices(lists).cast(pa.int64()), part.first)
            yield pa.RecordBatch.from_arrays(
                [pc.list_flatten(lists).cast(pa.int64()), page], schema=PAIR
            )


def with_readers(
    parts: Iterator[PagePart], convert: Mapping[str, str], kept: str | None = None
) -> Iterator[tuple[PagePart, ContentReader]]:
    """Parts, and what reads the contents of their pages, or has them of the table `kept`."""
    readers: dict[int, ContentReader] = {}
    for part in parts:
        if part.piece not in readers:
            workspace, first = part.pages.pieces[part.piece]
            run = local_run(convert=convert)
            readers[part.piece] = ContentReader(workspace, first, {}, run, [], kept)
        yield part, readers[part.piece]
    for reader in readers.values():
        reader.close()


def content_rows(
    names: tuple[str, ...],
    part: PagePart,
    reader: ContentReader,
    wanted: pa.Table,
    column: str,
    made: Made,
) -> Iterator[pa.RecordBatch]:
    """Rows with what is `made` of the contents of pages for each pack that wants them (`pack`,
    `page`), as this column, and of pages that cannot be read again the reason."""
    if not len(wanted):
        return
    count = part.workspace.manifest.parts[part.number].pages
    places = pc.subtract(wanted["page"], part.first).combine_chunks()
    every = pa.array(range(count), pa.int64())
    for pages, found, sketcher in reader.part(part.number, pc.is_in(every, places)):
        here = wanted.filter(pc.is_in(wanted["page"], pages))
        at = pc.index_in(here["page"].combine_chunks(), pages)
        columns = {name: here[name].combine_chunks() for name in PAIR.names}
        if found is None:
            columns["problem"] = pa.repeat(reader.problems[0], len(here))
        else:
            lists = made(sketcher, found) if isinstance(found, pa.RecordBatch) else found
            columns[column] = without_nulls(lists).take(at)
        yield batch_of(names, columns, len(here))


def without_nulls(lists: pa.ListArray) -> pa.ListArray:
    """The lists; of a page that has none, the empty one."""
    lengths = pc.fill_null(pc.list_value_length(lists), 0).cast(pa.int32())
    ends = pc.cumulative_sum(lengths)
    offsets = pa.concat_arrays([pa.array([0], pa.int32()), ends])
    return pa.ListArray.from_arrays(offsets, pc.list_flatten(lists), type=LIST)


PAIR = pa.schema([("pack", pa.int64()), ("page", pa.int64())])
