"""What stays of Arrow files: the same rows in the same format."""

from pathlib import Path

import pyarrow as pa
import pyarrow.feather as feather
import pytest

from tests.write.keeping import keep, opened, places_of, selections
from webecho.formats.arrow_messages import codec_of
from webecho.write.kept import write_kept

TABLE = pa.table(
    {
        "text": [f"text number {n}" for n in range(100)],
        "kind": pa.array(["a", "b"] * 50).dictionary_encode(),
        "lists": [[n, None] for n in range(100)],
    }
).replace_schema_metadata({"made by": "hand"})
NEW = {"file": pa.ipc.new_file, "stream": pa.ipc.new_stream}
OPEN = {"file": pa.ipc.open_file, "stream": pa.ipc.open_stream}


def write(path: Path, form: str, codec: str | None = None) -> Path:
    options = pa.ipc.IpcWriteOptions(compression=codec)
    with NEW[form](path, TABLE.schema, options=options) as writer:
        writer.write_table(TABLE, max_chunksize=30)
    return path


@pytest.mark.parametrize("form", NEW)
@pytest.mark.parametrize("codec", [None, "lz4", "zstd"])
def test_rows_that_stay_are_as_they_were(tmp_path: Path, form: str, codec: str | None) -> None:
    path = write(tmp_path / "a.arrow", form, codec)
    out = tmp_path / "out.arrow"
    # The second batch goes whole.
    keep(opened(path), out, lambda number: number % 3 == 1 or 30 <= number < 60)
    with out.open("rb") as file:
        assert codec_of(file) == codec
    with OPEN[form](out) as reader:
        found = reader.read_all()
    rows = [n for n in range(100) if n % 3 != 1 and not 30 <= n < 60]
    assert found.to_pylist() == TABLE.take(rows).to_pylist()
    assert found.schema.equals(TABLE.schema, check_metadata=True)


def test_where_nothing_goes_the_file_is_the_same(tmp_path: Path) -> None:
    feather.write_feather(TABLE, tmp_path / "a.feather")
    keep(opened(tmp_path / "a.feather"), tmp_path / "out.feather")
    assert (tmp_path / "out.feather").read_bytes() == (tmp_path / "a.feather").read_bytes()


def test_what_is_broken_is_told(tmp_path: Path) -> None:
    path = write(tmp_path / "a.arrow", "stream")
    path.write_bytes(path.read_bytes()[:-2000])
    source = opened(path)
    pages, _ = places_of(source)
    written = write_kept(source, selections(pages, {0}), tmp_path / "out.arrow")
    assert [line.split(":")[1] for line in written.lost] == [" rows 60 to the end"]
    with pa.ipc.open_stream(tmp_path / "out.arrow") as reader:
        assert reader.read_all()["text"].to_pylist() == [f"text number {n}" for n in range(1, 60)]
