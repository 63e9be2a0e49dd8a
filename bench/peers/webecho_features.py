"""webecho: HTML to what dedup needs: digests, features and supershingles, not the projection."""

from collections.abc import Callable

import pyarrow as pa
from one_core import timed

from webecho import _core
from webecho.settings import WEBECHO


def prepared(pages: pa.ChunkedArray) -> Callable[[], object]:
    rows = len(pages)
    none = pa.nulls(rows, pa.string())
    bodies = pages.cast(pa.large_string()).combine_chunks()
    batch = pa.record_batch(
        [bodies, pa.repeat(True, rows), none, none], ["body", "markup", "charset", "url"]
    )
    sketcher = _core.Sketcher(WEBECHO.as_dict(), 1)
    return lambda: sketcher.sketch(batch, ["features", "supershingles"])


if __name__ == "__main__":
    timed(prepared)
