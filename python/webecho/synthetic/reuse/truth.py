"""What is true of a web over time, read again and summed up."""

from pathlib import Path

import pyarrow as pa

from webecho.synthetic.evolving.across import numbered
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
    return numbered([read_truth(snapshot_folder(folder, one)) for one in snapshots_in(folder)])


def born(truth: pa.Table) -> pa.Table:
    """What became of pages from each snapshot to the next, and what the new ones are."""
    return ask(_BORN, truth=truth)
