"""Arrow and Feather files are read as the tables in them are."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.feather as feather
import pytest

from tests.read.reading import check_again, everything
from webecho.formats.detection import format_of
from webecho.read.arrow import ArrowSource
from webecho.read.columns import ColumnNames

TEXTS = [None if n % 7 == 0 else f"text {n} wörd" * (n % 5) for n in range(1000)]
TABLE = pa.table({"before": range(1000), "text": TEXTS, "id": range(1000)})
NEW = {"file": pa.ipc.new_file, "stream": pa.ipc.new_stream}


def write(path: Path, form: str, codec: str | None = None, table: pa.Table = TABLE) -> ArrowSource:
    options = pa.ipc.IpcWriteOptions(compression=codec)
    with NEW[form](path, table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=300)
    return ArrowSource(str(path), ColumnNames())


def bodies(found: list[dict[str, Any]]) -> list[str | None]:
    return [None if row["body"] is None else row["body"].decode() for row in found]


@pytest.mark.parametrize("form", NEW)
@pytest.mark.parametrize("codec", [None, "lz4", "zstd"])
def test_every_row_is_a_page(tmp_path: Path, form: str, codec: str | None) -> None:
    source = write(tmp_path / "a.arrow", form, codec)
    found, skipped = everything(source)
    assert skipped == []
    assert bodies(found) == TEXTS
    assert [row["id"] for row in found] == [str(n) for n in range(1000)]
    assert source.id_type == pa.int64()
    check_again(source)


def test_feather_and_files_without_an_ending_are_known(tmp_path: Path) -> None:
    feather.write_feather(TABLE, tmp_path / "a.feather")
    for name, form in (("a", "file"), ("b", "stream")):
        write(tmp_path / name, form)
        assert format_of(str(tmp_path / name)) == "arrow"
    assert format_of(str(tmp_path / "a.feather")) == "arrow"


def test_what_is_cut_off_is_told_once(tmp_path: Path) -> None:
    source = write(tmp_path / "a.arrow", "stream")
    data = (tmp_path / "a.arrow").read_bytes()
    (tmp_path / "a.arrow").write_bytes(data[: len(data) * 2 // 3])
    found, skipped = everything(source)
    assert bodies(found) == TEXTS[: len(found)] and len(found) in (300, 600)
    [lost] = skipped
    assert (lost.place, lost.reason, lost.failed) == (len(found), "broken Arrow file", True)
    again = [each for batch in source.batches(after=len(found)) for each in batch.skipped]
    assert again == []


def test_what_is_no_arrow_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.arrow").write_bytes(b"something else altogether")
    source = ArrowSource(str(tmp_path / "a.arrow"), ColumnNames())
    assert source.choice() is None
    found, [lost] = everything(source)
    assert found == [] and lost.failed
