"""How long what is read may be, by the memory that is allowed."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from webecho.errors import InputError
from webecho.read.collection import ReadOptions, open_collection
from webecho.read.limits import OVER_MEMORY, USUAL, Limits, enough, limits_within
from webecho.read.pages import BATCH_BYTES, MAX_PAGE_BYTES, Source

MIB = 1 << 20
SMALL = Limits(page=100, name=40, batch=200, window=MIB, bounded=True)


def opened(path: Path, limits: Limits = SMALL) -> Source:
    return open_collection([str(path)], ReadOptions(), limits).sources[0]


def read(source: Source) -> tuple[list[int], list[tuple[int, str]]]:
    """The places of pages, and of what was skipped, with the reasons."""
    places, skipped = [], []
    for batch in source.batches():
        places += batch.pages["place"].to_pylist()
        skipped += [(each.place, each.reason) for each in batch.skipped]
    return places, skipped


def test_without_a_budget_all_is_as_usual() -> None:
    assert limits_within(None) is USUAL
    assert (USUAL.page, USUAL.batch, USUAL.reason) == (MAX_PAGE_BYTES, BATCH_BYTES, "too long")


@pytest.mark.parametrize("memory", [100, 256 * 10**6, 630 * 10**6, 2 * 10**9])
def test_what_is_in_flight_fits(memory: int) -> None:
    limits = limits_within(memory)
    assert limits.room is not None
    # The longest page while it is sketched, or a batch while the longest page is read.
    assert 16 * limits.page <= limits.room
    assert 16 * limits.batch + limits.reading <= limits.room
    assert limits.reason == OVER_MEMORY


def test_with_much_memory_pages_may_be_as_long_as_ever() -> None:
    assert limits_within(8 << 30).page == MAX_PAGE_BYTES
    assert limits_within(8 << 30).batch == BATCH_BYTES


def test_lines_that_are_too_long_or_hold_too_much_are_told(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    lines = [
        '{"text": "short"}',
        '{"text": "' + "a" * 100 + '"}',
        '{"text": "b", "more": [1,2,3,4,5,6,7,8,9]}',
        '{"text": "c", "url": "' + "c" * 41 + '"}',
        '{"text": "d", "more": NaN, "and": "' + "d" * 30 + '"}',
        '{"text": "last"}',
    ]
    path.write_text("\n".join(lines))
    places, skipped = read(opened(path))
    assert places == [0, 5]
    assert skipped == [(place, OVER_MEMORY) for place in (1, 2, 3, 4)]


def test_rows_of_csv_are_half_as_long(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(f"url,text\na,{'x' * 40}\nb,{'x' * 60}\nc,last\n")
    assert read(opened(path)) == ([0, 2], [(1, OVER_MEMORY)])


def test_files_of_a_folder(tmp_path: Path) -> None:
    for name, size in (("a", 90), ("b", 110), ("c", 10)):
        (tmp_path / f"{name}.html").write_bytes(b"x" * size)
    assert read(opened(tmp_path)) == ([0, 2], [(1, OVER_MEMORY)])


def test_a_parquet_page_that_is_too_large_ends_its_row_group_alone(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    texts = [f"text {number}" for number in range(20)]
    texts[10] = "long " * 200_000
    pq.write_table(
        pa.table({"text": texts}),
        path,
        use_dictionary=False,
        compression="zstd",
        data_page_size=40,
        write_batch_size=5,
        row_group_size=15,
    )
    limits = Limits(page=4 << 10, name=40, batch=1 << 10, window=MIB, bounded=True)
    source = opened(path, limits)
    places, skipped = read(source)
    assert places == [*range(10), *range(15, 20)]
    # Each row counts, so that the counts add up.
    assert skipped == [(place, OVER_MEMORY) for place in range(10, 15)]
    # What was read is there to be read again.
    assert source.read([3, 9, 15])["place"].to_pylist() == [3, 9, 15]
    # And whoever goes on from there is not told twice.
    assert [each.place for batch in source.batches(11) for each in batch.skipped] == [12, 13, 14]
    assert [each.place for batch in source.batches(7, 11) for each in batch.skipped] == [10, 11]
    # Five rows with their lengths of 4 bytes and 6 bytes of levels; 6 times that, and 100 MiB for
    # all the rest, are 110.9 MB.
    (detail,) = {each.detail for batch in source.batches() for each in batch.skipped}
    said = "rows 10 to 14 of row group 0: a Parquet page of 1,000,054 bytes"
    assert detail == f"{said}; 111MB of memory is enough"
    assert enough(detail) == "111MB"
    assert limits_within(111_000_000).unpacked >= 1_000_054
    assert read(opened(path, USUAL))[0] == [*range(20)]


def test_a_row_of_which_another_column_is_too_large_is_none(tmp_path: Path) -> None:
    """It could not be copied, and must not stay for others."""
    rows = {"text": [f"text {at}" for at in range(9)], "other": ["x"] * 8 + ["x" * 3000]}
    pq.write_table(pa.table(rows), tmp_path / "a.parquet", use_dictionary=False)
    places, skipped = read(opened(tmp_path / "a.parquet"))
    assert (places, skipped) == ([], [(place, OVER_MEMORY) for place in range(9)])
    assert read(opened(tmp_path / "a.parquet", USUAL)) == ([*range(9)], [])


@pytest.mark.parametrize("column", ["text", "url"])
def test_values_of_a_dictionary_are_unpacked_few_at_a_time(tmp_path: Path, column: str) -> None:
    path = tmp_path / "rows.parquet"
    columns = {"text": ["short"] * 300, "url": ["http://a.example/"] * 300}
    columns[column] = ["x" * 3000] * 300
    pq.write_table(pa.table(columns), path)
    limits = Limits(page=4 << 10, name=4 << 10, batch=16 << 10, window=MIB, bounded=True)
    sizes = [batch.pages.num_rows for batch in opened(path, limits).batches()]
    assert sum(sizes) == 300
    assert max(sizes) <= 6


@pytest.mark.parametrize("codec", ["uncompressed", "zstd"])
def test_a_record_batch_of_arrow_that_is_too_large(tmp_path: Path, codec: str) -> None:
    path = tmp_path / "rows.arrow"
    schema = pa.schema([("text", pa.string())])
    options = pa.ipc.IpcWriteOptions(compression=None if codec == "uncompressed" else codec)
    with pa.ipc.new_file(path, schema, options=options) as writer:
        for texts in (["a", "b" * 90], ["c" * 90] * 50, ["d"], ["e" * 200]):
            writer.write_batch(pa.record_batch([texts], schema))
    source = opened(path)
    over = [*range(2, 52), 53]
    assert read(source) == ([0, 1, 52], [(place, OVER_MEMORY) for place in over])
    assert source.read([1, 52])["place"].to_pylist() == [1, 52]
    # Whoever goes on from there is not told twice.
    assert [each.place for batch in source.batches(50) for each in batch.skipped] == [51, 53]
    assert read(opened(path, USUAL)) == ([*range(54)], [])


def test_rows_of_a_dictionary_of_arrow_are_few_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "rows.arrow"
    rows = pa.table({"text": pa.array(["x" * 90] * 300).dictionary_encode()})
    with pa.ipc.new_file(path, rows.schema) as writer:
        writer.write_table(rows)
    limits = Limits(page=1000, name=40, batch=200, window=MIB, bounded=True)
    sizes = [batch.pages.num_rows for batch in opened(path, limits).batches()]
    assert sizes == [2] * 150


def test_a_page_that_is_too_long_to_be_read_again_is_told_as_such(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text('{"text": "short"}\n{"text": "' + "a" * 100 + '"}\n')
    with pytest.raises(InputError, match="the page at 1 is too long for the memory; give more"):
        opened(path).read([0, 1])
