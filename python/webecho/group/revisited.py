"""Originals of revisits that stay: they stay too.

A revisit holds no content, and without its original nobody could give it any. One that names its
original by way of another revisit needs that one as well, and so does one that is no copy of what
it names: it may tell how it differs.
"""

import pyarrow as pa
import pyarrow.compute as pc

from webecho.group.columns import page_numbers
from webecho.group.stars import Stars
from webecho.run import Run
from webecho.workspace.mapped import by_blocks, flagged
from webecho.workspace.workspace import Workspace

# Of the revisits in `staying` the pages that they name, as far as they need them: the original, or
# where they do not name that, other revisits.
NEEDED = """
WITH named AS (
    SELECT DISTINCT staying.page AS revisit, staying.revisit_of AS original, here.page AS page
    FROM staying
    JOIN records AS there ON there.page = staying.page AND there.refers
    JOIN records AS here ON here.key = there.key AND NOT here.refers
), direct AS (
    SELECT revisit FROM named WHERE page = original
)
SELECT revisit_of AS page FROM staying
UNION
SELECT named.page AS page
FROM named JOIN revisits ON revisits.page = named.page AND revisits.revisit_of = named.original
WHERE named.revisit NOT IN (SELECT revisit FROM direct)
"""

# What revisits among the pages in `stay` name of which nobody knows what they say.
NAMED = """
SELECT DISTINCT here.page AS page
FROM stay
JOIN pages ON pages.page = stay.page AND pages.chars IS NULL
JOIN records AS here ON here.key = pages.beside AND NOT here.refers AND here.page <> pages.page
"""


def known_revisits(workspace: Workspace) -> pa.Table:
    """The revisits whose originals are known: `page`, `revisit_of`."""
    names = ["page", "revisit_of"]
    found = [workspace.schema.empty_table().select(names)]
    if workspace.manifest.counts.get("revisits"):
        for batch in workspace.batches(names):
            rows = batch.filter(batch["revisit_of"].is_valid())
            found.append(pa.Table.from_batches([rows]))
    return pa.concat_tables(found).combine_chunks()


def keep_originals(
    workspace: Workspace, stars: Stars, dropped: pa.Array, first: int, run: Run
) -> tuple[Stars, pa.Array, int]:
    """The stars with what the revisits that stay need, what is still dropped, and how many pages
    stay for that alone.

    Pages of the workspace have the numbers from `first` on in the stars.
    """
    if not workspace.manifest.counts.get("revisits"):
        return stars, dropped, 0
    revisits = known_revisits(workspace)
    pinned = _needed(workspace, revisits, _staying(stars, dropped, first), run)
    found = stars.with_kept(pc.add(pinned, first))
    needed = flagged(len(dropped), pinned)
    left = pc.if_else(needed, pa.scalar(None, dropped.type), dropped)
    kept = len(stars.removed) - len(found.removed) + left.null_count - dropped.null_count
    return found, left, kept


def _staying(stars: Stars, dropped: pa.Array, first: int) -> pa.Array:
    def staying(kept: pa.Array, number: pa.Array, stays: pa.Array) -> pa.Array:
        there = pc.and_(pc.equal(kept, pc.add(number, pa.scalar(first, pa.uint32()))), stays)
        return number.filter(there).cast(pa.int64())

    here = stars.kept[first:]
    return by_blocks(staying, here, page_numbers(len(here)), dropped.is_null())


def _needed(workspace: Workspace, revisits: pa.Table, stay: pa.Array, run: Run) -> pa.Array:
    """The pages that revisits among those which stay need, also for each other."""
    staying = revisits.filter(pc.is_in(revisits["page"], value_set=stay))
    with run.database() as database:
        database.add("records", workspace.stored("records"))
        database.add("pages", workspace.stored("sketches"))
        database.add("stay", pa.table({"page": stay}))
        database.add("revisits", revisits)
        needed = database.table(NAMED)["page"].combine_chunks()
        while len(staying):
            database.add("staying", staying)
            found = database.table(NEEDED)["page"].combine_chunks()
            new = found.filter(pc.invert(pc.is_in(found, value_set=needed)))
            needed = pa.concat_arrays([needed, new])
            staying = revisits.filter(pc.is_in(revisits["page"], value_set=new))
    return needed
