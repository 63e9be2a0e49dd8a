"""*Left report*: for each page of one collection how much of it stands in another, where, and in
which words: which questions of a test stand in a corpus."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webecho.chunkings import Chunking
from webecho.group.chunk_lists import chunk_lists
from webecho.group.columns import flags
from webecho.group.overlaps import FoundOverlaps, OverlapSearch
from webecho.group.reread_content import content_pages, contents_of
from webecho.group.shared_passages import longest_run
from webecho.read.pages import Source
from webecho.run import Run
from webecho.sketches.passages import Numbers, Passages, passages
from webecho.workspace.lookup import Lookup
from webecho.workspace.union import Beside
from webecho.workspace.workspace import Workspace

# Of so many pages the passages are held, which are some times what the pages are.
AT_ONCE = 16


def left_report(
    both: Beside,
    found: FoundOverlaps,
    search: OverlapSearch,
    least: float,
    sources: Mapping[int, Source],
    run: Run,
) -> tuple[pa.Table, list[str]]:
    """One row for each left page: the highest `containment`, the number of right pages that have
    it, the first of them and, where the containment is at least so high, the passage as it stands
    there; and why some pages could not be read again. `sources` are those of the right collection
    that are open."""
    left, right = both.left, both.right
    best = Best(left.pages)
    for batch in found.pairs():
        best.add(*(batch[name].to_numpy() for name in ("left", "right", "shared")))
    every = pa.array(range(left.pages), pa.int64())
    shared = pa.array(best.shared)
    sizes = left_sizes(left, search.chunking)
    containment = pc.divide(shared.cast(pa.float64()), sizes.cast(pa.float64()))
    stands = pa.array(best.right - left.pages, mask=best.pages == 0)
    enough = pc.fill_null(pc.greater_equal(containment, least), False)
    wanted = pc.and_(enough, pc.greater(shared, 0))
    problems: list[str] = []
    pairs = dict(
        zip(every.filter(wanted).to_pylist(), stands.filter(wanted).to_pylist(), strict=True)
    )
    words = matched_words(both, pairs, search, sources, run, problems)
    own, there = Lookup.of(left).take(every), Lookup.of(right).take(stands)
    columns = {
        "left": every,
        "containment": containment,
        "shared_chunks": shared,
        "chunks": sizes,
        "found": enough,
        "pages": pa.array(best.pages),
        "right": stands,
        "left_url": own["url"],
        "left_id": own["id"],
        "right_url": there["url"],
        "right_id": there["id"],
        "passage": pa.array([words.get(page) for page in range(left.pages)], pa.string()),
    }
    return pa.table(columns), problems


class Best:
    """Of each left page the right one that has most of it, the lowest of several, how much that is,
    and how many do; while pairs come, sorted, so that none is held."""

    def __init__(self, pages: int) -> None:
        self.right, self.shared, self.pages = (np.zeros(pages, np.int64) for _ in range(3))

    def add(self, left: Numbers, right: Numbers, shared: Numbers) -> None:
        """Takes in the next pairs."""
        if not len(left):
            return
        lefts, starts = np.unique(left, return_index=True)
        most = np.maximum.reduceat(shared, starts)
        has_most = shared == np.repeat(most, np.diff([*starts, len(left)]))
        count = np.add.reduceat(has_most.astype(np.int64), starts)
        at = np.flatnonzero(has_most)
        first = right[at[np.searchsorted(at, starts)]]
        # The pairs of a page may come in several turns, the lowest right page first.
        more, same = most > self.shared[lefts], most == self.shared[lefts]
        self.pages[lefts[same]] += count[same]
        for known, new in ((self.right, first), (self.shared, most), (self.pages, count)):
            known[lefts[more]] = new[more]


def left_sizes(left: Workspace, chunking: Chunking) -> pa.Array:
    """How many different chunks each page has; null where it has none."""
    sizes: list[int | None] = [None] * left.pages
    for pages, lists in chunk_lists(left, chunking):
        for page, chunks in zip(pages.to_pylist(), lists.to_pylist(), strict=True):
            sizes[page] = len({*(chunks or ())}) or None
    return pa.array(sizes, pa.int64())


def matched_words(
    both: Beside,
    pairs: dict[int, int],
    search: OverlapSearch,
    sources: Mapping[int, Source],
    run: Run,
    problems: list[str],
) -> dict[int, str]:
    """Of pairs of pages what stands on both, as the right one has it: the longest run of chunks."""
    chunking, bits = search.chunking, search.bits
    lefts: dict[int, list[int]] = defaultdict(list)
    for page, there in pairs.items():
        lefts[there].append(page)
    ours = chunks_of(both.left, sorted(pairs), chunking)
    found = {}
    for there, theirs in read_passages(both.right, sorted(lefts), chunking, sources, run, problems):
        for page in lefts[there]:
            longest = longest_run(ours[page].to_numpy(), theirs.chunks, bits)
            if longest is not None:
                found[page] = theirs.cut(longest.right, longest.count)
    return found


def chunks_of(left: Workspace, pages: list[int], chunking: Chunking) -> dict[int, pa.Array]:
    """The chunks of these pages."""
    wanted = flags(left, pa.array(pages, pa.int64()))
    return {
        page: lists[at].values
        for numbers, lists in chunk_lists(left, chunking, wanted)
        for at, page in enumerate(numbers.to_pylist())
    }


def read_passages(
    workspace: Workspace,
    pages: list[int],
    chunking: Chunking,
    sources: Mapping[int, Source],
    run: Run,
    problems: list[str],
) -> Iterator[tuple[int, Passages]]:
    """The passages of these pages, ascending, as far as they can be read again."""
    members = pa.array(pages, pa.int64())
    contents = content_pages(workspace, members).to_pylist()
    called: dict[int, list[int]] = defaultdict(list)
    for page, content in zip(pages, contents, strict=True):
        called[content].append(page)
    own = pa.array(sorted(called), pa.int64())
    for numbers, rows, sketcher in contents_of(workspace, own, sources, run, problems):
        if isinstance(rows, pa.RecordBatch):
            for start in range(0, len(rows), AT_ONCE):
                found = passages(sketcher, rows.slice(start, AT_ONCE), chunking)
                for number, each in zip(
                    numbers[start : start + AT_ONCE].to_pylist(), found, strict=True
                ):
                    for page in called[number]:
                        yield page, each
