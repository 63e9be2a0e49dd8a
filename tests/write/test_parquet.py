"""Parquet files: rows go, and nothing of the others changes, nor how they are stored."""

import datetime
from pathlib import Path
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.write.keeping import keep, opened, places_of, selections
from webecho.write.kept import write_kept

DATE = datetime.datetime(2020, 1, 31, 23, 59, 58, 123456)
ROWS = 1000


def table() -> pa.Table:
    """Every kind of column that is stored in a way of its own, with nulls."""
    numbers = range(ROWS)
    nested = pa.struct([("a", pa.list_(pa.int8())), ("b", pa.map_(pa.string(), pa.float32()))])
    columns: dict[str, pa.Array] = {
        "text": pa.array([None if n % 7 == 3 else f"text {n}" for n in numbers], pa.large_string()),
        "url": pa.array([f"http://a/{n}" for n in numbers]),
        "host": pa.array(["a", "b", None, "a"] * (ROWS // 4)).dictionary_encode(),
        "nested": pa.array(
            [None if n % 5 == 0 else {"a": [n % 100, None], "b": [("k", n / 3)]} for n in numbers],
            nested,
        ),
        "times": pa.array([DATE] * ROWS, pa.timestamp("ns")),
        "there": pa.array([DATE] * ROWS, pa.timestamp("us", tz="Europe/Berlin")),
        "small": pa.array([n % 4_000_000_000 for n in numbers], pa.uint32()),
        "exact": pa.array([None, *range(ROWS - 1)], pa.decimal128(20, 3)),
        "halves": pa.array([n / 2 for n in numbers], pa.float16()),
        "fixed": pa.array([n.to_bytes(16, "big") for n in numbers], pa.binary(16)),
        "uuid": pa.ExtensionArray.from_storage(
            pa.uuid(), pa.array([n.to_bytes(16, "big") for n in numbers], pa.binary(16))
        ),
        "nothing": pa.nulls(ROWS),
    }
    schema = pa.schema(
        [
            pa.field(name, column.type, name != "url", {"comment": name})
            for name, column in columns.items()
        ],
        {"made by": "hand", "empty": ""},
    )
    return pa.table(list(columns.values()), schema)


def saved(folder: Path, rows: pa.Table, **options: Any) -> str:
    file = folder / "in.parquet"
    pq.write_table(rows, file, row_group_size=300, **options)
    return str(file)


def without(rows: pa.Table, gone: list[int]) -> pa.Table:
    return rows.take([row for row in range(rows.num_rows) if row not in set(gone)])


@pytest.mark.parametrize(
    "options",
    [
        {"compression": "zstd"},
        {"compression": {"text": "gzip", "url": "none", "small": "snappy"}},
        {"store_schema": False, "use_dictionary": ["url"], "compression": "lz4"},
        {"use_compliant_nested_type": False, "write_page_index": True},
    ],
)
def test_rows_go_and_all_else_stays(tmp_path: Path, options: dict[str, Any]) -> None:
    rows = table()
    if not options.get("store_schema", True):
        rows = rows.drop_columns(["uuid"])
    source = opened(saved(tmp_path, rows, **options))
    gone = [0, 1, 5, *range(250, 320), 999]
    places = places_of(source)[1]
    assert places == list(range(ROWS))
    written = write_kept(source, selections(places, gone, 64), tmp_path / "out.parquet")
    assert (written.kept, written.left_out, written.lost) == (ROWS - len(gone), len(gone), ())
    before, after = pq.ParquetFile(source.name), pq.ParquetFile(written.file)
    assert after.read().equals(without(before.read(), gone))
    assert after.schema_arrow.equals(before.schema_arrow, check_metadata=True)
    assert after.schema.equals(before.schema)
    assert stored(after) == stored(before)
    assert [after.metadata.row_group(n).num_rows for n in range(4)] == [247, 280, 300, 99]


def stored(file: pq.ParquetFile) -> list[tuple[object, ...]]:
    group = file.metadata.row_group(0)
    columns = [group.column(number) for number in range(group.num_columns)]
    return [
        (
            one.path_in_schema,
            one.physical_type,
            one.compression,
            one.has_dictionary_page,
            one.has_column_index,
        )
        for one in columns
    ]


def test_old_timestamps_stay_what_they_are(tmp_path: Path) -> None:
    rows = pa.table({"text": ["a", "b"], "date": pa.array([DATE] * 2, pa.timestamp("ns"))})
    source = opened(saved(tmp_path, rows, use_deprecated_int96_timestamps=True))
    written = keep(source, tmp_path / "out.parquet", lambda page: page == 0)
    after = pq.ParquetFile(written.file)
    assert after.schema.column(1).physical_type == "INT96"
    assert after.read().equals(rows.slice(1))


def test_none_removed_is_the_same_file_and_all_removed_a_valid_one(tmp_path: Path) -> None:
    source = opened(saved(tmp_path, table()))
    written = keep(source, tmp_path / "same.parquet")
    assert written.file.read_bytes() == Path(source.name).read_bytes()
    written = keep(source, tmp_path / "bare.parquet", lambda _: True)
    bare = pq.read_table(written.file)
    assert bare.num_rows == 0
    assert bare.schema.equals(pq.read_schema(source.name), check_metadata=True)


def test_the_same_bytes_each_time(tmp_path: Path) -> None:
    source = opened(saved(tmp_path, table()))
    made = [keep(source, tmp_path / f"{n}.parquet", lambda page: page % 3 == 0) for n in (1, 2)]
    assert made[0].file.read_bytes() == made[1].file.read_bytes()


def test_a_broken_row_group_is_named(tmp_path: Path) -> None:
    rows = pa.table({"text": [f"text {n}" for n in range(600)], "other": list(range(600))})
    file = Path(saved(tmp_path, rows, compression="none", write_page_checksum=True))
    column = pq.ParquetFile(file).metadata.row_group(1).column(1)
    broken = bytearray(file.read_bytes())
    at = column.dictionary_page_offset + 40
    broken[at : at + 20] = b"\xff" * 20
    file.write_bytes(broken)
    source = opened(file)
    pages, places = places_of(source)
    assert len(pages) == 600  # for the texts are in order
    written = write_kept(source, selections(places, [0, 1, 400], 64), tmp_path / "out.parquet")
    assert pq.read_table(written.file).equals(rows.slice(2, 298))
    (lost,) = written.lost
    assert lost.startswith(f"{file}: rows 300 to 599 of row group 1: ")
    assert (written.kept, written.left_out) == (298, 3)


def test_a_remote_file(tmp_path: Path) -> None:
    rows = pa.table({"text": ["a", None, "c"]})
    with fsspec.open("memory://kept/a.parquet", "wb") as file:
        pq.write_table(rows, file)
    written = keep(opened("memory://kept/a.parquet"), tmp_path / "a", lambda page: page == 0)
    assert pq.read_table(written.file).equals(rows.slice(1))
