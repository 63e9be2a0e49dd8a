"""With which level a Parquet file is written that does not tell its own."""

import random
from pathlib import Path
from pydoc_data.topics import topics
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.write.keeping import keep, opened
from webecho.write.parquet_levels import held_by_zstd, levels

# English, of which levels make something different.
PARAGRAPHS = [each for topic in topics.values() for each in topic.split("\n\n")]


def rows(count: int = 1200) -> pa.Table:
    chance = random.Random(1)
    texts = ["\n".join(chance.choices(PARAGRAPHS, k=5)) for _ in range(count)]
    return pa.table(
        {"id": [*range(count)], "text": texts, "kind": ["a", "b", "c", "d"] * (count // 4)}
    )


def saved(folder: Path, **options: Any) -> pq.ParquetFile:
    pq.write_table(rows(), folder / "in.parquet", row_group_size=400, **options)
    return pq.ParquetFile(folder / "in.parquet")


@pytest.mark.parametrize(
    ("codec", "level", "least", "most"),
    [
        ("zstd", 1, 3, 3),
        ("zstd", 3, 3, 3),
        # One below may do as well, or nearly so; of gzip the two are the same but for some bytes.
        ("zstd", 9, 6, 9),
        ("zstd", 12, 9, 12),
        ("gzip", 9, 6, 9),
        ("brotli", 8, 6, 8),
    ],
)
def test_the_level_is_found_again(
    tmp_path: Path, codec: str, level: int, least: int, most: int
) -> None:
    file = saved(tmp_path, compression=codec, compression_level=level)
    paths = dict.fromkeys(("id", "text", "kind"), codec)
    assert least <= levels(file, paths, {})["text"] <= most


@pytest.mark.parametrize(
    ("codec", "level"), [("zstd", 1), ("zstd", 9), ("zstd", 12), ("gzip", 9), ("brotli", 8)]
)
def test_what_stays_takes_no_more_than_its_share(tmp_path: Path, codec: str, level: int) -> None:
    saved(tmp_path, compression=codec, compression_level=level)
    source = opened(tmp_path / "in.parquet")
    keep(source, tmp_path / "out.parquet", lambda number: number % 2 == 1)
    # As whoever wrote the file would have written what stays.
    kept = rows().take([*range(0, 1200, 2)])
    options = {"compression": codec, "compression_level": level}
    pq.write_table(kept, tmp_path / "best.parquet", row_group_size=200, **options)
    sizes = []
    for name in ("best", "out"):
        file = pq.ParquetFile(tmp_path / f"{name}.parquet")
        groups = [file.metadata.row_group(group) for group in range(3)]
        assert [group.num_rows for group in groups] == [200] * 3
        assert {group.column(1).compression for group in groups} == {codec.upper()}
        sizes.append(sum(group.column(1).total_compressed_size for group in groups))
    assert sizes[1] <= sizes[0] * 1.04


def test_each_column_has_its_own(tmp_path: Path) -> None:
    codecs = {"id": "gzip", "text": "zstd", "kind": "snappy"}
    file = saved(tmp_path, compression=codecs, compression_level={"id": 9, "text": 12})
    found = levels(file, codecs, {})
    assert found.keys() == {"id", "text"}
    assert 6 <= found["text"] <= 12


def test_what_would_hold_too_much_is_not_tried(tmp_path: Path) -> None:
    file = saved(tmp_path, compression="zstd", compression_level=19)
    codecs = dict.fromkeys(("id", "text", "kind"), "zstd")
    least = levels(file, codecs, {}, most=held_by_zstd(3) // 2)
    assert set(least.values()) == {3} != {*levels(file, codecs, {}).values()}


def test_a_file_without_levels_is_not_tried(tmp_path: Path) -> None:
    file = saved(tmp_path, compression="snappy")
    assert levels(file, dict.fromkeys(("id", "text", "kind"), "snappy"), {}) == {}
