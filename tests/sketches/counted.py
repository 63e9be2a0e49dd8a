"""What the tests of sketching share: pages in every format, and counts held against the tables."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.collections_made import (
    Page,
    as_csv,
    as_folder,
    as_jsonl,
    as_parquet,
    as_warc,
)
from tests.command import counts, manifest
from webecho.workspace.workspace import Workspace

LISTS = ("features", "supershingles", "projection")
Write = Callable[[Path, Sequence[Page]], Path]
FORMATS: dict[str, Write] = {
    "pages.parquet": as_parquet,
    "pages.jsonl": as_jsonl,
    "pages.csv": as_csv,
    "pages.warc": as_warc,
    "pages.warc.gz": as_warc,
    "pages": as_folder,
}
in_every_format = pytest.mark.parametrize(("name", "write"), FORMATS.items(), ids=FORMATS)


def rows(workspace: Path, table: str = "sketches") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = Workspace.open(workspace).table(table).to_pylist()
    return found


def check_counts(workspace: Path) -> dict[str, int]:
    """Nothing is lost: what was counted is what is in the tables, reason by reason."""
    counted = counts(workspace)
    sketched, skipped = rows(workspace), rows(workspace, "skipped")
    assert [row["page"] for row in sketched] == list(range(counted.get("pages", 0)))
    for kind, failed in (("failed", True), ("skipped", False)):
        mine = [row for row in skipped if row["failed"] is failed]
        assert counted.get(kind, 0) == len(mine)
        for reason in {row["reason"] for row in mine}:
            assert counted[f"{kind}: {reason}"] == sum(row["reason"] == reason for row in mine)
    places = [(row["source"], row["place"]) for row in sketched]
    assert places == sorted(set(places))
    assert not set(places) & {(row["source"], row["place"]) for row in skipped}
    assert len(skipped) == len({(row["source"], row["place"]) for row in skipped})
    parts = manifest(workspace)["parts"]
    assert [part["first"] for part in parts] == [
        sum(before["pages"] for before in parts[:number]) for number in range(len(parts))
    ]
    return counted
