"""What is decided about pages, as selections of the records of each source.

Requests and metadata that belong to a response go with it: they name it, or it names them, by
record ids (`WARC-Concurrent-To`, `WARC-Refers-To`). An id that a page which stays has too proves
nothing.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from webecho.run import Run
from webecho.workspace.manifest import Part
from webecho.workspace.workspace import Workspace
from webecho.write.kept import is_archive
from webecho.write.selection import Selection

# The tables that tell what records a source has.
TABLES = {"sketches", "skipped"}

COMPANIONS = """
WITH named AS (
    SELECT records.key, bool_and(records.page IN (SELECT page FROM removed)) AS goes
    FROM records WHERE NOT refers GROUP BY records.key
), named_by AS (
    SELECT beside AS key, bool_and(page IN (SELECT page FROM removed)) AS goes
    FROM pages WHERE beside IS NOT NULL GROUP BY beside
)
SELECT source, place FROM skipped
WHERE beside IN (SELECT key FROM named WHERE goes) OR key IN (SELECT key FROM named_by WHERE goes)
ORDER BY source NULLS LAST, place NULLS LAST
"""


def companions(workspace: Workspace, removed: pa.Array, run: Run) -> pa.Table:
    """The records that go with the removed pages: columns `source`, `place`."""
    nothing = pa.table({"source": pa.array([], pa.int32()), "place": pa.array([], pa.int64())})
    if not workspace.part_files("skipped") or not workspace.part_files("records"):
        return nothing
    with run.database() as database:
        for name in ("records", "skipped"):
            database.add(name, workspace.stored(name))
        database.add("pages", workspace.stored("sketches"))
        database.add("removed", pa.table({"page": removed}))
        return database.table(COMPANIONS)


@dataclass(frozen=True)
class SourceDecision:
    """What is decided about the records of one source, as far as it takes to copy it.

    `parts` are those of the workspace that may hold its records, by their numbers; `stays` tells it
    for every page from number `first` on, and `gone_too` has the places of what goes with them.
    """

    number: int
    archive: bool
    parts: tuple[tuple[int, Part], ...]
    first: int
    stays: pa.BooleanArray
    gone_too: pa.Int64Array


def source_decision(
    workspace: Workspace, number: int, stays: pa.Array, gone_too: pa.Table
) -> SourceDecision:
    """What is decided about one source: `stays` tells it for every page, and `gone_too`, sorted by
    source, has what goes with them."""
    parts = tuple(_parts_of(workspace, number))
    for part_number, part in parts:
        for table in TABLES & {*part.files}:
            # Whoever reads them elsewhere has no checksums at hand.
            workspace.check_part(table, part_number)
    first = parts[0][1].first if parts else 0
    count = sum(part.pages for _, part in parts)
    # Copied: what it was cut from would be sent along.
    own = pa.concat_arrays([stays.slice(first, count)])
    archive = is_archive(workspace.manifest.sources[number]["format"])
    places = rows_of(gone_too, number)["place"].combine_chunks()
    return SourceDecision(number, archive, parts, first, own, places)


def rows_of(rows: pa.Table, number: int) -> pa.Table:
    """The rows of one source, of some that are sorted by source."""
    sources = rows["source"].combine_chunks()
    start, end = (
        find(sources, number, key=lambda each: each.as_py()) for find in (bisect_left, bisect_right)
    )
    return rows.slice(start, end - start)


def selections(workspace: Workspace, decided: SourceDecision) -> Iterator[Selection]:
    """The selections of the records of one source."""
    pages = _pages(workspace, decided)
    if not decided.archive:
        # Rows and files that are no pages are not listed, and so they stay.
        yield from pages
        return
    found = list(pages)
    places = [each.places for each in found] + _skipped(workspace, decided)
    kept = [each.stays for each in found]
    kept.append(pa.repeat(True, sum(map(len, places)) - sum(map(len, kept))))
    every, flags = pa.concat_arrays([_NONE, *places]), pa.concat_arrays(kept)
    flags = pc.and_(flags, pc.invert(pc.is_in(every, value_set=decided.gone_too)))
    order = pc.sort_indices(every)
    yield Selection(every.take(order), flags.take(order))


_NONE = pa.array([], pa.int64())


def _pages(workspace: Workspace, decided: SourceDecision) -> Iterator[Selection]:
    columns = ["page", "source", "place"]
    for batch in _batches(workspace, decided, "sketches", columns):
        rows = batch.filter(pc.equal(batch["source"], decided.number))
        if len(rows):
            numbers = pc.subtract(rows["page"], decided.first)
            yield Selection(rows["place"], decided.stays.take(numbers))


def _skipped(workspace: Workspace, decided: SourceDecision) -> list[pa.Array]:
    batches = _batches(workspace, decided, "skipped", ["source", "place"])
    return [batch["place"].filter(pc.equal(batch["source"], decided.number)) for batch in batches]


def _batches(
    workspace: Workspace, decided: SourceDecision, table: str, columns: list[str]
) -> Iterator[pa.RecordBatch]:
    for number, part in decided.parts:
        if table in part.files:
            yield from workspace.part_batches(table, number, columns)


def _parts_of(workspace: Workspace, number: int) -> Iterator[tuple[int, Part]]:
    """The parts that may hold records of a source: an input has parts of its own."""
    inputs = workspace.manifest.inputs
    here = next(
        index
        for index, each in enumerate(inputs)
        if each["sources"][0] <= number < each["sources"][1]
    )
    for part_number, part in enumerate(workspace.manifest.parts):
        if part.input == here and part.source >= number:
            yield part_number, part
            if part.source > number:
                return
