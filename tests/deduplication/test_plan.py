"""What a dedup refuses before any work is done."""

from pathlib import Path

from tests.collections_made import (
    as_jsonl,
    as_warc,
    small_web,
)
from tests.command import webecho as run


def test_a_bad_column_is_named_before_anything_is_written(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "web.jsonl", small_web())
    for option in (("--by", "language"), ("--keep", "max:language"), ("--losses-by", "language")):
        result = run("dedup", file, *option, "-o", tmp_path / "out")
        assert result.exit_code == 1
        assert "there is no column 'language'" in result.stderr
    assert run("dedup", file, "--keep", "best", "-o", tmp_path / "out").exit_code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["web.jsonl"]


def test_columns_are_for_tables(tmp_path: Path) -> None:
    file = as_warc(tmp_path / "a.warc.gz", small_web())
    for option in (("--by", "lang"), ("--keep", "max:score"), ("--losses-by", "lang")):
        result = run("dedup", file, *option, "-o", tmp_path / "out")
        assert result.exit_code == 2
        assert f"has no columns; {' '.join(option)} is for tables" in result.stderr
