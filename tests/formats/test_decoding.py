import gzip
import io
import os
from collections.abc import Iterator

import lz4.frame
import pytest
import zstandard

from webecho.formats.decoding import (
    FrameError,
    RawBytes,
    dictionary,
    gzip_member,
    lz4_frame,
    zstd_decompressor,
    zstd_frame,
)

CONTENT = os.urandom(300_000)


def given_until(blocks: Iterator[bytes], problem: str) -> bytes:
    """What the blocks give before they end in this problem."""
    found: list[bytes] = []
    with pytest.raises(FrameError, match=problem):
        found.extend(blocks)
    return b"".join(found)


def test_a_member_ends_where_the_next_begins() -> None:
    first, second = gzip.compress(CONTENT), gzip.compress(b"second")
    raw = RawBytes(io.BytesIO(first + second), 0)
    assert b"".join(gzip_member(raw)) == CONTENT
    assert raw.at == len(first)
    assert b"".join(gzip_member(raw)) == b"second"


def test_all_of_a_member_before_its_damage_is_given() -> None:
    whole = gzip.compress(CONTENT)
    raw = RawBytes(io.BytesIO(whole[:-20]), 0)
    assert CONTENT.startswith(given_until(gzip_member(raw), "truncated gzip"))
    wrong = whole[:-8] + b"\0\0\0\0" + whole[-4:]
    assert given_until(gzip_member(RawBytes(io.BytesIO(wrong), 0)), "corrupt gzip") == CONTENT


def test_a_frame_ends_where_the_next_begins() -> None:
    first, second = zstandard.compress(CONTENT), zstandard.compress(b"second")
    file = io.BytesIO(first + second)
    raw, decompressor = RawBytes(file, 0), zstd_decompressor(file)
    raw.seek(0)
    raw.fill(4)
    assert b"".join(zstd_frame(decompressor, raw)) == CONTENT
    assert raw.at == len(first)


def test_a_frame_that_breaks_off() -> None:
    file = io.BytesIO(zstandard.compress(CONTENT)[:-1])
    decompressor = zstd_decompressor(file)
    raw = RawBytes(file, 0)
    raw.fill(4)
    assert CONTENT.startswith(given_until(zstd_frame(decompressor, raw), "truncated zstd"))


def test_a_dictionary_stands_in_a_frame_of_its_own_kind_at_the_head() -> None:
    head = b"\x5d\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"words"
    found = dictionary(io.BytesIO(head + b"rest"))
    assert found is not None
    assert found.as_bytes() == b"words"
    assert dictionary(io.BytesIO(b"\x5c" + head[1:])) is None
    assert dictionary(io.BytesIO(b"")) is None


def test_a_dictionary_may_be_compressed() -> None:
    packed = zstandard.compress(b"words")
    head = b"\x5d\x2a\x4d\x18" + len(packed).to_bytes(4, "little") + packed
    found = dictionary(io.BytesIO(head))
    assert found is not None
    assert found.as_bytes() == b"words"


@pytest.mark.parametrize("checked", [False, True])
@pytest.mark.parametrize("size", [4, 7])
def test_an_lz4_frame_ends_where_the_next_begins(size: int, checked: bool) -> None:
    first = lz4.frame.compress(
        CONTENT + bytes(5_000_000),
        block_size=size,
        content_checksum=checked,
        block_checksum=checked,
        store_size=checked,
    )
    aside = b"\x53\x2a\x4d\x18\x05\0\0\0aside"
    raw = RawBytes(io.BytesIO(first + aside + lz4.frame.compress(b"second")), 0)
    blocks = list(lz4_frame(raw))
    assert b"".join(blocks) == CONTENT + bytes(5_000_000)
    # However much a frame holds, one block of it is held.
    assert max(map(len, blocks)) == 1 << (8 + 2 * size)
    assert raw.at == len(first)
    raw.fill(4)
    assert list(lz4_frame(raw)) == []
    raw.fill(4)
    assert b"".join(lz4_frame(raw)) == b"second"


def test_all_of_an_lz4_frame_before_its_damage_is_given() -> None:
    frame = lz4.frame.compress(CONTENT, block_size=4, content_checksum=True)
    for broken, problem, least in (
        (frame[:-1], "truncated lz4", len(CONTENT)),
        (frame[:150_000], "truncated lz4", 2 << 16),
        (frame[:-1] + bytes([frame[-1] ^ 1]), "corrupt lz4", len(CONTENT)),
        (frame[:5], "truncated lz4", 0),
        # A block that says it is of 2 GiB, and one of another kind of header.
        (frame[:15] + b"\xff\xff\xff\x7f" + frame[19:], "corrupt lz4", 0),
        (frame[:4] + b"\xff\xff" + frame[6:], "corrupt lz4", 0),
    ):
        found = given_until(lz4_frame(RawBytes(io.BytesIO(broken), 0)), problem)
        assert CONTENT.startswith(found)
        assert len(found) >= least


def test_a_frame_that_needs_too_wide_a_window_is_a_problem() -> None:
    wide = zstandard.ZstdCompressionParameters(window_log=24, write_content_size=False)
    content = CONTENT * 10
    made = zstandard.ZstdCompressor(compression_params=wide).compressobj()
    file = io.BytesIO(made.compress(content) + made.flush())
    assert b"".join(zstd_frame(zstd_decompressor(file), RawBytes(file, 0))) == content
    with pytest.raises(FrameError, match="window too wide"):
        [*zstd_frame(zstd_decompressor(file, 8 << 20), RawBytes(file, 0))]
