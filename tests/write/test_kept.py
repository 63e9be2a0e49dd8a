from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from tests.collections_made import Page, as_csv, as_folder, as_jsonl, as_parquet, as_warc, small_web
from tests.write.keeping import keep, opened
from webecho.errors import InputError
from webecho.read.columns import ColumnNames
from webecho.read.pages import Source
from webecho.read.tables import table_source
from webecho.write.kept import FORMATS, is_archive, write_kept

MADE: dict[str, Callable[[Path, list[Page]], Path]] = {
    "a.csv": as_csv,
    "a.jsonl": as_jsonl,
    "a.parquet": as_parquet,
    "a.warc": as_warc,
    "a": as_folder,
}


def urls(source: Source) -> list[str]:
    return [url for batch in source.batches() for url in batch.pages["url"].to_pylist()]


@pytest.mark.parametrize("name", MADE)
def test_what_is_written_is_read_in_the_same_format(tmp_path: Path, name: str) -> None:
    source = opened(MADE[name](tmp_path / name, small_web()))
    written = keep(source, tmp_path / "out" / name, lambda number: number == 1)
    after = opened(written.file)
    before = urls(source)
    assert (after.format, urls(after)) == (source.format, before[:1] + before[2:])


def test_only_archives_have_records_that_are_no_pages() -> None:
    assert {name for name in FORMATS if is_archive(name)} == {"warc", "wet", "arc", "wacz"}
    assert not is_archive("table")


def test_a_table_in_memory_has_no_file_to_copy(tmp_path: Path) -> None:
    source = table_source("table 1", pa.table({"text": ["a"]}), ColumnNames())
    with pytest.raises(InputError, match="table 1: a table in memory has no file to copy"):
        write_kept(source, [], tmp_path / "never")
