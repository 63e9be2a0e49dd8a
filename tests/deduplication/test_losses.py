"""A dedup that loses too much writes nothing."""

from pathlib import Path

import pyarrow.parquet as pq

from tests.collections_made import as_jsonl, small_web
from tests.command import done, webecho


def test_too_large_a_loss_stops_before_anything_is_written(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "a.jsonl", small_web())
    command = ("dedup", file, "-o", tmp_path / "out", "--removed", tmp_path / "gone")
    refused = webecho(*command, "--most-lost", "30%")
    assert refused.exit_code == 1
    assert refused.stderr.count("would remove http://") == 6
    assert "loses 37.5% of its 16 pages, more than --most-lost 0.3" in refused.stderr
    assert not (tmp_path / "out").exists() and not (tmp_path / "gone").exists()
    # What was sketched is not lost: a higher share goes on with it.
    done(*command, "--most-lost", "40%")
    table = pq.read_table(tmp_path / "out" / "losses.parquet")
    assert table.column_names[:3] == ["kind", "name", "pages"]
    assert sorted({*table["kind"].to_pylist()}) == ["host", "source"]


def test_what_is_no_share_is_refused(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "a.jsonl", small_web())
    for wrong in ("half", "150%", "-1"):
        refused = webecho("dedup", file, "-o", tmp_path / "out", "--most-lost", wrong)
        assert "is no share; give one such as 50% or 0.5" in refused.stderr
