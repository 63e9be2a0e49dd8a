"""What is decided about pages, as selections of the records of each source.

Requests and metadata that belong to a response go with it: they name it, or it names them, by
record ids (`WARC-Concurrent-To`, `WARC-Refers-To`). An id that a page which stays has too proves
nothing.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

import pyarrow as pa
import pyarrow.compute as pc

from webecho.group.decision import DROPPED, KEPT, REMOVED, Decision
from webecho.group.dropping import Dropping
from webecho.run import Run
from webecho.workspace.manifest import Part
from webecho.workspace.workspace import Workspace
from webecho.write.annotations import Annotations
from webecho.write.kept import is_archive
from webecho.write.selection import Selection

# Lines that hold nothing: the reason why they are no pages.
BLANK = "blank"
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


def companions(workspace: Workspace, gone: pa.Array, run: Run) -> pa.Table:
    """The records that go with the pages that go: columns `source`, `place`."""
    nothing = pa.table({"source": pa.array([], pa.int32()), "place": pa.array([], pa.int64())})
    if not workspace.part_files("skipped") or not workspace.part_files("records"):
        return nothing
    with run.database() as database:
        for name in ("records", "skipped"):
            database.add(name, workspace.stored(name))
        database.add("pages", workspace.stored("sketches"))
        database.add("removed", pa.table({"page": gone}))
        return database.table(COMPANIONS)


@dataclass(frozen=True)
class Fates:
    """What becomes of every page, of the records that go with pages, and of those that are no pages
    and go by themselves."""

    pages: pa.Array
    companions: dict[int, pa.Table]
    dropping: Dropping

    @property
    def annotated(self) -> "Fates":
        """The same, but that nothing is removed."""
        pages = pc.if_else(pc.equal(self.pages, REMOVED), KEPT, self.pages).cast(pa.int8())
        dropped = self.companions[DROPPED]
        return replace(self, pages=pages, companions={REMOVED: dropped, DROPPED: dropped})

    @classmethod
    def of(
        cls, workspace: Workspace, decision: Decision, dropping: Dropping, whole: pa.Array, run: Run
    ) -> Self:
        """What was decided; companions of the `whole` pages stay: a revisit stands for those."""
        gone = decision.gone
        gone = gone.filter(pc.invert(pc.is_in(gone, value_set=whole)))
        dropped = gone.filter(decision.dropped.take(gone).is_valid())
        with_all = companions(workspace, gone, run)
        with_dropped = companions(workspace, dropped, run) if len(dropped) else with_all.slice(0, 0)
        return cls(decision.fates, {REMOVED: with_all, DROPPED: with_dropped}, dropping)


@dataclass(frozen=True)
class SourceDecision:
    """What is decided about the records of one source, as far as it takes to copy it.

    `parts` are those of the workspace that may hold its records, by their numbers; `fates` tells
    what becomes of every page from number `first` on, `companions` has the places of what goes with
    them, by what becomes of that, and `notes` what is told of the pages.
    """

    number: int
    archive: bool
    parts: tuple[tuple[int, Part], ...]
    first: int
    fates: pa.Int8Array
    companions: dict[int, pa.Int64Array]
    dropping: Dropping
    notes: Annotations | None = None


def source_decision(
    workspace: Workspace, number: int, fates: Fates, notes: Annotations | None = None
) -> SourceDecision:
    """What is decided about one source, and told of its pages."""
    parts = tuple(_parts_of(workspace, number))
    for part_number, part in parts:
        for table in TABLES & {*part.files}:
            # Whoever reads them elsewhere has no checksums at hand.
            workspace.check_part(table, part_number)
    first = parts[0][1].first if parts else 0
    count = sum(part.pages for _, part in parts)
    # Copied: what it was cut from would be sent along.
    own = pa.concat_arrays([fates.pages.slice(first, count)])
    archive = is_archive(workspace.manifest.sources[number]["format"])
    together = {
        fate: rows_of(rows, number)["place"].combine_chunks()
        for fate, rows in fates.companions.items()
    }
    told = None if notes is None else notes.of_some(first, count)
    return SourceDecision(number, archive, parts, first, own, together, fates.dropping, told)


def rows_of(rows: pa.Table, number: int) -> pa.Table:
    """The rows of one source, of some that are sorted by source."""
    sources = rows["source"].combine_chunks()
    start, end = (
        find(sources, number, key=lambda each: each.as_py()) for find in (bisect_left, bisect_right)
    )
    return rows.slice(start, end - start)


def selections(
    workspace: Workspace, decided: SourceDecision, fate: int = KEPT
) -> Iterator[Selection]:
    """The selections of the records of one source that have this fate."""
    pages = _pages(workspace, decided)
    skipped, why = _skipped(workspace, decided)
    if not decided.archive and not pc.equal(why, DROPPED).true_count:
        # Rows and files that are no pages are not listed, and so they stay.
        yield from (Selection(places, pc.equal(found, fate)) for places, found in pages)
        return
    listed = [*pages]
    places = pa.concat_arrays([_NONE, *(some for some, _ in listed), skipped])
    found = pa.concat_arrays([*(each for _, each in listed), why])
    for other, too in decided.companions.items() if decided.archive else ():
        goes = pc.is_in(places, value_set=too)
        found = pc.if_else(goes, pa.scalar(other, pa.int8()), found)
    order = pc.sort_indices(places)
    yield Selection(places.take(order), pc.equal(found, fate).take(order))


_NONE = pa.array([], pa.int64())


def _pages(workspace: Workspace, decided: SourceDecision) -> Iterator[tuple[pa.Array, pa.Array]]:
    """The places of the pages of a source, and their fates, some at a time."""
    columns = ["page", "source", "place"]
    for batch in _batches(workspace, decided, "sketches", columns):
        rows = batch.filter(pc.equal(batch["source"], decided.number))
        if len(rows):
            numbers = pc.subtract(rows["page"], decided.first)
            yield rows["place"], decided.fates.take(numbers)


def page_columns(
    workspace: Workspace, decided: SourceDecision, notes: Annotations
) -> Iterator[tuple[pa.Array, pa.RecordBatch]]:
    """The places of the pages of a source, and what is told of them, some at a time."""
    columns = ["page", "source", "place", "id"]
    for batch in _batches(workspace, decided, "sketches", columns):
        rows = batch.filter(pc.equal(batch["source"], decided.number))
        if len(rows):
            yield rows["place"], notes.of_pages(rows["page"], rows["id"])


def _skipped(workspace: Workspace, decided: SourceDecision) -> tuple[pa.Array, pa.Array]:
    """The places of the records of a source that are no pages, and their fates."""
    places, fates = [_NONE], [pa.array([], pa.int8())]
    names = ["source", "place", "failed", "reason"]
    dropping = decided.dropping
    for batch in _batches(workspace, decided, "skipped", names):
        rows = batch.filter(pc.equal(batch["source"], decided.number))
        gone = pc.or_(
            pc.and_(rows["failed"], dropping.drop_failed),
            pc.and_(pc.equal(rows["reason"], BLANK), dropping.drop_empty),
        )
        places.append(rows["place"])
        fates.append(pc.if_else(gone, DROPPED, KEPT).cast(pa.int8()))
    return pa.concat_arrays(places), pa.concat_arrays(fates)


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
