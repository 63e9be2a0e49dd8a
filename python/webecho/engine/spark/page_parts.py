"""The parts of pages as tasks: executors read them by the reader that the local engine has.

With a part travels what the driver knows of its pages, arrays with a value for each page: of these
every executor has the pages that it reads, and no more.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from webecho.engine.spark.driver_folder import driver_folder, names_from
from webecho.engine.spark.tasks import MOST_TASKS, spread
from webecho.workspace.union import Pages

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from webecho.workspace.workspace import Workspace

# A task reads parts of about so many pages, where there are more than cores.
TASK_PAGES = 1 << 16

Known = Mapping[str, pa.Array]


@dataclass(frozen=True)
class PagePart:
    """A part in an executor: pages from `first` on, and what is known of each."""

    pages: Pages
    piece: int
    number: int
    first: int
    known: Known = field(default_factory=dict)

    @property
    def workspace(self) -> "Workspace":
        """The one that it is a part of."""
        found: Workspace = self.pages.pieces[self.piece][0]
        return found

    def batches(
        self, columns: Iterable[str], wanted: str | None = None
    ) -> Iterator[tuple[pa.RecordBatch, Known]]:
        """Rows of the sketches, `page` first, and what is known of their pages; with `wanted`, the
        name of flags that are known, of such pages only."""
        names = list(dict.fromkeys(["page", *columns]))
        for batch in self.pages.piece_batches(self.piece, self.number, names):
            rows = batch
            if wanted is not None:
                rows = batch.filter(self.known[wanted].take(self.places(batch)))
            if len(rows):
                yield rows, self.of(rows)

    def places(self, rows: pa.RecordBatch) -> pa.Array:
        return pc.subtract(rows["page"], self.first)

    def of(self, rows: pa.RecordBatch) -> Known:
        """What is known of the pages of rows."""
        at = self.places(rows)
        return {name: values.take(at) for name, values in self.known.items()}


Made = Callable[[Iterator[PagePart]], Iterator[pa.RecordBatch]]


def part_frame(
    session: "SparkSession",
    pages: Pages,
    made: Made,
    schema: str,
    known: Known | None = None,
    chosen: pa.Array | None = None,
) -> "DataFrame":
    """What is `made` of the parts in executors: rows of a schema. With `chosen`, a flag for each
    page, only parts that have such a page are read."""
    rows = pa.Table.from_pylist([*part_rows(pages, known or {}, chosen)], PARTS)
    cores = session.sparkContext.defaultParallelism
    tasks = min(MOST_TASKS, max(cores, -(-pages.pages // TASK_PAGES)))
    own = partial(in_executor, pages, made, driver_folder())
    return spread(session, rows, tasks).mapInArrow(own, schema)


PARTS = pa.schema(
    [
        ("piece", pa.int64()),
        ("number", pa.int64()),
        ("first", pa.int64()),
        ("known", pa.binary()),
    ]
)


def part_rows(pages: Pages, known: Known, chosen: pa.Array | None) -> Iterator[dict[str, object]]:
    for piece, (workspace, start) in enumerate(pages.pieces):
        for number, part in enumerate(workspace.manifest.parts):
            first = start + part.first
            if not part.pages or (
                chosen is not None and not chosen.slice(first, part.pages).true_count
            ):
                continue
            here = {name: values.slice(first, part.pages) for name, values in known.items()}
            yield {"piece": piece, "number": number, "first": first, "known": packed(here)}


def packed(known: Known) -> bytes:
    """Arrays of one length as bytes."""
    return table_bytes(pa.table([*known.values()], [*known]))


def unpacked(content: bytes) -> Known:
    table = table_of(content)
    return {name: table[name].combine_chunks() for name in table.column_names}


def table_bytes(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


def table_of(content: bytes) -> pa.Table:
    with pa.ipc.open_stream(content) as reader:
        return reader.read_all()


def in_executor(
    pages: Pages, made: Made, folder: str, batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """What is made of the parts that an executor is given."""

    def parts() -> Iterator[PagePart]:
        for batch in batches:
            for row in batch.to_pylist():
                known = unpacked(row["known"])
                yield PagePart(pages, row["piece"], row["number"], row["first"], known)

    with names_from(folder):
        yield from made(parts())
