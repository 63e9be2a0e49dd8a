"""A workspace of a collection that has no pages."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tests.command import done
from webecho.workspace.workspace import Workspace

SCHEMA = pa.schema([("url", pa.string()), ("text", pa.string())])


def without_pages(folder: Path) -> Workspace:
    pq.write_table(SCHEMA.empty_table(), folder / "none.parquet")
    done("sketch", folder / "none.parquet", "-o", folder / "none.echo")
    return Workspace.open(folder / "none.echo")
