"""What is decided about pages, as selections of the records of each source.

Requests and metadata that belong to a response go with it: they name it, or it names them, by
record ids (`WARC-Concurrent-To`, `WARC-Refers-To`). An id that a page which stays has too proves
nothing.
"""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from webecho.run import Run
from webecho.workspace.manifest import Part
from webecho.workspace.workspace import Workspace
from webecho.write.kept import is_archive
from webecho.write.selection import Selection

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


def selections(
    workspace: Workspace, number: int, stays: pa.Array, gone_too: pa.Table
) -> Iterator[Selection]:
    """The selections of the records of one source: `stays` tells it for every page, and `gone_too`
    has what goes with them."""
    archive = is_archive(workspace.manifest.sources[number]["format"])
    pages = _pages(workspace, number, stays)
    if not archive:
        # Rows and files that are no pages are not listed, and so they stay.
        yield from pages
        return
    found = list(pages)
    places = [each.places for each in found] + _skipped(workspace, number)
    kept = [each.stays for each in found]
    kept.append(pa.repeat(True, sum(map(len, places)) - sum(map(len, kept))))
    every, flags = pa.concat_arrays([_NONE, *places]), pa.concat_arrays(kept)
    here = gone_too.filter(pc.equal(gone_too["source"], number))["place"].combine_chunks()
    flags = pc.and_(flags, pc.invert(pc.is_in(every, value_set=here)))
    order = pc.sort_indices(every)
    yield Selection(every.take(order), flags.take(order))


_NONE = pa.array([], pa.int64())


def _pages(workspace: Workspace, number: int, stays: pa.Array) -> Iterator[Selection]:
    for part_number, part in _parts_of(workspace, number):
        if "sketches" not in part.files:
            continue
        for batch in workspace.part_batches("sketches", part_number, ["page", "source", "place"]):
            rows = batch.filter(pc.equal(batch["source"], number))
            if len(rows):
                yield Selection(rows["place"], stays.take(rows["page"]))


def _skipped(workspace: Workspace, number: int) -> list[pa.Array]:
    found = []
    for part_number, part in _parts_of(workspace, number):
        if "skipped" in part.files:
            for batch in workspace.part_batches("skipped", part_number, ["source", "place"]):
                found.append(batch["place"].filter(pc.equal(batch["source"], number)))
    return found


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
