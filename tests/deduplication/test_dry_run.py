"""`webecho dedup --dry-run`: what to expect."""

import json
from pathlib import Path

import pytest

from tests.collections_made import (
    as_parquet,
    many_pages,
)
from tests.command import done
from tests.command import webecho as run
from tests.deduplication.results import summary


def test_dry_run_says_what_to_expect_and_writes_nothing(tmp_path: Path) -> None:
    file = as_parquet(tmp_path / "web.parquet", many_pages(200))
    out = tmp_path / "out"
    shown = json.loads(done("dedup", file, "-o", out, "--dry-run", "--format", "json").stdout)
    assert (shown["pages in the sample"], shown["share of the inputs"]) == (200, 1.0)
    few = json.loads(
        done("dedup", file, "-o", out, "--dry-run", "--limit", 50, "--format", "json").stdout
    )
    assert (few["pages in the sample"], few["pages, about"]) == (50, 200)
    done("dedup", file, "-o", out)
    found = summary(out)["counts"]
    assert shown["removed, at least about"] == pytest.approx(found["removed"] / 200)
    assert run("dedup", file, "-o", tmp_path / "x", "--limit", 5).exit_code == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out.echo", "web.parquet"]
