"""What candidate pairs are verified by: the shingle sets of the pages in them.

An estimate from 84 features is off by about 0.04, too much near a threshold, so the sets themselves
are compared. They are kept from sketching (`--keep-shingles`, and always for input that cannot be
read twice) or made again from the source, of the candidates only. They lie in a temporary file that
is mapped into memory, so that they need no memory of their own. Where the source is gone, features
stand in, and what comes of it is called an estimate.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.errors import InputError
from webecho.group.lists import flags, mapped_values, member_lists
from webecho.read.pages import Source
from webecho.sketches.ahead import read_ahead
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
    contents = content_pages(workspace, members)
    own = members.cast(pa.int64())
    # Without revisits each member has its own content, and nothing need be looked up.
    shared = not contents.equals(own)
    wanted = pc.unique(contents).sort() if shared else own
    problems: list[str] = []
    bounds = mapped(shingle_sets(workspace, wanted, sources, threads, problems))
    if shared:
        at = pc.index_in(contents, value_set=wanted)
        values, starts, ends = bounds
        bounds = values, starts.take(at), ends.take(at)
    m = workspace.recipe.m
    if not problems:
        return Evidence(_core.Evidence(m, sets=bounds))
    features = member_lists(workspace, members, "features")
    return Evidence(_core.Evidence(m, features, bounds), problems[0])


def supershingle_evidence(workspace: Pages, members: pa.Array) -> Evidence:
    """The supershingles of these pages, to be compared position by position."""
    values = member_lists(workspace, members, "supershingles")
    return Evidence(_core.Evidence(workspace.recipe.supershingles, values))


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
    """The shingle sets of these pages (ascending), in order.

    Of pages whose source cannot be read again comes their number, and why to `problems`.
    """
    wanted = flags(workspace, pages)
    sketcher = _core.Sketcher(workspace.recipe.as_dict(), threads)
    *earlier, (last, first) = workspace.pieces
    for piece, start in earlier:
        yield from _piece_sets(piece, wanted[start:], {}, sketcher, problems)
    yield from _piece_sets(last, wanted[first:], dict(sources or {}), sketcher, problems)


def _piece_sets(
    workspace: Workspace,
    wanted: pa.Array,
    opened: dict[int, Source],
    sketcher: _core.Sketcher,
    problems: list[str],
) -> Iterator[pa.ListArray | int]:
    gone: set[int] = set()
    for number, part in enumerate(workspace.manifest.parts):
        count = wanted.slice(part.first, part.pages).true_count
        if not count:
            continue
        kept = "shingles" in part.files
        if not kept and part.source not in opened and part.input not in gone:
            try:
                opened |= open_input(workspace, part.input)
            except InputError as error:
                gone.add(part.input)
                problems.append(str(error))
        if not kept and part.input in gone:
            yield count
            continue
        read = ["source", "place", "chars"]
        table, columns = ("shingles", ["shingles"]) if kept else ("sketches", read)
        for batch in workspace.part_batches(table, number, ["page", *columns]):
            rows = batch.filter(wanted.take(batch["page"]))
            if kept:
                yield rows["shingles"]
                continue
            for pages in read_ahead(read_again(rows, opened), depth=1):
                yield sketcher.sketch(pages, ["shingles"])["shingles"]


def read_again(rows: pa.RecordBatch, sources: Mapping[int, Source]) -> Iterator[pa.RecordBatch]:
    """Reads some pages once more, in order, as the sketcher takes them."""
    start = 0
    numbers, chars = rows["source"].to_pylist(), rows["chars"].to_pylist()
    while start < len(rows):
        end, total = start, 0
        while end < len(rows) and numbers[end] == numbers[start] and total < CHARS:
            total += chars[end] or 0
            end += 1
        pages = sources[numbers[start]].read(rows["place"][start:end].to_pylist())
        yield pages.select(["body", "markup", "charset", "url"])
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
