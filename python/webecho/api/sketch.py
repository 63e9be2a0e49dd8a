"""`webecho.sketch`."""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from webecho import settings
from webecho.api.inputs import (
    as_inputs,
    as_recipe,
    as_run,
    read_options,
    several,
)
from webecho.errors import in_python
from webecho.read.collection import open_collection
from webecho.run import Report, silent
from webecho.sketches.page_tables import PAGE_TABLES
from webecho.sketches.sketching import sketch_collection
from webecho.workspace.resume import SketchSettings


@in_python()
def sketch(
    data: Any,
    out: str | os.PathLike[str] | None = None,
    *,
    recipe: str | settings.Recipe = "webecho",
    columns: str | Sequence[str] = settings.SKETCH_COLUMNS,
    keep_shingles: bool = False,
    paragraphs: bool = False,
    links: bool = False,
    append: bool = False,
    threads: int | None = None,
    memory: int | str | None = None,
    report: Report = silent,
    **reading: Any,
) -> pa.Table:
    """The sketches of all pages, one row each, in page order.

    With `out` they are also written there as a workspace, which later calls can use; `paragraphs`
    and `links` are kept there for the studies that need them, which else read the sources again.
    What else is named says how to read: `text`, `html`, `url`, `id`, `date` (columns of a table),
    `statuses`, `types` (of WARC responses), `convert`, `format`. `memory` is a number of bytes or a
    text such as "2GB".
    """
    chosen = settings.sketch_columns(several(columns))
    asked = {"paragraphs": paragraphs, "links": links}
    tables = tuple(name for name in PAGE_TABLES if asked[name])
    wanted = SketchSettings(as_recipe(recipe), chosen, keep_shingles, tables=tables)
    with tempfile.TemporaryDirectory(prefix="webecho-") as folder:
        path = Path(out) if out is not None else Path(folder) / "sketches.echo"
        options = read_options(**reading)
        workspace = sketch_collection(
            open_collection(as_inputs(data), options),
            options,
            path,
            wanted,
            as_run(threads, memory, report=report),
            append=append,
        )
        return workspace.table()
