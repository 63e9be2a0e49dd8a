"""What candidate pairs are verified by: the shingle sets of the pages in them.

An estimate from 84 features is off by about 0.04, too much near a threshold, so the sets themselves
are compared. They are kept from sketching (`--keep-shingles`, and always for input that cannot be
read twice) or made again from the source, of the candidates only. They lie in a temporary file that
is mapped into memory, so that they need no memory of their own. Where the source is gone, features
stand in, and what comes of it is called an estimate.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.errors import InputError
from webecho.group.lists import flat_lists, page_numbers
from webecho.read.pages import Source
from webecho.sketches.boilerplate import content, sketcher_of
from webecho.sketches.joined import Pages
from webecho.sketches.sources import open_input
from webecho.sketches.workspace import Workspace

# Pages of about so much text are read again at a time.
CHARS = 4 << 20
# The length of a set that could not be made.
MISSING = -1


@dataclass(frozen=True)
class Evidence:
    """What the kernels compare members by, and why some of it has to be estimated, if it has."""

    kernel: _core.Evidence
    estimated: str | None = None


def gather(
    workspace: Pages,
    members: pa.Array,
    sources: Mapping[int, Source] | None,
    threads: int,
) -> Evidence:
    """The evidence for these pages (ascending)."""
    problems: list[str] = []
    bounds = of_members(
        workspace,
        members,
        lambda wanted: shingle_sets(workspace, wanted, sources, threads, problems),
    )
    m = workspace.recipe.m
    if not problems:
        return Evidence(_core.Evidence(m, sets=bounds))
    features = member_lists(workspace, members, "features")
    return Evidence(_core.Evidence(m, features, bounds), problems[0])


def of_members(
    workspace: Pages,
    members: pa.Array,
    lists: Callable[[pa.Array], Iterator[pa.ListArray | int]],
) -> tuple[pa.Array, pa.Array, pa.Array]:
    """What `lists` gives for the contents of these pages, mapped: see `mapped`."""
    contents = content_pages(workspace, members)
    own = members.cast(pa.int64())
    # Without revisits each member has its own content, and nothing need be looked up.
    shared = not contents.equals(own)
    wanted = pc.unique(contents).sort() if shared else own
    values, starts, ends = mapped(lists(wanted))
    if shared:
        at = pc.index_in(contents, value_set=wanted)
        starts, ends = starts.take(at), ends.take(at)
    return values, starts, ends


def supershingle_evidence(workspace: Pages, members: pa.Array) -> Evidence:
    """The supershingles of these pages, to be compared position by position."""
    values = member_lists(workspace, members, "supershingles")
    return Evidence(_core.Evidence(workspace.recipe.supershingles, values))


def member_lists(workspace: Pages, members: pa.Array, column: str) -> pa.Array:
    """A list column of these pages, flat, in a mapped file."""
    lists = flat_lists(workspace, column, flags(workspace, members))
    return mapped_values(values for _, values in lists)


def flags(workspace: Pages, members: pa.Array) -> pa.Array:
    """For every page whether it is one of these."""
    return pc.is_in(page_numbers(workspace.pages), value_set=members.cast(pa.uint32()))


def content_pages(workspace: Pages, members: pa.Array) -> pa.Array:
    """For each member the page that has its content: its own, or what a revisit repeats."""
    wanted = flags(workspace, members)
    found = [pa.array([], pa.int64())]
    for batch in workspace.batches(["page", "revisit_of"]):
        rows = batch.filter(wanted.take(batch["page"]))
        found.append(pc.coalesce(rows["revisit_of"], rows["page"]))
    return pa.concat_arrays(found)


def shingle_sets(
    workspace: Pages,
    pages: pa.Array,
    sources: Mapping[int, Source] | None,
    threads: int,
    problems: list[str],
) -> Iterator[pa.ListArray | int]:
    """The shingle sets of these pages (ascending), in order: see `page_lists`."""

    def made(sketcher: _core.Sketcher, pages: pa.RecordBatch) -> pa.ListArray:
        return sketcher.sketch(pages, ["shingles"])["shingles"]

    yield from page_lists(workspace, pages, sources, threads, made, problems, kept="shingles")


Made = Callable[[_core.Sketcher, pa.RecordBatch], pa.ListArray]


def page_lists(
    workspace: Pages,
    pages: pa.Array,
    sources: Mapping[int, Source] | None,
    threads: int,
    made: Made,
    problems: list[str],
    kept: str | None = None,
) -> Iterator[pa.ListArray | int]:
    """What is made of the content of these pages (ascending), in order, or was kept in a table.

    Of pages whose source cannot be read again comes their number, and why to `problems`.
    """
    wanted = flags(workspace, pages)
    *earlier, (last, first) = workspace.pieces
    for piece, start in earlier:
        yield from _piece_lists(piece, wanted[start:], {}, threads, made, problems, kept)
    opened = dict(sources or {})
    yield from _piece_lists(last, wanted[first:], opened, threads, made, problems, kept)


def _piece_lists(
    workspace: Workspace,
    wanted: pa.Array,
    opened: dict[int, Source],
    threads: int,
    made: Made,
    problems: list[str],
    kept: str | None,
) -> Iterator[pa.ListArray | int]:
    gone: set[int] = set()
    sketcher = sketcher_of(workspace, threads)

    def of_pages(pages: pa.RecordBatch) -> pa.ListArray:
        return made(sketcher, content(pages, workspace.recipe))

    for number, part in enumerate(workspace.manifest.parts):
        count = wanted.slice(part.first, part.pages).true_count
        if not count:
            continue
        if kept in part.files:
            for batch in workspace.part_batches(kept, number, ["page", kept]):
                yield batch.filter(wanted.take(batch["page"]))[kept]
            continue
        if part.source not in opened and part.input not in gone:
            try:
                opened |= open_input(workspace, part.input)
            except InputError as error:
                gone.add(part.input)
                problems.append(str(error))
        if part.input in gone:
            yield count
            continue
        columns = ["page", "source", "place", "chars"]
        for batch in workspace.part_batches("sketches", number, columns):
            yield from read_again(batch.filter(wanted.take(batch["page"])), opened, of_pages)


def read_again(
    rows: pa.RecordBatch,
    sources: Mapping[int, Source],
    made: Callable[[pa.RecordBatch], pa.ListArray],
) -> Iterator[pa.ListArray]:
    """Reads some pages once more and gives what is made of them, in order."""
    start = 0
    numbers, chars = rows["source"].to_pylist(), rows["chars"].to_pylist()
    while start < len(rows):
        end, total = start, 0
        while end < len(rows) and numbers[end] == numbers[start] and total < CHARS:
            total += chars[end] or 0
            end += 1
        pages = sources[numbers[start]].read(rows["place"][start:end].to_pylist())
        yield made(pages)
        if end == len(rows) or numbers[end] != numbers[start]:
            # Each of a thousand files would hold what it has decoded last.
            sources[numbers[start]].close()
        start = end


def mapped(sets: Iterator[pa.ListArray | int]) -> tuple[pa.Array, pa.Array, pa.Array]:
    """The sets one after the other, mapped, and where each starts and ends; a set that is missing
    starts at −1."""
    nothing = pa.array([], pa.int64())
    starts, ends = [nothing], [nothing]

    def values() -> Iterator[pa.Array]:
        total = 0
        for lists in sets:
            if isinstance(lists, int):
                none = pa.repeat(pa.scalar(MISSING, pa.int64()), lists)
                starts.append(none)
                ends.append(none)
                continue
            lengths = pc.fill_null(pc.list_value_length(lists), 0).cast(pa.int64())
            ends.append(pc.add(pc.cumulative_sum(lengths), total))
            starts.append(pc.subtract(ends[-1], lengths))
            flat = pc.list_flatten(lists)
            total += len(flat)
            yield flat

    found = mapped_values(values())
    return found, pa.concat_arrays(starts), pa.concat_arrays(ends)


def mapped_values(arrays: Iterable[pa.Array]) -> pa.Array:
    """The values of all arrays in a file that is mapped into memory and goes away by itself."""
    total = 0
    with tempfile.NamedTemporaryFile(prefix="webecho-") as file:
        for values in arrays:
            total += len(values)
            if len(values):
                file.write(values.buffers()[1].slice(values.offset * 8, len(values) * 8))
        file.flush()
        if not total:
            return pa.array([], pa.int64())
        # The name is gone when the block ends; the mapping holds the content.
        with pa.memory_map(file.name) as memory:
            buffer = memory.read_buffer()
        return pa.Array.from_buffers(pa.int64(), total, [None, buffer])
