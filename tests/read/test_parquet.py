"""Local Parquet files are read without a copy of the bodies, with the same pages as otherwise."""

import gzip
import pickle
import resource
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.read.reading import check_again, everything
from webecho import _core
from webecho.read.columns import ColumnNames
from webecho.read.parquet import ParquetSource

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


@pytest.mark.parametrize("compression", ["none", "snappy", "gzip", "lz4", "zstd", "brotli"])
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


@pytest.mark.parametrize("texts", [pa.array([b"12345678"] * 30, pa.binary(8)), pa.nulls(30)])
def test_bodies_without_views_are_read_otherwise(tmp_path: Path, texts: pa.Array) -> None:
    """Also where names that are not UTF-8 make one reader go on for the other."""
    names = [b"\xff" if 10 <= n < 20 else b"%d" % n for n in range(30)]
    table = pa.table({"text": texts, "id": pa.array(names, pa.binary()).view(pa.string())})
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=10)
    found, skipped = everything(ParquetSource(str(tmp_path / "a.parquet"), ColumnNames()))
    assert skipped == []
    assert [row["body"] for row in found] == texts.to_pylist()


def broken_at(path: Path, page: int, **options: Any) -> ParquetSource:
    """A file of one row group of 20,000 rows in pages of about 1,000, one of which is broken."""
    texts = [f"text number {number} of many" for number in range(20_000)]
    table = pa.table({"text": texts})
    pq.write_table(
        table,
        path,
        use_dictionary=False,
        data_page_size=20_000,
        write_statistics=False,
        write_batch_size=1000,
        write_page_checksum=True,
        **options,
    )
    content = bytearray(path.read_bytes())
    at = content.find(f"text number {1000 * page} of many".encode())
    content[at] ^= 1
    path.write_bytes(content)
    return ParquetSource(str(path), ColumnNames())


@pytest.mark.parametrize("page", [0, 3, 9, 15])
def test_what_is_broken_in_a_row_group_is_told_once(tmp_path: Path, page: int) -> None:
    source = broken_at(tmp_path / "a.parquet", page, compression="none")
    found, (skip, *more) = everything(source)
    assert skip.reason == "broken row group"
    # No row twice and none uncounted, and what there is is right.
    assert [row["place"] for row in found] == list(range(skip.place))
    assert more == [replace(skip, place=row) for row in range(skip.place + 1, 20_000)]
    assert all(row["body"] == b"text number %d of many" % row["place"] for row in found)
    assert str(skip.detail).startswith(f"rows {skip.place} to 19999 of row group 0: ")
    assert 1000 * page - 128 <= skip.place <= 1000 * page
    check_again(source)


def test_a_page_unpacks_to_no_more_than_it_says(tmp_path: Path) -> None:
    """600 MB of zeros in a gzip page that says it has 2 MB."""
    file = tmp_path / "a.parquet"
    pq.write_table(
        pa.table({"text": ["x" * 2_000_000]}), file, compression="gzip", use_dictionary=False
    )
    content = bytearray(file.read_bytes())
    packed = gzip.compress(bytes(600_000_000), 1)
    start = content.find(b"\x1f\x8b")
    end = pq.ParquetFile(file).metadata.row_group(0).column(0).total_compressed_size + 4
    # Cut to the room there is: enough to unpack far more than was said.
    content[start:end] = packed[: end - start]
    file.write_bytes(content)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found, (skip,) = everything(ParquetSource(str(file), ColumnNames()))
    assert found == []
    assert skip.reason == "broken row group"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kilobytes


def test_a_group_ends_where_it_broke(tmp_path: Path) -> None:
    """After an error nothing more comes of a row group, and the next one can be begun."""
    file = tmp_path / "a.parquet"
    write(file, pa.array(TEXTS), use_dictionary=False, compression="zstd")
    column = pq.ParquetFile(file).metadata.row_group(1).column(1)
    content = bytearray(file.read_bytes())
    start = column.data_page_offset
    content[start : start + column.total_compressed_size] = bytes(column.total_compressed_size)
    file.write_bytes(content)
    with file.open("rb") as raw:
        rows = _core.ParquetRows(raw.fileno(), [1, 2], 1)
    assert rows.schema.names == ["text", "id"]
    rows.begin(1, 128, 1000)
    with pytest.raises(ValueError, match="Parquet"):
        rows.next(8192, 1 << 20)
    assert rows.next(8192, 1 << 20) is None
    rows.begin(2, 128, 1000)
    taken = rows.next(100, 1 << 20)
    assert taken is not None
    assert taken["id"].to_pylist() == [str(n) for n in range(600, 728)]


def test_it_can_be_sent_elsewhere_when_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"text": ["one", "two"]}), path)
    source = ParquetSource(str(path), ColumnNames())
    assert source.read([1])["place"].to_pylist() == [1]
    source.close()
    again = pickle.loads(pickle.dumps(source))
    assert again.read([0, 1])["place"].to_pylist() == [0, 1]
