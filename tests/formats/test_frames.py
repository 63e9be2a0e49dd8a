"""What looks like a frame and is none must not cost more than the bytes it takes."""

import io
import re

import pytest

from tests.read.archives import gzipped, response
from webecho.formats import frames
from webecho.formats.decoding import RawBytes


def test_of_many_almost_frames_some_are_looked_at() -> None:
    looked = []

    def begins(sample: bytes) -> bool:
        looked.append(sample)
        return False

    almost = b"\x1f\x8b\x08\0\0\0\0\0\0\3" * 20_000
    raw = RawBytes(io.BytesIO(almost), 0)
    frames.find_frame(raw, re.compile(rb"\x1f\x8b\x08"), begins, 4 << 10, probes=100)
    assert raw.at == len(almost)
    assert 100 <= len(looked) <= 100 + (len(almost) >> 10)
    (damage,) = frames.pieces(io.BytesIO(almost), 0, "gzip")
    assert damage.problem is not None


@pytest.mark.parametrize("almost", [1, 1000])
def test_a_frame_after_almost_frames_is_found(almost: int) -> None:
    page = gzipped(response("http://a.example/1", b"<p>one</p>"))
    data = b"\x1f\x8b\x08\0\0\0\0\0\0\3" * almost + page
    damage, found = frames.pieces(io.BytesIO(data), 0, "gzip")
    assert damage.problem is not None
    assert (found.frame, found.data[:5]) == (10 * almost, b"WARC/")


@pytest.mark.parametrize(
    ("head", "codec"),
    [
        (b"\x1f\x8b\x08\0", "gzip"),
        (b"\x28\xb5\x2f\xfd", "zstd"),
        (b"\x5d\x2a\x4d\x18", "zstd"),
        (b"\x04\x22\x4d\x18", "lz4"),
        (b"WARC/1.0\r\n", "plain"),
        (b"", "plain"),
        # The first bytes are damaged, and a member begins later.
        (b"????" + b"\x1f\x8b\x08", "gzip"),
        (b"WARC/1.0\r\n" + b"\x1f\x8b\x08", "plain"),
    ],
)
def test_the_codec_is_known_by_the_first_bytes(head: bytes, codec: str) -> None:
    assert frames.codec_of(io.BytesIO(head)) == codec


def test_a_piece_opens_its_frame_and_tells_where_that_begins() -> None:
    first, second = gzipped(b"one"), gzipped(b"two")
    found = list(frames.pieces(io.BytesIO(first + second), 0, "gzip"))
    assert found == [
        frames.Piece(0, b"one", opens=True),
        frames.Piece(len(first), b"two", opens=True),
    ]
    assert list(frames.pieces(io.BytesIO(first + second), len(first), "gzip")) == found[1:]


def test_a_file_that_is_not_compressed_is_one_frame() -> None:
    data = b"x" * (300 << 10)
    found = list(frames.pieces(io.BytesIO(data), 5, "plain"))
    assert [(piece.frame, len(piece.data), piece.opens) for piece in found] == [
        (5, 256 << 10, True),
        (5, (300 << 10) - (256 << 10) - 5, False),
    ]
