"""Snapshots made by hand: for each the pages by their addresses, and a database with them."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import webecho
from webecho.workspace.workspace import Workspace

Pages = Sequence[tuple[str | None, str]]


def snapshots(folder: Path, *several: Pages, recipe: str = "webecho") -> list[Workspace]:
    """A workspace of each, called `1.echo` and so on."""
    found = []
    for number, pages in enumerate(several, 1):
        urls, bodies = zip(*pages, strict=True) if pages else ((), ())
        columns = {
            "url": pa.array(urls, pa.string()),
            "html": pa.array([body.encode() for body in bodies], pa.binary()),
        }
        pq.write_table(pa.table(columns), folder / f"{number}.parquet")
        webecho.sketch(folder / f"{number}.parquet", folder / f"{number}.echo", recipe=recipe)
        found.append(Workspace.open(folder / f"{number}.echo"))
    return found


def words(name: str, count: int = 60) -> str:
    """Text of so many words that nobody else has."""
    return " ".join(f"{name}{number}" for number in range(count))
