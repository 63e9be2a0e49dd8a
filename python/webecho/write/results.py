"""The tables that tell what a dedup decided, and its summary.

| file | one row | sorted by |
| --- | --- | --- |
| `duplicates.parquet` | a page that was removed, and the one that stays for it | `page` |
| `clusters.parquet` | a page, the one that stays for it, and for how many that stands | `page` |
| `skipped.parquet` | a record that is no page, and why | `source`, `place` |
"""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.group.decision import Decision
from webecho.group.dropping import Dropping, named
from webecho.workspace.json_files import json_bytes
from webecho.workspace.layout import SUMMARY
from webecho.workspace.lookup import Lookup
from webecho.workspace.schemas import SKIPPED
from webecho.workspace.table_files import write_table
from webecho.workspace.union import Pages, Union
from webecho.workspace.workspace import Workspace

# Rows that are named at a time.
SOME = 1 << 16
SKIPPED_FILE = "skipped.parquet"


def write_results(
    decision: Decision, dropping: Dropping, folder: Path, *, whole_ids: bool = False
) -> None:
    """Writes `duplicates.parquet` and `clusters.parquet`; `whole_ids` says that ids are whole
    numbers, also if they are stored as text.

    Numbers are those of the new collection; `kept_in` tells which are those of an earlier one.
    """
    pages, first, removed = decision.pages, decision.first, decision.stars.removed
    as_number = pa.int64() if whole_ids else None
    write_table(folder / "duplicates.parquet", _duplicates(pages, removed, first, as_number))
    write_table(folder / "clusters.parquet", _clusters(decision, dropping, as_number))


def _duplicates(
    pages: Pages, removed: pa.Table, first: int, as_number: pa.DataType | None
) -> Iterator[pa.Table]:
    """The rows, some of them at a time."""
    earlier = pages.left.name if isinstance(pages, Union) else None
    own_type = as_number or pages.pieces[-1][0].id_type
    both = pa.chunked_array([*removed["page"].chunks, *removed["kept_page"].chunks], pa.int64())
    lookup = Lookup.of(pages, ("id", "url", "source", "place"), both)
    files = {piece.path: _source_names(piece) for piece, _ in pages.pieces}
    here, there = (files[pages.pieces[at][0].path] for at in (-1, 0))
    for start in range(0, max(len(removed), 1), SOME):
        rows = removed.slice(start, SOME).combine_chunks()
        page, kept_page = (rows[name].combine_chunks() for name in ("page", "kept_page"))
        own, kept = lookup.take(page), lookup.take(kept_page)
        before = pc.less(kept_page, first)
        columns = {
            "page": pc.subtract(page, first),
            "kept_page": pc.subtract(kept_page, pc.if_else(before, 0, first)),
            "id": own["id"].cast(own_type),
            "url": own["url"],
            "kept_id": kept["id"].cast(as_number or kept["id"].type),
            "kept_url": kept["url"],
            "source": here.take(own["source"]),
            "place": own["place"],
            # Each collection numbers its own sources.
            "kept_source": pc.if_else(
                before,
                there.take(pc.if_else(before, kept["source"], None)),
                here.take(pc.if_else(before, None, kept["source"])),
            ),
            "kept_place": kept["place"],
        }
        columns |= {name: rows[name] for name in rows.column_names[2:]}
        columns["kept_in"] = pc.if_else(before, earlier, pa.scalar(None, pa.string()))
        yield pa.table(columns)


def _source_names(workspace: Workspace) -> pa.Array:
    return pa.array(workspace.source_names, pa.string())


def _clusters(
    decision: Decision, dropping: Dropping, as_number: pa.DataType | None
) -> Iterator[pa.Table]:
    pages, first, stays = decision.pages, decision.first, decision.stays
    stars = decision.stars
    workspace, _ = pages.pieces[-1]
    earlier = pages.left.name if isinstance(pages, Union) else None
    kept = stars.kept[first:]
    sizes = _core.sizes(kept, pages.pages)
    names = ["page", "url", "id"]
    # Where there are no pages the table still has its columns.
    none = workspace.schema.empty_table().select(names)
    for batch in chain([none], workspace.batches(names)):
        start = batch["page"][0].as_py() if len(batch) else 0
        cluster = kept[start : start + len(batch)].cast(pa.int64())
        number = pc.subtract(cluster, pc.if_else(pc.less(cluster, first), 0, first))
        columns = {
            "page": batch["page"],
            "cluster": number,
            "size": sizes[start : start + len(batch)].cast(pa.int64()),
            "stays": stays[start : start + len(batch)],
            "dropped": named(decision.dropped.slice(start, len(batch)), dropping),
            "kept_in": pc.if_else(pc.less(cluster, first), earlier, pa.scalar(None, pa.string())),
            "url": batch["url"],
            "id": batch["id"].cast(as_number or batch["id"].type),
        }
        yield pa.table(columns)


def write_skipped(workspace: Workspace, folder: Path) -> None:
    """Writes `skipped.parquet`, with the names of the sources instead of their numbers."""
    names = _source_names(workspace)
    fields = [name for name in SKIPPED.names if name not in ("key", "beside")]

    def rows() -> Iterator[pa.Table]:
        yield _named(SKIPPED.empty_table().select(fields), names)
        for batch in workspace.batches(fields, "skipped"):
            yield _named(pa.Table.from_batches([batch]), names)

    write_table(folder / SKIPPED_FILE, rows())


def _named(rows: pa.Table, names: pa.Array) -> pa.Table:
    return rows.set_column(0, "source", names.take(rows["source"]))


def write_summary(summary: dict[str, Any], folder: Path) -> None:
    """Writes counts and settings, the same from run to run."""
    (folder / SUMMARY).write_bytes(json_bytes(summary))
