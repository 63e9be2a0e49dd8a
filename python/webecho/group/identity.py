"""*Identity set*: the pages with the same token sequence (Henzinger 2006).

A page without tokens belongs only with pages of the same raw bytes, and an empty page with none.
"""

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.sketches.joined import Pages


def unite_identical(workspace: Pages, threads: int, apart: pa.Array | None = None) -> _core.Forest:
    """A forest in which the identity sets are joined; with `apart`, a number for each page, those
    of pages with the same number."""
    forest = _core.Forest(workspace.pages, threads)
    pages, digests, raw_pages, raw_digests = [], [], [], []
    for batch in workspace.batches(["page", "digest", "markup_digest"]):
        has_tokens = batch["digest"].is_valid()
        some = batch.filter(has_tokens)
        none = batch.filter(pc.invert(has_tokens))
        pages.append(some["page"])
        digests.append(some["digest"])
        raw_pages.append(none["page"])
        raw_digests.append(none["markup_digest"])
    for numbers, keys in ((pages, digests), (raw_pages, raw_digests)):
        if numbers:
            every = pa.concat_arrays(numbers)
            groups = None if apart is None else apart.take(every)
            forest.unite_equal(every, pa.concat_arrays(keys), groups)
    return forest


def representatives(forest: _core.Forest) -> pa.Array:
    """For every page whether it is the lowest of its set: that one stands for all of them."""
    cluster, _ = forest.clusters()
    return pc.equal(cluster, pa.array(range(len(cluster)), pa.uint32()))
