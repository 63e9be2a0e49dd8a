import io
import random
import resource
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import datasets
import duckdb
import fsspec
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.read.reading import check_again, everything, pages
from webecho.errors import InputError
from webecho.formats.skipped import Skipped
from webecho.read.columns import ColumnNames
from webecho.read.limits import Limits
from webecho.read.parquet import ParquetSource
from webecho.read.tables import StreamSource, TableSource, table_source

FOUND = ColumnNames()
NOON = datetime(2020, 1, 31, 12, tzinfo=UTC)


def parquet(path: Path, columns: dict[str, Any], **options: Any) -> ParquetSource:
    pq.write_table(pa.table(columns), path, **options)
    return ParquetSource(str(path), FOUND)


def test_rows_of_a_parquet_file_are_pages(tmp_path: Path) -> None:
    source = parquet(
        tmp_path / "a.parquet",
        {
            "id": [7, 8, 9],
            "text": ["first", "", None],
            "lang": ["en", "en", "de"],
            "url": ["http://a.org/", None, "http://b.org/"],
            "date": ["2020-01-31T12:00:00Z", "no date", None],
        },
    )
    found, skipped = everything(source)
    assert skipped == []
    assert found[0] == {
        "id": "7",
        "url": "http://a.org/",
        "ip": None,
        "fetched": NOON,
        "place": 0,
        "markup": False,
        "charset": "utf-8",
        "body": b"first",
        "keys": None,
        "refers": None,
        "beside": None,
        "stored_digest": None,
        "by": None,
        "values": None,
        "ranked": None,
    }
    # No text, or none at all, is still a page.
    assert [(row["place"], row["body"], row["fetched"]) for row in found[1:]] == [
        (1, b"", None),
        (2, None, None),
    ]
    assert source.id_type == pa.int64()
    assert (source.format, source.rereadable) == ("parquet", True)
    assert source.chosen is not None
    assert source.chosen.line() == "text = text, url = url, id = id, date = date"


def test_html_as_bytes_has_no_charset_of_its_own(tmp_path: Path) -> None:
    source = parquet(tmp_path / "a.parquet", {"html": [b"<p>\xe9"]})
    (page,), _ = everything(source)
    assert (page["body"], page["markup"], page["charset"]) == (b"<p>\xe9", True, None)


def test_fields_inside_columns(tmp_path: Path) -> None:
    meta = [{"url": "http://a.org/", "n": 5, "x": "unread"}, None]
    pq.write_table(pa.table({"text": ["a", "b"], "meta": meta}), tmp_path / "a.parquet")
    source = ParquetSource(str(tmp_path / "a.parquet"), ColumnNames(url="meta.url", id="meta.n"))
    found, _ = everything(source)
    assert [(row["url"], row["id"]) for row in found] == [("http://a.org/", "5"), (None, None)]
    assert source.id_type == pa.int64()


@pytest.mark.parametrize("rows_a_group", [1, 7, 100, 5000])
def test_reading_again_and_reading_on(tmp_path: Path, rows_a_group: int) -> None:
    texts = [f"page {number} " * (number % 50) for number in range(3000)]
    source = parquet(
        tmp_path / "a.parquet",
        {"text": texts, "id": range(3000)},
        row_group_size=rows_a_group if rows_a_group > 1 else 97,
    )
    found, _ = everything(source)
    assert [row["body"].decode() for row in found] == texts
    check_again(source)


@pytest.mark.parametrize("place", [0, 200, 599])
def test_a_long_page_comes_in_its_turn(tmp_path: Path, place: int) -> None:
    """Short pages wait to be gathered; one of 5 MB among them does not overtake."""
    texts = [f"page {number}" for number in range(600)]
    texts[place] += " and very many more words" * 200_000
    source = parquet(tmp_path / "a.parquet", {"text": texts})
    pages = [row for batch in source.batches() for row in batch.pages.to_pylist()]
    assert [row["place"] for row in pages] == list(range(600))
    assert [row["body"] for row in pages] == texts


def test_only_the_needed_row_groups_are_read(tmp_path: Path) -> None:
    source = parquet(tmp_path / "a.parquet", {"text": list("abcdef")}, row_group_size=2)
    whole = (tmp_path / "a.parquet").read_bytes()
    meta = pq.ParquetFile(tmp_path / "a.parquet").metadata
    start = meta.row_group(0).column(0).dictionary_page_offset
    broken = whole[:start] + b"\xff" * 10 + whole[start + 10 :]
    (tmp_path / "a.parquet").write_bytes(broken)
    assert [row["body"] for row in pages(source.read([3, 5]))] == [b"d", b"f"]
    with pytest.raises(InputError, match="no page at 1 any more"):
        source.read([1, 3])


def test_reading_goes_on_from_where_it_stood(tmp_path: Path) -> None:
    texts = [f"page {number}" for number in range(5000)]
    views = pa.array(texts, pa.string_view())
    source = parquet(tmp_path / "a.parquet", {"text": views}, row_group_size=2000)

    def read(places: list[int]) -> list[str]:
        return [row["body"].decode() for row in pages(source.read(places))]

    for places in ([3, 4], [4, 150, 1999], [2000], [], [2100, 4999], [0], [0, 4999], [2500]):
        assert read(places) == [texts[place] for place in places]


def test_a_broken_row_group_is_skipped_and_the_rest_goes_on(tmp_path: Path) -> None:
    texts = [f"text number {number}" for number in range(30)]
    source = parquet(
        tmp_path / "a.parquet",
        {"text": texts},
        row_group_size=10,
        use_dictionary=False,
        compression="zstd",
    )
    column = pq.ParquetFile(tmp_path / "a.parquet").metadata.row_group(1).column(0)
    content = bytearray((tmp_path / "a.parquet").read_bytes())
    start = column.data_page_offset
    content[start : start + column.total_compressed_size] = bytes(column.total_compressed_size)
    (tmp_path / "a.parquet").write_bytes(content)
    found, skipped = everything(source)
    assert [row["body"].decode() for row in found] == texts[:10] + texts[20:]
    assert [skip.place for skip in skipped] == [*range(10, 20)]
    assert {(skip.reason, skip.failed) for skip in skipped} == {("broken row group", True)}
    assert all(f"{skip.detail}".startswith("rows 10 to 19 of row group 1: ") for skip in skipped)
    check_again(source)


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + b"\xff" * 100 + b"PAR1", b"{}\n" * 9])
def test_what_is_not_parquet_is_a_failed_source(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.parquet").write_bytes(content)
    source = ParquetSource(str(tmp_path / "a.parquet"), FOUND)
    assert source.chosen is None
    found, (skip,) = everything(source)
    assert found == []
    assert (skip.place, skip.reason, skip.failed) == (0, "not a Parquet file", True)
    assert everything(source, after=0) == ([], [])


@given(st.randoms(use_true_random=False), st.integers(1, 20), st.booleans())
def test_flipped_bytes_lose_no_row_uncounted(
    random: random.Random, flips: int, local: bool
) -> None:
    count = 40
    buffer = io.BytesIO()
    table = pa.table({"text": [f"text {n}" * n for n in range(count)], "id": range(count)})
    pq.write_table(table, buffer, row_group_size=10, write_page_checksum=True)
    content = bytearray(buffer.getvalue())
    # The footer is left alone: it says how many rows there are.
    footer = int.from_bytes(content[-8:-4], "little") + 8
    for _ in range(flips):
        content[random.randrange(4, len(content) - footer)] ^= 1 << random.randrange(8)
    with tempfile.TemporaryDirectory() as folder:
        name = f"{folder}/flipped.parquet" if local else "memory://flipped.parquet"
        with fsspec.open(name, "wb") as file:
            file.write(content)
        found, skipped = everything(ParquetSource(name, FOUND))
    assert len(found) + len(skipped) == count
    # Checksums tell every flipped bit, so what is read is right.
    assert all(row["body"].decode() == f"text {row['place']}" * row["place"] for row in found)


@pytest.mark.parametrize("place", ["{tmp_path}/a.parquet", "memory://long.parquet"])
def test_memory_does_not_grow_with_the_row_group(tmp_path: Path, place: str) -> None:
    # One row group of 1 GB in which one text of 1 MB stands a thousand times, stored once.
    name = place.format(tmp_path=tmp_path)
    texts = pa.DictionaryArray.from_arrays(pa.repeat(0, 1000), ["x" * 1_000_000])
    with fsspec.open(name, "wb") as file:
        pq.write_table(pa.table({"text": texts}), file, store_schema=False)

    def held() -> int:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize()

    before = held()
    count = 0
    for batch in ParquetSource(name, FOUND).batches():
        count += batch.pages.num_rows
        assert held() - before < 500_000_000
    assert count == 1000


def test_tables_in_memory_of_every_library() -> None:
    columns = {"id": [1, 2, 3], "text": ["a", None, "c"], "url": ["http://a", "http://b", None]}
    table = pa.table(columns)
    frame = pl.DataFrame(columns)
    relation = duckdb.sql("SELECT * FROM frame ORDER BY id")
    expected = everything(TableSource("table", table, FOUND))
    assert [row["body"] for row in expected[0]] == [b"a", None, b"c"]
    for one in (
        table,
        table.to_batches()[0],
        table.to_reader(),
        frame,
        frame.lazy(),
        pd.DataFrame(columns),
        relation,
        datasets.Dataset(table),
    ):
        source = table_source("table", one, FOUND)
        assert everything(source) == expected
        assert source.format == "table"
        assert source.rereadable is not isinstance(one, pa.RecordBatchReader)
        assert source.id_type in (pa.int64(), pa.int32())


def test_a_shuffled_dataset_is_read_in_its_order() -> None:
    dataset = datasets.Dataset(pa.table({"text": ["a", "b", "c"]})).select([2, 0])
    found, _ = everything(table_source("table", dataset, FOUND))
    assert [row["body"] for row in found] == [b"c", b"a"]


def test_other_columns_of_a_data_frame_need_no_arrow_type() -> None:
    frame = pd.DataFrame({"text": ["a", "b"], "thing": [object(), 5], "meta": [{"u": "x"}, None]})
    source = table_source("table", frame, ColumnNames(url="meta.u"))
    assert [row["url"] for row in everything(source)[0]] == ["x", None]
    with pytest.raises(InputError, match="there is no column 'nothing'"):
        table_source("table", frame, ColumnNames(url="nothing"))


def test_a_table_in_memory_is_not_copied() -> None:
    table = pa.table({"text": [f"page {number}" for number in range(20_000)]})
    batches = list(TableSource("table", table, FOUND).batches())
    assert [batch.pages.num_rows for batch in batches] == [8192, 8192, 3616]
    addresses = {batch.pages.column("body").buffers()[2].address for batch in batches}
    assert addresses == {table.column(0).chunk(0).buffers()[2].address}


def test_a_table_of_many_small_chunks_gives_the_same_batches() -> None:
    texts = [f"page {number}" for number in range(10_000)]
    chunks = [texts[start : start + 13] for start in range(0, len(texts), 13)]
    table = pa.table({"text": pa.chunked_array(chunks)})
    source = TableSource("table", table, FOUND)
    assert [batch.pages.num_rows for batch in source.batches()] == [8192, 1808]
    assert [row["body"].decode() for row in everything(source)[0]] == texts
    check_again(source)


def test_a_stream_is_read_once() -> None:
    source = StreamSource("table", pa.table({"text": ["a", "b", "c"]}).to_reader(), FOUND)
    stamp = source.stamp()
    found, _ = everything(source, after=0)
    assert [(row["place"], row["body"]) for row in found] == [(1, b"b"), (2, b"c")]
    assert source.stamp() == stamp
    other = StreamSource("table", pa.table({"text": ["a", "b", "d"]}).to_reader(), FOUND)
    assert other.stamp() != stamp
    with pytest.raises(InputError, match="only once"):
        everything(source)
    with pytest.raises(InputError, match="cannot be read again"):
        source.read([0])


def test_stamps_tell_tables_apart() -> None:
    def stamp(texts: list[str]) -> dict[str, int | str]:
        return TableSource("table", pa.table({"text": texts}), FOUND).stamp()

    many = [f"page {number}" for number in range(5000)]
    chunked = pa.table({"text": pa.chunked_array([many[:7], many[7:]])})
    assert stamp(many) == TableSource("table", chunked, FOUND).stamp()
    assert stamp(many)["size"] == 5000
    assert len({str(stamp(texts)) for texts in ([], ["a"], ["b"], ["a", "a"], many)}) == 5
    assert stamp([*many[:-1], "changed"]) != stamp(many)


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(InputError, match=r"a builtins\.dict is neither a path nor a table"):
        table_source("table", {"text": ["a"]}, FOUND)


@pytest.mark.parametrize("kind", [pa.string(), pa.string_view()])
@pytest.mark.parametrize("rows", [1, 2, 8])
def test_pages_that_are_too_long_are_skipped(tmp_path: Path, kind: pa.DataType, rows: int) -> None:
    texts = pa.array(["a", "b" * 101, "c", "d", "e" * 100, "f" * 102, "g" * 103], kind)
    table = pa.table({"text": texts, "url": ["u"] * 7})
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=rows)
    chunks = pa.Table.from_batches(table.to_batches(max_chunksize=rows))
    for source in (
        ParquetSource(str(tmp_path / "a.parquet"), FOUND, limits=Limits(page=100)),
        TableSource("table", chunks, FOUND, limits=Limits(page=100)),
    ):
        found, skipped = everything(source)
        assert [row["place"] for row in found] == [0, 2, 3, 4]
        assert skipped == [
            Skipped(place, "too long", f"{length} bytes", "u", failed=True)
            for place, length in ((1, 101), (5, 102), (6, 103))
        ]


@pytest.mark.data
def test_real_tables(data: Path) -> None:
    for name, count in (("debian_docs", 36_924), ("debian_html", 15_078)):
        source = ParquetSource(str(data / f"{name}.parquet"), FOUND)
        rows = skipped = 0
        for batch in source.batches():
            rows += batch.pages.num_rows
            skipped += len(batch.skipped)
        assert (rows, skipped) == (count, 0)
        last = source.read([0, count - 1])
        assert last.column("place").to_pylist() == [0, count - 1]
