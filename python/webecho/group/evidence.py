"""What candidate pairs are verified by: the shingle sets of the pages in them.

An estimate from 84 features is off by about 0.04, too much near a threshold, so the sets themselves
are compared. They are kept from sketching (`--keep-shingles`, and always for input that cannot be
read twice) or made again from the source, of the candidates only. They lie in a temporary file that
is mapped into memory, so that they need no memory of their own. Where the source is gone, features
stand in, and what comes of it is called an estimate.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.errors import InputError
from webecho.group.lists import flat_lists
from webecho.read.pages import Source
from webecho.sketches.sources import open_sources
from webecho.sketches.workspace import Workspace

# Pages are read again this many at a time.
ROWS = 4096


@dataclass(frozen=True)
class Evidence:
    """Shingle sets with offsets, or features without; one for each member."""

    values: pa.Array
    offsets: pa.Array | None

    @property
    def estimated(self) -> bool:
        return self.offsets is None


def gather(
    workspace: Workspace,
    members: pa.Array,
    sources: list[Source] | None,
    threads: int,
) -> Evidence:
    """The evidence for these pages (ascending)."""
    try:
        return mapped(shingle_sets(workspace, members, sources, threads))
    except InputError:
        return list_evidence(workspace, members, "features")


def list_evidence(workspace: Workspace, members: pa.Array, column: str) -> Evidence:
    """A list column of these pages, to be compared position by position."""
    lists = [values for _, values in flat_lists(workspace, column, flags(workspace, members))]
    return Evidence(pa.concat_arrays(lists) if lists else pa.array([], pa.int64()), None)


def flags(workspace: Workspace, members: pa.Array) -> pa.Array:
    """For every page whether it is one of these."""
    numbers = pa.array(range(workspace.pages), pa.uint32())
    return pc.is_in(numbers, value_set=members)


def shingle_sets(
    workspace: Workspace, members: pa.Array, sources: list[Source] | None, threads: int
) -> Iterator[pa.ListArray]:
    """The members' shingle sets, in order."""
    wanted = flags(workspace, members)
    kept = set(workspace.part_files("shingles"))
    sketcher = _core.Sketcher(workspace.recipe.as_dict(), threads)
    for number, part in enumerate(workspace.manifest.parts):
        if not wanted.slice(part.first, part.pages).true_count:
            continue
        if workspace.part_file("shingles", number) in kept:
            for batch in workspace.part_batches("shingles", number, ["page", "shingles"]):
                chosen = batch.filter(wanted.take(batch["page"]))
                if len(chosen):
                    yield chosen["shingles"]
            continue
        if sources is None:
            sources = open_sources(workspace)
        for batch in workspace.part_batches("sketches", number, ["page", "source", "place"]):
            chosen = batch.filter(wanted.take(batch["page"]))
            yield from read_again(chosen, sources, sketcher)


def read_again(
    rows: pa.RecordBatch, sources: list[Source], sketcher: _core.Sketcher
) -> Iterator[pa.ListArray]:
    """Reads some pages once more and gives their shingle sets, in order."""
    start = 0
    numbers = rows["source"].to_pylist()
    while start < len(rows):
        end = start
        while end < len(rows) and numbers[end] == numbers[start] and end - start < ROWS:
            end += 1
        places = rows["place"][start:end].to_pylist()
        pages = sources[numbers[start]].read(places)
        body = pages.select(["body", "markup", "charset", "url"])
        yield sketcher.sketch(body, ["shingles"])["shingles"]
        start = end


def mapped(sets: Iterator[pa.ListArray]) -> Evidence:
    """The sets in one file that is mapped into memory and goes away by itself."""
    offsets = [pa.array([0], pa.int64())]
    total = 0
    with tempfile.NamedTemporaryFile(prefix="webecho-shingles-", suffix=".bin") as file:
        for lists in sets:
            lengths = pc.fill_null(pc.list_value_length(lists), 0).cast(pa.int64())
            offsets.append(pc.add(pc.cumulative_sum(lengths), total))
            values = pc.list_flatten(lists)
            total += len(values)
            file.write(values.buffers()[1].slice(values.offset * 8, len(values) * 8))
        file.flush()
        if not total:
            return Evidence(pa.array([], pa.int64()), pa.concat_arrays(offsets))
        # The file is gone from its folder when the block ends; the mapping holds its content.
        with pa.memory_map(str(Path(file.name))) as memory:
            buffer = memory.read_buffer()
        values = pa.Array.from_buffers(pa.int64(), total, [None, buffer])
        return Evidence(values, pa.concat_arrays(offsets))
