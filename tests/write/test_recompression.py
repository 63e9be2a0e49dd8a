"""Files that were compressed harder than is quick do not grow."""

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lz4.frame
import pyarrow.parquet as pq
import pytest
import zstandard

from tests.write.keeping import keep, opened
from tests.write.test_parquet_levels import PARAGRAPHS, rows
from webecho.formats.packing import unpacked
from webecho.read.limits import limits_within
from webecho.write.parquet_levels import AS_LARGE
from webecho.write.recompression import slow_levels, smaller_lines, smaller_parquet


def first_goes(number: int) -> bool:
    return number == 0


@pytest.mark.parametrize(("codec", "level"), [("zstd", 19), ("zstd", 22), ("brotli", 11)])
def test_a_parquet_file_of_a_slow_level_does_not_grow(
    tmp_path: Path, codec: str, level: int
) -> None:
    table = rows(600)
    options = {"compression": codec, "compression_level": level}
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=300, **options)
    keep(opened(tmp_path / "in.parquet"), tmp_path / "out.parquet", first_goes)
    kept = pq.ParquetFile(tmp_path / "out.parquet")
    assert kept.read().equals(table.slice(1))
    assert [kept.metadata.row_group(group).num_rows for group in range(2)] == [299, 300]
    assert kept.metadata.row_group(0).column(1).compression == codec.upper()
    before = (tmp_path / "in.parquet").stat().st_size
    assert (tmp_path / "out.parquet").stat().st_size <= before * AS_LARGE
    assert {file.name for file in tmp_path.iterdir()} == {"in.parquet", "out.parquet"}


def test_pages_are_as_long_as_they_were(tmp_path: Path) -> None:
    # Arrow writes 1,024 rows at once, however long: here a dictionary of some 7 MB.
    chance = random.Random(3)
    texts = ["\n".join(chance.choices(PARAGRAPHS, k=30)) for _ in range(600)]
    table = rows(600).set_column(1, "text", [texts])
    options = {"compression": "zstd", "compression_level": 9}
    pq.write_table(table, tmp_path / "in.parquet", **options)
    keep(opened(tmp_path / "in.parquet"), tmp_path / "out.parquet", lambda page: page % 9 == 0)
    wanted = table.take([row for row in range(600) if row % 9])
    pq.write_table(wanted, tmp_path / "best.parquet", **options)
    best, out = ((tmp_path / f"{name}.parquet").stat().st_size for name in ("best", "out"))
    assert out <= best * 1.03


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "zst": lambda data: zstandard.ZstdCompressor(level=19).compress(data),
    "gz": lambda data: gzip.compress(data, 9),
    "lz4": lambda data: lz4.frame.compress(data, 12),
}


@pytest.mark.parametrize("ending", PACKERS)
def test_lines_of_a_slow_level_do_not_grow(tmp_path: Path, ending: str) -> None:
    lines = [json.dumps(row).encode() + b"\n" for row in rows(400).to_pylist()]
    name = f"in.jsonl.{ending}"
    (tmp_path / name).write_bytes(PACKERS[ending](b"".join(lines)))
    keep(opened(tmp_path / name), tmp_path / "out", first_goes)
    with (tmp_path / "out").open("rb") as file:
        assert b"".join(unpacked(file)) == b"".join(lines[1:])
    assert (tmp_path / "out").stat().st_size <= (tmp_path / name).stat().st_size * AS_LARGE


def test_what_did_not_grow_is_left_as_it_is(tmp_path: Path) -> None:
    options: dict[str, Any] = {
        "compression": dict.fromkeys(("id", "text", "kind"), "zstd"),
        "compression_level": dict.fromkeys(("id", "text", "kind"), 3),
    }
    pq.write_table(rows(200), tmp_path / "out.parquet", **options)
    before = (tmp_path / "out.parquet").read_bytes()
    smaller_parquet(tmp_path / "out.parquet", {"text": 10**9}, options, 1 << 30)
    assert (tmp_path / "out.parquet").read_bytes() == before
    (tmp_path / "out.zst").write_bytes(zstandard.ZstdCompressor().compress(b"some words"))
    smaller_lines(tmp_path / "out.zst", "zstd", 1000, 1 << 30)
    assert (tmp_path / "out.zst").read_bytes() == zstandard.ZstdCompressor().compress(b"some words")


def test_a_level_for_which_there_is_no_memory_is_not_tried() -> None:
    assert slow_levels("zstd", 4 << 30) == (19, 22)
    assert slow_levels("zstd", 500 << 20) == (19,)
    assert slow_levels("zstd", limits_within(256 << 20).in_flight // 2) == ()
    assert slow_levels("gzip", 0) == (9,) and slow_levels("snappy", 4 << 30) == ()


def test_some_bytes_more_are_no_reason_to_write_a_small_file_again(tmp_path: Path) -> None:
    lines = [b'{"text": "one"}\n', b'{"text": "two"}\n', b'{"text": "three"}\n']
    (tmp_path / "in.jsonl.zst").write_bytes(zstandard.ZstdCompressor().compress(b"".join(lines)))
    keep(opened(tmp_path / "in.jsonl.zst"), tmp_path / "out", lambda number: number == 2)
    # In the usual way, with a checksum, which the file did not have.
    usual = zstandard.ZstdCompressor(3, write_checksum=True)
    assert (tmp_path / "out").read_bytes() == usual.compress(b"".join(lines[:2]))
