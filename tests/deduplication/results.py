"""What a dedup of the small web must have decided, and how its results are read."""

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from tests.collections_made import (
    EXACT,
    NEAR,
)

GONE = sorted(page for group in NEAR for page in sorted(group)[1:])

STAY = [page for page in range(16) if page not in GONE]


def table(folder: Path, name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(folder / f"{name}.parquet").to_pylist()
    return rows


def summary(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "summary.json").read_text())
    return found


def check_tables(out: Path, *, pages: int = 16) -> None:
    """What every dedup of the small web must have decided."""
    duplicates = table(out, "duplicates")
    assert [row["page"] for row in duplicates] == GONE
    lowest = {page: min(group) for group in NEAR for page in group}
    same = {page: min(group) for group in EXACT for page in group}
    for row in duplicates:
        assert row["kept_page"] == lowest[row["page"]]
        exact = same.get(row["page"]) == row["kept_page"]
        assert (row["rule"], row["resemblance"] == 1.0) == (
            ("tokens", True) if exact else ("similar", False)
        )
        assert row["resemblance"] >= 0.8
    clusters = table(out, "clusters")
    assert [row["page"] for row in clusters] == list(range(pages))
    assert [row["page"] for row in clusters if row["stays"]] == STAY
    counts = summary(out)["counts"]
    assert counts["kept"] + counts["removed"] == counts["read"] == pages
    agrees = ("same payload", "same text", "same tokens", "near")
    agreeing = [counts[f"removed, {how}"] for how in agrees]
    assert sum(agreeing) == counts["removed"] == len(GONE)
    assert counts["kept, not compared"] == 2


def members(file: Path) -> list[bytes]:
    """The gzip members of a file, as they are stored."""
    data = file.read_bytes()
    starts = [place for place in range(len(data)) if data[place : place + 3] == b"\x1f\x8b\x08"]
    found = [data[start:end] for start, end in zip(starts, [*starts[1:], len(data)], strict=True)]
    return [member for member in found if gzip.decompress(member)]
