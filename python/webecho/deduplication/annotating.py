"""What a dedup tells in the data itself, or beside data that has no columns: see
write/annotations.py."""

from dataclasses import dataclass
from pathlib import Path

import pyarrow.compute as pc

from webecho.deduplication.run import Decided
from webecho.group.cluster_counts import ClusterCounts, cluster_counts
from webecho.group.decision import KEPT
from webecho.workspace.table_files import write_table
from webecho.workspace.union import Union
from webecho.write.annotations import Annotations, beside_rows, count_rows
from webecho.write.decisions import Fates

ANNOTATIONS_FILE, COUNTS_FILE = "annotations.parquet", "counts.parquet"


@dataclass(frozen=True)
class Told:
    """The columns of rows, and the counts they are made of."""

    annotations: Annotations
    counts: ClusterCounts


def annotated(found: Decided) -> Told | None:
    """What is told of rows, if that is wanted."""
    output = found.plan.output
    if not output.columns:
        return None
    counts = cluster_counts(found.decision)
    notes = Annotations.of(found.decision, counts, output.columns, output.prefix)
    return Told(notes, counts)


def write_beside(found: Decided, fates: Fates, told: Told | None, folder: Path) -> None:
    """Writes what is told of records that have no columns, and how often each page was seen."""
    if told is None:
        return
    sources = found.collection.sources
    bare = [number for number, each in enumerate(sources) if not each.has_columns]
    if bare:
        wanted = pc.equal(fates.pages, KEPT)
        rows = beside_rows(found.workspace, bare, told.annotations, wanted)
        write_table(folder / ANNOTATIONS_FILE, rows)
    if found.plan.output.counts:
        pages = found.decision.pages
        earlier = str(pages.left.path) if isinstance(pages, Union) else None
        rows = count_rows(found.decision, told.counts, earlier, whole_ids=found.whole_ids)
        write_table(folder / COUNTS_FILE, rows)
