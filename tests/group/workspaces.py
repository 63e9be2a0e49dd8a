"""Workspaces of tables, with columns of the user's to group and to keep by."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from webecho.engine.local.engine import local_run
from webecho.read.collection import ReadOptions, open_collection
from webecho.read.columns import ColumnNames
from webecho.workspace.resume import SketchSettings
from webecho.workspace.workspace import Workspace


def sketched(
    path: Path,
    table: pa.Table,
    *,
    by: Sequence[str] = (),
    values: Sequence[str] = (),
    ranked: Sequence[str] = (),
    columns: Sequence[str] = (),
) -> Workspace:
    options = ReadOptions(columns=ColumnNames(by=(*by,), values=(*values,), ranked=(*ranked,)))
    settings = SketchSettings(columns=tuple(columns), keep_shingles=True, part_pages=3)
    run = local_run()
    return run.engine.sketch(open_collection([table], options), options, path, settings, run)
