"""The tables that tell what a dedup decided, and its summary.

| file | one row | sorted by |
| --- | --- | --- |
| `duplicates.parquet` | a page that was removed, and the one that stays for it | `page` |
| `clusters.parquet` | a page, the one that stays for it, and for how many that stands | `page` |
| `skipped.parquet` | a record that is no page, and why | `source`, `place` |
"""

import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.engine.local import connect
from webecho.group.stars import Stars
from webecho.sketches.joined import Joined, Pages
from webecho.sketches.parts import SKIPPED
from webecho.sketches.tables import ROWS, write_table
from webecho.sketches.workspace import Workspace

# Numbers are those of the new collection; what an earlier one has, `kept_in` tells apart.
DUPLICATES = """
SELECT
    gone.page - {first} AS page,
    gone.kept_page - CASE WHEN gone.kept_page < {first} THEN 0 ELSE {first} END AS kept_page,
    own.id, own.url, kept.id AS kept_id, kept.url AS kept_url,
    rule, resemblance, containment, kept_containment, b_similarity, estimated,
    CASE WHEN gone.kept_page < {first} THEN '{old}' END AS kept_in
FROM gone JOIN names AS own ON own.page = gone.page JOIN names AS kept ON kept.page = gone.kept_page
ORDER BY gone.page
"""


def write_results(
    pages: Pages, stars: Stars, folder: Path, threads: int, memory: int | None
) -> None:
    """Writes `duplicates.parquet` and `clusters.parquet`."""
    first = pages.old.pages if isinstance(pages, Joined) else 0
    old = str(pages.old.path).replace("'", "''") if isinstance(pages, Joined) else ""
    with connect(threads, memory) as connection:
        _register_names(connection, pages)
        connection.register("gone", stars.removed)
        query = DUPLICATES.format(first=first, old=old)
        reader = connection.sql(query).to_arrow_reader(ROWS)
        rows = (pa.Table.from_batches([batch]) for batch in reader)
        write_table(folder / "duplicates.parquet", chain([reader.schema.empty_table()], rows))
    write_table(folder / "clusters.parquet", _clusters(pages, stars, first))


def _clusters(pages: Pages, stars: Stars, first: int) -> Iterator[pa.Table]:
    workspace, _ = pages.pieces[-1]
    kept = stars.kept[first:]
    sizes = _core.sizes(kept, pages.pages)
    names = workspace.table().select(["page", "url", "id"]) if not workspace.pages else None
    for batch in workspace.batches(["page", "url", "id"]) if names is None else [names]:
        start = batch["page"][0].as_py() if len(batch) else 0
        cluster = kept[start : start + len(batch)].cast(pa.int64())
        number = pc.subtract(cluster, pc.if_else(pc.less(cluster, first), 0, first))
        columns = {
            "page": batch["page"],
            "cluster": number,
            "size": sizes[start : start + len(batch)].cast(pa.int64()),
            "stays": pc.equal(cluster, pc.add(batch["page"], first)),
            "url": batch["url"],
            "id": batch["id"],
        }
        yield pa.table(columns)


def _register_names(connection: duckdb.DuckDBPyConnection, pages: Pages) -> None:
    views = []
    for number, (workspace, first) in enumerate(pages.pieces):
        found = [str(file) for file in workspace.part_files("sketches")]
        table = connection.read_parquet(found) if found else workspace.table()
        connection.register(f"piece_{number}", table)
        views.append(f"SELECT page + {first} AS page, url, id FROM piece_{number}")
    connection.execute(f"CREATE TEMP VIEW names AS {' UNION ALL BY NAME '.join(views)}")


def write_skipped(workspace: Workspace, folder: Path) -> None:
    """Writes `skipped.parquet`, with the names of the sources instead of their numbers."""
    names = pa.array([source["name"] for source in workspace.manifest.sources], pa.string())
    fields = [name for name in SKIPPED.names if name not in ("key", "beside")]

    def rows() -> Iterator[pa.Table]:
        yield _named(SKIPPED.empty_table().select(fields), names)
        for batch in workspace.batches(fields, "skipped"):
            yield _named(pa.Table.from_batches([batch]), names)

    write_table(folder / "skipped.parquet", rows())


def _named(rows: pa.Table, names: pa.Array) -> pa.Table:
    return rows.set_column(0, "source", names.take(rows["source"]))


def write_summary(summary: dict[str, Any], folder: Path) -> None:
    """Writes `summary.json`: counts and settings, the same from run to run."""
    text = json.dumps(summary, indent=1, ensure_ascii=False)
    (folder / "summary.json").write_text(text + "\n", encoding="utf-8")
