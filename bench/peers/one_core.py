"""What the HTML libraries are asked: pages in memory to what each makes of them, on one core.

    python <peer>.py IN OUT REPEAT

IN is a Parquet file with a column `html`; OUT becomes the processor seconds of each pass over
all pages, as JSON: on one core they are what a quiet machine takes, whatever else runs here. Only
the passes are timed: the pages are in memory in the form that the library takes best.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq


def timed(prepared: Callable[[pa.ChunkedArray], Callable[[], object]]) -> None:
    """Times the work that `prepared` makes of the pages."""
    source, target, repeat = sys.argv[1:]
    os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])
    work = prepared(pq.read_table(source, columns=["html"])["html"])
    seconds = []
    for _ in range(int(repeat)):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    Path(target).write_text(json.dumps(seconds))


def as_bytes(pages: pa.ChunkedArray) -> list[bytes]:
    return pages.cast(pa.large_binary()).to_pylist()
