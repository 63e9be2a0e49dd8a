"""*Identity set*: the pages with the same token sequence (Henzinger 2006).

A page without tokens belongs only with pages of the same raw bytes, and an empty page with none.
"""

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.memory import sorting
from webecho.run import Run
from webecho.workspace.prefetch import prefetch
from webecho.workspace.union import Pages

# The kinds of digests: of the tokens, and of the raw bytes.
TOKENS, RAW = 0, 1
# What a page takes while it is sorted, and Arrow's copy of the batch.
ROW = 32


def unite_identical(
    workspace: Pages, run: Run, *, apart: pa.Array | None = None, hollow: pa.Array | None = None
) -> _core.Forest:
    """A forest in which the identity sets are joined.

    With `apart`, a number for each page, those of pages with the same number. Pages that are
    `hollow` are taken as if they had no tokens. Within a memory budget the digests are gone through
    several times, for some classes of them each.
    """
    forest = _core.Forest(workspace.pages, run.threads)
    passes = 1
    if run.memory is not None:
        passes = -(-workspace.pages * ROW // sorting(run.memory, workspace.pages))
    for number in range(passes):
        keys = _core.Keys(passes, number)
        columns = ["page", "digest", "markup_digest"]
        for batch in prefetch(workspace.batches(columns)):
            has_tokens = batch["digest"].is_valid()
            if hollow is not None:
                has_tokens = pc.and_not(has_tokens, hollow.take(batch["page"]))
            for kind, column, chosen in (
                (TOKENS, "digest", has_tokens),
                (RAW, "markup_digest", pc.invert(has_tokens)),
            ):
                if batch[column].null_count == len(batch):
                    continue
                rows = batch.filter(chosen)
                groups = None if apart is None else apart.take(rows["page"])
                keys.add(rows["page"], rows[column], kind, groups)
        forest.unite_equal(keys)
    return forest


def representatives(forest: _core.Forest) -> pa.Array:
    """For every page whether it is the lowest of its set: that one stands for all of them."""
    return forest.lowest()
