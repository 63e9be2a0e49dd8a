"""What candidate pairs are verified by: the shingle sets of the pages in them.

An estimate from 84 features is off by about 0.04, too much near a threshold, so the sets themselves
are compared. They are kept from sketching (`--keep-shingles`, and always for input that cannot be
read twice) or made again from the source, of the candidates only. They lie in a temporary file that
is mapped into memory, so that they need no memory of their own. Where the source is gone, features
stand in, and what comes of it is called an estimate.
"""

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.errors import InputError
from webecho.group.lists import flat_lists
from webecho.read.pages import Source
from webecho.sketches.sources import open_input
from webecho.sketches.workspace import Workspace

# Pages of about so much text are read again at a time.
CHARS = 4 << 20


@dataclass(frozen=True)
class Evidence:
    """Shingle sets with the bounds of each member's, or features without."""

    values: pa.Array
    bounds: tuple[pa.Array, pa.Array] | None = None
    # Why features have to stand in for shingles, if they do.
    estimated: str | None = None

    @property
    def arrays(self) -> tuple[pa.Array, ...]:
        """As the kernels take them."""
        return (self.values, *(self.bounds or ()))


def gather(
    workspace: Workspace,
    members: pa.Array,
    sources: Mapping[int, Source] | None,
    threads: int,
) -> Evidence:
    """The evidence for these pages (ascending)."""
    contents = content_pages(workspace, members)
    wanted = pc.unique(contents).sort()
    try:
        values, offsets = mapped(shingle_sets(workspace, wanted, sources, threads))
    except InputError as error:
        return replace(list_evidence(workspace, members, "features"), estimated=str(error))
    at = pc.index_in(contents, wanted)
    return Evidence(values, (offsets[:-1].take(at), offsets[1:].take(at)))


def list_evidence(workspace: Workspace, members: pa.Array, column: str) -> Evidence:
    """A list column of these pages, to be compared position by position."""
    lists = [values for _, values in flat_lists(workspace, column, flags(workspace, members))]
    return Evidence(pa.concat_arrays(lists) if lists else pa.array([], pa.int64()))


def flags(workspace: Workspace, members: pa.Array) -> pa.Array:
    """For every page whether it is one of these."""
    numbers = pa.array(range(workspace.pages), members.type)
    return pc.is_in(numbers, value_set=members)


def content_pages(workspace: Workspace, members: pa.Array) -> pa.Array:
    """For each member the page that has its content: its own, or what a revisit repeats."""
    wanted = flags(workspace, members)
    found = [pa.array([], pa.int64())]
    for batch in workspace.batches(["page", "revisit_of"]):
        rows = batch.filter(wanted.take(batch["page"]))
        found.append(pc.coalesce(rows["revisit_of"], rows["page"]))
    return pa.concat_arrays(found)


def shingle_sets(
    workspace: Workspace, pages: pa.Array, sources: Mapping[int, Source] | None, threads: int
) -> Iterator[pa.ListArray]:
    """The shingle sets of these pages (ascending), in order."""
    wanted = flags(workspace, pages)
    opened: dict[int, Source] = dict(sources or {})
    sketcher = _core.Sketcher(workspace.recipe.as_dict(), threads)
    for number, part in enumerate(workspace.manifest.parts):
        if not wanted.slice(part.first, part.pages).true_count:
            continue
        kept = "shingles" in part.files
        if not kept and part.source not in opened:
            opened |= open_input(workspace, part.input)
        read = ["source", "place", "chars"]
        table, columns = ("shingles", ["shingles"]) if kept else ("sketches", read)
        for batch in workspace.part_batches(table, number, ["page", *columns]):
            rows = batch.filter(wanted.take(batch["page"]))
            if kept:
                yield rows["shingles"]
            else:
                yield from read_again(rows, opened, sketcher)


def read_again(
    rows: pa.RecordBatch, sources: Mapping[int, Source], sketcher: _core.Sketcher
) -> Iterator[pa.ListArray]:
    """Reads some pages once more and gives their shingle sets, in order."""
    start = 0
    numbers, chars = rows["source"].to_pylist(), rows["chars"].to_pylist()
    while start < len(rows):
        end, total = start, 0
        while end < len(rows) and numbers[end] == numbers[start] and total < CHARS:
            total += chars[end] or 0
            end += 1
        pages = sources[numbers[start]].read(rows["place"][start:end].to_pylist())
        body = pages.select(["body", "markup", "charset", "url"])
        yield sketcher.sketch(body, ["shingles"])["shingles"]
        start = end


def mapped(sets: Iterator[pa.ListArray]) -> tuple[pa.Array, pa.Array]:
    """The sets one after the other in a file that is mapped into memory and goes away by itself,
    and their offsets: set i lies between offsets i and i + 1."""
    offsets = [pa.array([0], pa.int64())]
    total = 0
    with tempfile.NamedTemporaryFile(prefix="webecho-shingles-") as file:
        for lists in sets:
            lengths = pc.fill_null(pc.list_value_length(lists), 0).cast(pa.int64())
            offsets.append(pc.add(pc.cumulative_sum(lengths), total))
            values = pc.list_flatten(lists)
            total += len(values)
            if len(values):
                file.write(values.buffers()[1].slice(values.offset * 8, len(values) * 8))
        file.flush()
        if not total:
            return pa.array([], pa.int64()), pa.concat_arrays(offsets)
        # The name is gone when the block ends; the mapping holds the content.
        with pa.memory_map(file.name) as memory:
            buffer = memory.read_buffer()
        return pa.Array.from_buffers(pa.int64(), total, [None, buffer]), pa.concat_arrays(offsets)
