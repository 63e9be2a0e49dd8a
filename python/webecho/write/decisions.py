"""What is decided about pages, as selections of the records of each source.

Requests and metadata that belong to a response go with it: they name it, or it names them, by
record ids (`WARC-Concurrent-To`, `WARC-Refers-To`). An id that a page which stays has too proves
nothing.
"""

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
from webecho.write.kept import is_archive
from webecho.write.selection import Selection

# Lines that hold nothing: the reason why they are no pages.
BLANK = "blank"

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

    def of_record(self, number: int, places: pa.Array, fates: pa.Array) -> pa.Array:
        """The fates of records of a source, given those of its pages: what goes with them goes."""
        for fate, rows in self.companions.items():
            here = rows.filter(pc.equal(rows["source"], number))["place"].combine_chunks()
            too = pc.is_in(places, value_set=here)
            fates = pc.if_else(too, pa.scalar(fate, pa.int8()), fates)
        return fates


def selections(
    workspace: Workspace, number: int, fates: Fates, fate: int = KEPT
) -> Iterator[Selection]:
    """The selections of the records of one source that have this fate."""
    archive = is_archive(workspace.manifest.sources[number]["format"])
    pages = _pages(workspace, number, fates.pages)
    skipped, why = _skipped(workspace, number, fates.dropping)
    if not archive and not pc.equal(why, DROPPED).true_count:
        # Rows and files that are no pages are not listed, and so they stay.
        yield from (Selection(places, pc.equal(found, fate)) for places, found in pages)
        return
    listed = [*pages]
    places = pa.concat_arrays([_NONE, *(some for some, _ in listed), skipped])
    found = pa.concat_arrays([*(each for _, each in listed), why])
    if archive:
        found = fates.of_record(number, places, found)
    order = pc.sort_indices(places)
    yield Selection(places.take(order), pc.equal(found, fate).take(order))


_NONE = pa.array([], pa.int64())


def _pages(
    workspace: Workspace, number: int, fates: pa.Array
) -> Iterator[tuple[pa.Array, pa.Array]]:
    """The places of the pages of a source, and their fates, some at a time."""
    for part_number, part in _parts_of(workspace, number):
        if "sketches" not in part.files:
            continue
        for batch in workspace.part_batches("sketches", part_number, ["page", "source", "place"]):
            rows = batch.filter(pc.equal(batch["source"], number))
            if len(rows):
                yield rows["place"], fates.take(rows["page"])


def _skipped(workspace: Workspace, number: int, dropping: Dropping) -> tuple[pa.Array, pa.Array]:
    """The places of the records of a source that are no pages, and their fates."""
    places, fates = [_NONE], [pa.array([], pa.int8())]
    names = ["source", "place", "failed", "reason"]
    for part_number, part in _parts_of(workspace, number):
        if "skipped" in part.files:
            for batch in workspace.part_batches("skipped", part_number, names):
                rows = batch.filter(pc.equal(batch["source"], number))
                gone = pc.or_(
                    pc.and_(rows["failed"], dropping.drop_failed),
                    pc.and_(pc.equal(rows["reason"], BLANK), dropping.drop_empty),
                )
                places.append(rows["place"])
                fates.append(pc.if_else(gone, DROPPED, KEPT).cast(pa.int8()))
    return pa.concat_arrays(places), pa.concat_arrays(fates)


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
