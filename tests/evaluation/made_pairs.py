"""Workspaces made in code, with tables of pairs as `webecho pairs` writes them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.command import done
from webecho.workspace.workspace import Workspace

PAIRS = pa.schema(
    [
        ("left", pa.int64()),
        ("right", pa.int64()),
        ("b_similarity", pa.int64()),
        ("c_similarity", pa.int64()),
        ("same_site", pa.bool_()),
        ("weight", pa.float64()),
        ("left_url", pa.string()),
        ("right_url", pa.string()),
        ("left_id", pa.string()),
        ("right_id", pa.string()),
    ]
)


def sketched(folder: Path, pages: Sequence[tuple[str, bytes]], *options: object) -> Workspace:
    """A workspace of pages, each an address and its HTML; ids are `doc-0`, `doc-1`, …"""
    table = pa.table(
        {
            "id": [f"doc-{number}" for number in range(len(pages))],
            "url": [url for url, _ in pages],
            "html": pa.array([html for _, html in pages], pa.binary()),
        }
    )
    pq.write_table(table, folder / "pages.parquet")
    done("sketch", folder / "pages.parquet", "-o", folder / "crawl.echo", "--quiet", *options)
    return Workspace.open(folder / "crawl.echo")


def with_pairs(
    workspace: Workspace, rule: str, pairs: Sequence[tuple[Any, ...]], named: bool = True
) -> Path:
    """Writes `pairs/<rule>.parquet`: left, right, B-similarity, C-similarity, same site, weight."""
    pages = workspace.table().select(["url", "id"]).to_pylist() if named else None
    rows = []
    for left, right, *measures in pairs:
        row = dict(zip(PAIRS.names, (left, right, *measures), strict=False)) | {"weight": 1.0}
        if len(measures) > 3:
            row["weight"] = measures[3]
        for side, page in (("left", left), ("right", right)):
            found = pages[page] if pages else {"url": f"http://a.example/{page}", "id": None}
            row |= {f"{side}_url": found["url"], f"{side}_id": found["id"]}
        rows.append(row)
    file = workspace.files.pairs(rule)
    workspace.write(file, [pa.Table.from_pylist(rows, PAIRS)])
    return file


def lines(file: Path) -> list[dict[str, Any]]:
    """What stands in a file of labels."""
    return [json.loads(line) for line in file.read_text().splitlines()]
