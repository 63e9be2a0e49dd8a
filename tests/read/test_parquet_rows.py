"""Local Parquet files are read without a copy of the bodies, with the same pages as otherwise."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.read.reading import check_again, everything
from webecho import _core
from webecho.read.columns import ColumnNames
from webecho.read.tables import ParquetSource

# Short and long ones, none, and every length that a view holds by itself.
TEXTS = [None if n % 7 == 0 else "äöü wörd 漢 " * (n % 5) + "x" * (n % 40) for n in range(1000)]
TEXTS[500] = "long " * 50_000
BODIES = [None if text is None else text.encode() for text in TEXTS]


def write(path: Path, texts: pa.Array, **options: Any) -> ParquetSource:
    table = pa.table(
        {"before": range(len(texts)), "text": texts, "id": map(str, range(len(texts)))}
    )
    pq.write_table(table, path, row_group_size=300, **options)
    return ParquetSource(str(path), ColumnNames())


def body_types(source: ParquetSource) -> set[pa.DataType]:
    return {batch.pages["body"].type for batch in source.batches()}


@pytest.mark.parametrize("compression", ["none", "snappy", "gzip", "lz4", "zstd"])
@pytest.mark.parametrize(
    "options",
    [
        {"use_dictionary": False},
        {"use_dictionary": True, "data_page_version": "2.0"},
        {"use_dictionary": False, "data_page_size": 1000, "write_page_checksum": True},
        {"use_dictionary": False, "column_encoding": {"text": "DELTA_LENGTH_BYTE_ARRAY"}},
        {"use_dictionary": False, "column_encoding": {"text": "DELTA_BYTE_ARRAY"}},
    ],
)
def test_every_compression_and_encoding(
    tmp_path: Path, compression: str, options: dict[str, Any]
) -> None:
    source = write(tmp_path / "a.parquet", pa.array(TEXTS), compression=compression, **options)
    found, skipped = everything(source)
    assert skipped == []
    assert [row["body"] for row in found] == BODIES
    assert [row["id"] for row in found] == [str(n) for n in range(1000)]
    assert body_types(source) == {pa.string_view()}
    check_again(source)


@pytest.mark.parametrize(
    ("kind", "read_as"),
    [
        (pa.large_string(), pa.string_view()),
        (pa.string_view(), pa.string_view()),
        (pa.binary(), pa.binary_view()),
        (pa.large_binary(), pa.binary_view()),
        (pa.dictionary(pa.int32(), pa.string()), pa.string_view()),
    ],
)
def test_every_type_of_texts(tmp_path: Path, kind: pa.DataType, read_as: pa.DataType) -> None:
    texts = pa.array(TEXTS).dictionary_encode() if pa.types.is_dictionary(kind) else None
    source = write(tmp_path / "a.parquet", texts or pa.array(TEXTS).cast(kind))
    found, _ = everything(source)
    assert [row["body"] for row in found] == BODIES
    assert body_types(source) == {read_as}


def test_what_it_cannot_unpack_is_read_otherwise(tmp_path: Path) -> None:
    source = write(tmp_path / "a.parquet", pa.array(TEXTS), compression="brotli")
    found, skipped = everything(source)
    assert skipped == []
    assert [row["body"] for row in found] == BODIES
    check_again(source)


def test_text_that_is_none_is_read_otherwise(tmp_path: Path) -> None:
    """It says that it is UTF-8, and from the second row group on it is not."""
    raw = [b"good \xc3\xa9 %d" % n if n < 400 else b"bad \xff\xc3 %d" % n for n in range(1000)]
    texts = pa.array(raw, pa.binary()).view(pa.string())
    source = write(tmp_path / "a.parquet", texts)
    batches = [batch.pages["body"].view(pa.binary_view()) for batch in source.batches()]
    bodies = [body for batch in batches for body in batch]
    assert [body.as_py() for body in bodies] == raw


def test_fields_inside_columns_are_read_otherwise(tmp_path: Path) -> None:
    inner = pa.array([{"text": "a", "n": 1}, {"text": "b", "n": 2}])
    pq.write_table(pa.table({"meta": inner}), tmp_path / "a.parquet")
    source = ParquetSource(str(tmp_path / "a.parquet"), ColumnNames(text="meta.text"))
    assert [row["body"] for row in everything(source)[0]] == [b"a", b"b"]


def test_a_group_ends_where_it_broke(tmp_path: Path) -> None:
    """After an error nothing more comes of a row group, and the next one can be begun."""
    file = tmp_path / "a.parquet"
    write(file, pa.array(TEXTS), use_dictionary=False, compression="zstd")
    column = pq.ParquetFile(file).metadata.row_group(1).column(1)
    content = bytearray(file.read_bytes())
    start = column.data_page_offset
    content[start : start + column.total_compressed_size] = bytes(column.total_compressed_size)
    file.write_bytes(content)
    rows = _core.ParquetRows(str(file), [1, 2], 1)
    assert rows.schema.names == ["text", "id"]
    rows.begin(1, 128)
    with pytest.raises(ValueError, match=r"\w+"):
        rows.next(8192, 1 << 20)
    assert rows.next(8192, 1 << 20) is None
    rows.begin(2, 128)
    taken = rows.next(100, 1 << 20)
    assert taken is not None
    assert taken["id"].to_pylist() == [str(n) for n in range(600, 728)]
