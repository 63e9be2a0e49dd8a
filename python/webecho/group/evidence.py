"""What candidate pairs are verified by: the shingle sets of the pages in them.

An estimate from 84 features is off by about 0.04, too much near a threshold, so the sets themselves
are compared. They are kept from sketching (`--keep-shingles`, and always for input that cannot be
read twice), lie on the shelf since, or are made again from the source, of the candidates only. The
shelf is a temporary file that is mapped into memory, so that they need none of their own. Where the
source is gone, features stand in, and what comes of it is called an estimate.
"""

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.errors import InputError
from webecho.group.lists import flags, member_lists
from webecho.read.pages import Source
from webecho.sketches.again import Again
from webecho.sketches.ahead import read_ahead
from webecho.sketches.joined import Pages
from webecho.sketches.sources import open_input
from webecho.sketches.workspace import Workspace

# Pages of about so much text are read again at a time.
CHARS = 4 << 20


@dataclass(frozen=True)
class Evidence:
    """What the kernels compare members by, and why some of it has to be estimated, if it has."""

    kernel: _core.Evidence
    estimated: str | None = None


def gather(workspace: Pages, members: pa.Array, again: Again | None, threads: int) -> Evidence:
    """The evidence for these pages (ascending)."""
    again = again or Again()
    *earlier, (last, first) = workspace.pieces
    shelf = again.shelf
    if shelf is None:
        shelf = _core.Shelf(Path(tempfile.gettempdir()), threads)
    elif first:
        shelf.renumber(first)
    contents = content_pages(workspace, members)
    wanted = flags(workspace, shelf.missing(contents))
    sketcher = _core.Sketcher(workspace.recipe.as_dict(), threads)
    problems: list[str] = []
    for piece, start in earlier:
        shelve(piece, start, wanted, {}, Adding(shelf, sketcher, problems))
    shelve(last, first, wanted, dict(again.sources), Adding(shelf, sketcher, problems))
    sets, m = shelf.take(contents), workspace.recipe.m
    if sets.complete:
        return Evidence(_core.Evidence(m, sets=sets))
    features = member_lists(workspace, members, "features")
    return Evidence(_core.Evidence(m, features, sets), problems[0])


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


@dataclass(frozen=True)
class Adding:
    """The shelf that sets are added to, what makes them, and why some could not be made."""

    shelf: _core.Shelf
    sketcher: _core.Sketcher
    problems: list[str]


def shelve(
    workspace: Workspace, first: int, wanted: pa.Array, opened: dict[int, Source], adding: Adding
) -> None:
    """Puts the wanted pages of a workspace, its first having the number `first`, on the shelf;
    those whose source cannot be read again are left out."""
    gone: set[int] = set()
    here = wanted[first:]
    for number, part in enumerate(workspace.manifest.parts):
        if not here.slice(part.first, part.pages).true_count:
            continue
        kept = "shingles" in part.files
        if not kept and part.source not in opened and part.input not in gone:
            try:
                opened |= open_input(workspace, part.input)
            except InputError as error:
                gone.add(part.input)
                adding.problems.append(str(error))
        if not kept and part.input in gone:
            continue
        read = ["source", "place", "chars"]
        table, columns = ("shingles", ["shingles"]) if kept else ("sketches", read)
        for batch in workspace.part_batches(table, number, ["page", *columns]):
            rows = batch.filter(here.take(batch["page"]))
            pages = pc.add(rows["page"], first)
            if kept:
                adding.shelf.add(pages, rows["shingles"])
                continue
            start = 0
            for body in read_ahead(read_again(rows, opened), depth=1):
                adding.sketcher.sketch(body, [], adding.shelf, pages[start : start + len(body)])
                start += len(body)


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
