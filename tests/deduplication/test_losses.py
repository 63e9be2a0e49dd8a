"""A dedup that loses too much writes nothing."""

import json
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
    assert "loses 37.5% of its 16 pages, more than --most-lost 30%" in refused.stderr
    assert not (tmp_path / "out").exists() and not (tmp_path / "gone").exists()
    # What was sketched is not lost: a higher share goes on with it.
    done(*command, "--most-lost", "40%")
    table = pq.read_table(tmp_path / "out" / "losses.parquet")
    assert table.column_names[:3] == ["kind", "name", "pages"]
    assert sorted({*table["kind"].to_pylist()}) == ["host", "source"]


def test_what_the_values_of_a_column_lose_is_shown_and_written(tmp_path: Path) -> None:
    rows = [("en", "a b c d e f"), ("de", "a b c d e f"), ("en", "g h i j k"), (None, "l m n o p")]
    file = tmp_path / "a.jsonl"
    file.write_text("".join(json.dumps({"lang": lang, "text": text}) + "\n" for lang, text in rows))
    command = ("dedup", file, "-o", tmp_path / "out", "--losses-by", "lang")
    shown = done(*command).stdout
    assert shown.endswith(
        "What is lost by lang\n"
        "lang  pages  removed  dropped  share_removed  lost_words\n"
        "de        1        1        0         1.0000           0\n"
        "en        2        0        0         0.0000           0\n"
        "          1        0        0         0.0000           0\n"
    )
    table = pq.read_table(tmp_path / "out" / "losses.parquet")
    of_column = [row for row in table.to_pylist() if row["kind"] == "column lang"]
    assert [row["name"] for row in of_column] == ["de", "en", None]
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary["losses"]["column lang"] == of_column
    assert summary["settings"]["losses_by"] == ["lang"]
    # It is told of a dedup that is done, too, and programs are given the facts alone.
    assert "nothing is written again" in done(*command).stderr
    assert "rows" not in json.loads(done(*command, "--format", "json").stdout)


def test_what_is_no_share_is_refused(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "a.jsonl", small_web())
    for wrong in ("half", "150%", "-1"):
        refused = webecho("dedup", file, "-o", tmp_path / "out", "--most-lost", wrong)
        assert "is no share; give one such as 50% or 0.5" in refused.stderr
