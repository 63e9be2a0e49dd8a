"""What is true of a web over time, read again and summed up."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from webecho.synthetic.snapshots import snapshot_folder, snapshots_in
from webecho.synthetic.truth import ask, read_truth

_BORN = """
SELECT
    snapshot,
    count(*) AS pages,
    count(*) FILTER (WHERE change = 'same') AS same,
    count(*) FILTER (WHERE change = 'changed') AS changed,
    count(*) FILTER (WHERE change = 'new') AS new,
    count(*) FILTER (WHERE change = 'new' AND kind = 'composed') AS "composed of old pages",
    count(*) FILTER (WHERE change = 'new' AND kind IN ('same paragraphs', 'other order'))
        AS duplicates,
    count(*) FILTER (WHERE NOT considered) AS "too short"
FROM truth GROUP BY snapshot ORDER BY snapshot NULLS LAST
"""


def read_reuse(folder: str | Path) -> pa.Table:
    """The truth of the web in a folder, a row for each page of each snapshot."""
    out = Path(folder)
    return with_snapshots([read_truth(snapshot_folder(out, one)) for one in snapshots_in(out)])


def with_snapshots(truths: Sequence[pa.Table]) -> pa.Table:
    """The truths of all snapshots as one, with the number of the snapshot first."""
    return pa.concat_tables(
        truth.add_column(0, "snapshot", pa.repeat(pa.scalar(number, pa.int32()), len(truth)))
        for number, truth in enumerate(truths, 1)
    )


def born(truth: pa.Table) -> pa.Table:
    """What became of pages from each snapshot to the next, and what the new ones are."""
    return ask(_BORN, truth=truth)
