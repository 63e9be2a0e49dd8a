import gzip
import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.golden.files import pinned, raw


def as_parquet(numbers: list[int], compression: str) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table({"page": numbers}), out, compression=compression)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "one", "same", "other"),
    [
        (
            "a.parquet",
            as_parquet([1, 2], "zstd"),
            as_parquet([1, 2], "none"),
            as_parquet([1, 3], "zstd"),
        ),
        (
            "a.jsonl.gz",
            gzip.compress(b"{}" * 99, 9),
            gzip.compress(b"{}" * 99, 0),
            gzip.compress(b"[]" * 99, 9),
        ),
        (
            "manifest.json",
            b'{"parts": [{"files": {"sketches": "ab"}}]}',
            b'{"parts": [{"files": {"sketches": "cd"}}]}',
            b'{"parts": [{"files": {"links": "ab"}}]}',
        ),
    ],
)
def test_pinned_is_the_content_and_raw_are_the_bytes(
    name: str, one: bytes, same: bytes, other: bytes
) -> None:
    assert pinned(name, one) == pinned(name, same) != pinned(name, other)
    assert len({raw(name, data) for data in (one, same, other)}) == 3


def test_what_is_broken_is_pinned_by_its_bytes() -> None:
    data = b"\x1f\x8b{"
    for name in ("manifest.json", "a.parquet", "a.gz"):
        assert pinned(name, data) == f"bytes {raw(name, data)}"
