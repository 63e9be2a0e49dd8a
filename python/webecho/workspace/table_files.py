"""Parquet files that appear whole or not at all, and are the same bytes for the same rows; and
Arrow files, which are not made for keeping but need not be decoded.

Rows are written in row groups of a fixed number as they come, however they were cut before, so that
neither memory nor bytes depend on how many came at once.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from webecho.formats.parquet import Writer
from webecho.workspace.checksums import EMPTY, KEY, Checksum, seal_table
from webecho.workspace.layout import MAPPED
from webecho.workspace.mirror import push_helping
from webecho.workspace.schemas import is_chunks
from webecho.workspace.scratch import remove_if_unfinished

# Rows of a row group, and of a batch that is read …
ROWS = 8192
# … or as many as hold this many shingles: a page may have any number of them.
VALUES = 1 << 20
# Rows of shingles that are read at a time, for the same reason.
SHINGLE_ROWS = 256
# Lists that a page has any number of values in, and tables of which few rows are read at a time.
LONG_LISTS = ("shingles", "paragraphs", "overlapping_paragraphs", "sentence_chars", "chunks")
READ_ROWS = {"shingles": SHINGLE_ROWS, "paragraphs": 2048, "sentences": 2048}

# Fingerprints do not compress and never repeat within a column chunk.
INCOMPRESSIBLE_LISTS = ("features", "supershingles", "projection", "shingles")
DIGESTS = ("digest", "text_digest", "markup_digest", "payload_digest")
INCOMPRESSIBLE = (*DIGESTS, "key")
REPEATING = ("host", "site", "ip", "reason", "detail", "source", "refers")
# Statistics help readers that look for some rows; of the rest they would only cost.
SEARCHED = ("page", "left", "right", "cluster", "url")


class TableWriter:
    """Writes one file aside, and gives it its name when it is finished.

    One that is not `durable` need not outlive the process, let alone the machine: it is neither
    synced nor checksummed. With a `name`, its own in the workspace, it carries its seal.
    """

    def __init__(
        self,
        file: Path,
        beside: Path | None = None,
        *,
        durable: bool = True,
        name: str | None = None,
    ) -> None:
        self.file = file
        self.aside = beside or aside(file)
        self.durable = durable
        self.name = name
        self.mapped = file.suffix == MAPPED
        self.writer: Writer | pa.ipc.RecordBatchFileWriter | None = None
        self.waiting: list[pa.Table] = []
        self.rows = 0
        self.values = 0

    def write(self, table: pa.Table) -> None:
        if self.writer is None:
            self.aside.parent.mkdir(parents=True, exist_ok=True)
            opened = mapped_writer if self.mapped else parquet_writer
            self.writer = opened(self.aside, table.schema)
        if self.mapped:
            # As they come: they are not made for keeping, and to join them would be to copy them.
            self.writer.write_table(table)
            return
        self.waiting.append(table)
        self.rows += table.num_rows
        self.values += count_values(table)
        while self.rows >= ROWS or self.values >= VALUES:
            rows = pa.concat_tables(self.waiting)
            group = rows.slice(0, group_end(rows))
            self.writer.write_table(group.combine_chunks(), ROWS)
            self.waiting = [rows.slice(len(group))]
            self.rows -= len(group)
            self.values -= count_values(group)

    def finish(self) -> Checksum | None:
        """Completes the file, gives it its name, and gives its checksum, if it has one."""
        digest = self.complete()
        self.aside.replace(self.file)
        push_helping(self.file)
        return digest

    def complete(self) -> Checksum | None:
        """Completes the file aside, and gives its checksum, if it has one."""
        if self.writer is None:
            raise ValueError(f"{self.file}: nothing was written, not even columns")
        if self.rows:
            self.writer.write_table(pa.concat_tables(self.waiting).combine_chunks(), ROWS)
        if self.name is not None:
            self.writer.add_key_value_metadata({KEY: EMPTY})
        self.writer.close()
        if self.name is not None:
            seal_table(self.aside, self.name)
        if not self.durable:
            return None
        with self.aside.open("rb+") as written:
            os.fsync(written.fileno())
        return Checksum.of(self.aside)


def read_rows(table: str) -> int:
    """The rows of a table that are read at a time."""
    return SHINGLE_ROWS if is_chunks(table) else READ_ROWS.get(table, ROWS)


def count_values(table: pa.Table) -> int:
    """The values in the long lists of these rows; other lists are of one length."""
    return sum(pc.sum(pc.list_value_length(lists)).as_py() or 0 for lists in long_lists(table))


def long_lists(table: pa.Table) -> list[pa.ChunkedArray]:
    fields = [field for field in table.schema if field.name in LONG_LISTS]
    return [table[field.name] for field in fields if pa.types.is_list(field.type)]


def group_end(rows: pa.Table) -> int:
    """How many of the rows make the next row group: told by the rows alone."""
    total: pa.ChunkedArray | None = None
    for lists in long_lists(rows):
        lengths = pc.fill_null(pc.list_value_length(lists), 0).cast(pa.int64())
        total = lengths if total is None else pc.add(total, lengths)
    if total is None:
        return ROWS
    before = pc.sum(pc.less(pc.cumulative_sum(total), VALUES)).as_py() or 0
    return min(ROWS, before + 1)


def parquet_writer(file: Path, schema: pa.Schema) -> Writer:
    """A writer with the encodings that suit our columns."""
    compression = {
        **dict.fromkeys(schema.names, "zstd"),
        **dict.fromkeys(INCOMPRESSIBLE, "none"),
        **{f"{name}.list.element": "none" for name in INCOMPRESSIBLE_LISTS},
    }
    return Writer(
        file,
        schema,
        compression=compression,
        use_dictionary=[name for name in REPEATING if name in schema.names],
        write_statistics=[name for name in SEARCHED if name in schema.names],
        # Else each carries its length, which they all have in common: 12 of 60 bytes a page.
        column_encoding=dict.fromkeys(
            (name for name in DIGESTS if name in schema.names), "DELTA_LENGTH_BYTE_ARRAY"
        )
        or None,
    )


def mapped_writer(file: Path, schema: pa.Schema) -> pa.ipc.RecordBatchFileWriter:
    """A writer of what `mapped_batches` gives back."""
    return pa.ipc.new_file(file, schema)


def mapped_batches(file: Path, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Some columns of a file, as they came, where they lie on the disk: they take no memory of
    their own, and no time until they are looked at."""
    with pa.memory_map(str(file)) as memory, pa.ipc.open_file(memory) as batches:
        for number in range(batches.num_record_batches):
            yield batches.get_batch(number).select(columns)


def without_seal(schema: pa.Schema) -> pa.Schema:
    """The columns of a file without what is of the file alone."""
    metadata = {name: each for name, each in (schema.metadata or {}).items() if name != KEY}
    return schema.with_metadata(metadata or None)


def write_table(
    file: Path, tables: Iterable[pa.Table], *, durable: bool = True, name: str | None = None
) -> Checksum | None:
    """Writes the rows of all tables, which have one schema, and gives the file's checksum, if it
    has one; with a `name`, that in the workspace, the file carries its seal."""
    with own(file) as beside:
        writer = TableWriter(file, beside, durable=durable, name=name)
        for table in tables:
            writer.write(table)
        return writer.finish()


def write_aside(file: Path, content: bytes, *, durable: bool = True) -> None:
    """Puts content under a name all at once: no reader ever sees half of it."""
    with own(file) as beside:
        with beside.open("wb") as out:
            out.write(content)
            out.flush()
            if durable:
                os.fsync(out.fileno())
        beside.replace(file)


def aside(file: Path) -> Path:
    """Where a file lies until it is complete; a later run looks for a part's there."""
    return file.with_name(f".{file.name}.new")


@contextmanager
def own(file: Path) -> Iterator[Path]:
    """A place aside that no other process uses, locked for the block. What killed ones left in
    theirs goes, and so does what is there when the block fails."""
    file.parent.mkdir(parents=True, exist_ok=True)
    for left in file.parent.glob(f".{escape(file.name)}.*"):
        remove_if_unfinished(left)
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    with beside.open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        try:
            yield beside
        except BaseException:
            with suppress(OSError):
                beside.unlink()
            raise
