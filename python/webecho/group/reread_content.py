"""The *content* of pages, read again: from the source, or from what was kept of it. The content
of a revisit is that of the page it repeats."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.errors import InputError
from webecho.group.columns import flags
from webecho.read.pages import Source
from webecho.run import Run
from webecho.sketches.boilerplate import content, sketcher_of
from webecho.workspace.mapped import by_blocks, mapped_values
from webecho.workspace.prefetch import prefetch
from webecho.workspace.reread import PageReader, open_input
from webecho.workspace.union import Pages
from webecho.workspace.workspace import Workspace

# Where a list begins that could not be made.
MISSING = -1

# Pages as the sketcher takes them, lists that were kept of them, or None where they are gone.
Content: TypeAlias = "pa.RecordBatch | pa.ListArray | None"


def content_pages(workspace: Pages, members: pa.Array) -> pa.Array:
    """For each member the page that has its content: its own, or what a revisit repeats."""
    if not any(piece.manifest.counts.get("revisits") for piece, _ in workspace.pieces):
        return by_blocks(lambda some: some.cast(pa.int64()), members)
    wanted = flags(workspace, members)
    found = [pa.array([], pa.int64())]
    for batch in workspace.batches(["page", "revisit_of"]):
        rows = batch.filter(wanted.take(batch["page"]))
        found.append(pc.coalesce(rows["revisit_of"], rows["page"]))
    return pa.concat_arrays(found)


def contents_of(
    workspace: Pages,
    pages: pa.Array,
    sources: Mapping[int, Source],
    run: Run,
    problems: list[str],
    kept: str | None = None,
) -> Iterator[tuple[pa.Array, Content, _core.Sketcher]]:
    """The content of these pages (ascending), some at a time and in order, with their numbers and
    what sketches it.

    Where the table `kept` has them it is its lists. `sources` are those of the last piece that are
    open.

    Of pages whose source cannot be read again there is none, and why goes to `problems`.
    """
    wanted = flags(workspace, pages)
    *earlier, (last, first) = workspace.pieces
    for piece, start in earlier:
        yield from _contents(piece, start, wanted, {}, run, problems, kept)
    yield from _contents(last, first, wanted, dict(sources), run, problems, kept)


def _contents(
    workspace: Workspace,
    first: int,
    wanted: pa.Array,
    opened: dict[int, Source],
    run: Run,
    problems: list[str],
    kept: str | None,
) -> Iterator[tuple[pa.Array, Content, _core.Sketcher]]:
    """Of a workspace whose first page has the number `first`."""
    again = ContentReader(workspace, first, opened, run, problems, kept)
    here = wanted[first:]
    for number, part in enumerate(workspace.manifest.parts):
        chosen = here.slice(part.first, part.pages)
        if chosen.true_count:
            yield from again.part(number, chosen)
    again.close()


class ContentReader:
    """The content of pages of a workspace, part after part; those of an input whose sources cannot
    be read again are told once, in `problems`."""

    def __init__(
        self,
        workspace: Workspace,
        first: int,
        opened: dict[int, Source],
        run: Run,
        problems: list[str],
        kept: str | None = None,
    ) -> None:
        self.workspace, self.first, self.kept = workspace, first, kept
        self.opened, self.run, self.problems = opened, run, problems
        self.gone: set[int] = set()
        self.again = PageReader(opened)
        self.sketcher = sketcher_of(workspace, run)

    def part(
        self, number: int, chosen: pa.Array
    ) -> Iterator[tuple[pa.Array, Content, _core.Sketcher]]:
        """Of the chosen pages of a part, by a flag for each of its pages."""
        workspace, sketcher = self.workspace, self.sketcher
        part = workspace.manifest.parts[number]

        def of_part(batch: pa.RecordBatch) -> tuple[pa.RecordBatch, pa.Array]:
            rows = batch.filter(chosen.take(pc.subtract(batch["page"], part.first)))
            return rows, pc.add(rows["page"], self.first)

        if self.kept in part.files:
            for batch in workspace.part_batches(self.kept, number, ["page", self.kept]):
                rows, pages = of_part(batch)
                yield pages, rows[self.kept], sketcher
            return
        if part.source not in self.opened and part.input not in self.gone:
            try:
                self.opened.update(open_input(workspace, part.input, self.run))
            except InputError as error:
                self.gone.add(part.input)
                self.problems.append(str(error))
        columns = ["page", "source", "place", "chars"]
        for batch in workspace.part_batches("sketches", number, columns):
            rows, pages = of_part(batch)
            if part.input in self.gone:
                yield pages, None, sketcher
                continue
            start = 0
            for body in prefetch(self.again.read(rows, part), depth=1):
                found = content(body, workspace.recipe)
                yield pages[start : start + len(body)], found, sketcher
                start += len(body)

    def close(self) -> None:
        """Raises a `ChangedError` if somebody wrote to what has been read since it was opened."""
        self.again.check_unchanged()
        self.again.close()


Made = Callable[[_core.Sketcher, pa.RecordBatch], pa.ListArray]


def lists_of(
    workspace: Pages,
    members: pa.Array,
    sources: Mapping[int, Source],
    run: Run,
    made: Made,
    problems: list[str],
) -> tuple[pa.Array, pa.Array, pa.Array]:
    """What is made of the contents of these pages (ascending), mapped: see `mapped`."""

    def lists(wanted: pa.Array) -> Iterator[pa.ListArray | int]:
        for pages, rows, sketcher in contents_of(workspace, wanted, sources, run, problems):
            yield made(sketcher, rows) if isinstance(rows, pa.RecordBatch) else len(pages)

    return by_content(workspace, members, lists)


def by_content(
    workspace: Pages,
    members: pa.Array,
    lists: Callable[[pa.Array], Iterator[pa.ListArray | int]],
) -> tuple[pa.Array, pa.Array, pa.Array]:
    """The lists of these pages (ascending), mapped; `lists` gives those of pages with a content of
    their own."""
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
