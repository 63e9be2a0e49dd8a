"""Arrow IPC: which of its two formats a file has, and what it is compressed with."""

import io
from typing import Any

import pyarrow as pa
import pyarrow.feather as feather
import pytest

from webecho.formats.arrow_ipc import BROKEN, is_arrow, open_arrow, record_batches
from webecho.formats.arrow_messages import codec_of

TABLE = pa.table(
    {"text": ["one", None, "three"] * 50, "kind": pa.array(["a"] * 150).dictionary_encode()}
)
NEW = {"file": pa.ipc.new_file, "stream": pa.ipc.new_stream}


def written(form: str, codec: str | None, table: pa.Table = TABLE) -> bytes:
    out = io.BytesIO()
    options = pa.ipc.IpcWriteOptions(compression=codec)
    with NEW[form](out, table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=40)
    return out.getvalue()


@pytest.mark.parametrize("form", NEW)
@pytest.mark.parametrize("codec", [None, "lz4", "zstd"])
def test_both_formats_are_told_and_read(form: str, codec: str | None) -> None:
    data = written(form, codec)
    assert is_arrow(data)
    # Dictionaries come before the first batch.
    assert codec_of(io.BytesIO(data)) == codec
    assert pa.Table.from_batches(record_batches(open_arrow(io.BytesIO(data)))) == TABLE


@pytest.mark.parametrize("codec", ["uncompressed", "lz4", "zstd"])
def test_feather_is_the_file_format(codec: Any) -> None:
    out = io.BytesIO()
    feather.write_feather(TABLE, out, compression=codec)
    assert codec_of(io.BytesIO(out.getvalue())) == (None if codec == "uncompressed" else codec)


@pytest.mark.parametrize("form", NEW)
def test_a_file_without_batches_has_no_codec(form: str) -> None:
    assert codec_of(io.BytesIO(written(form, "zstd", TABLE.slice(0, 0)))) in (None, "zstd")


def test_other_bytes_are_none() -> None:
    assert not is_arrow(b"PAR1") and not is_arrow(b"")
    with pytest.raises(BROKEN):
        open_arrow(io.BytesIO(b"something else altogether"))
