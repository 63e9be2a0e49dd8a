import gzip
import io
import os
import struct

import lz4.frame
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from webecho.formats.packing import DamagedError, Packing, packed, packing_of, unpacked


def whole(packed: bytes) -> bytes:
    return b"".join(unpacked(io.BytesIO(packed)))


def test_members_and_frames_follow_each_other() -> None:
    start, end = b"first " * 1000, os.urandom(3_000_000)
    skipped = struct.pack("<II", 0x184D2A53, 5) + b"aside"
    gzipped = gzip.compress(start) + gzip.compress(b"") + gzip.compress(end)
    zstd = zstandard.compress(start) + skipped + zstandard.compress(b"") + zstandard.compress(end)
    assert whole(gzipped) == start + end
    assert whole(gzipped + b"\0" * 512) == start + end
    assert whole(zstd) == start + end
    lz4_frames = (lz4.frame.compress(each) for each in (start, b"", end))
    assert whole(b"".join(lz4_frames)) == start + end
    assert whole(skipped + zstd) == start + end
    assert whole(start + end) == start + end


def test_memory_stays_bounded_when_bytes_expand() -> None:
    zeros = bytes(200 << 20)
    for bomb in (gzip.compress(zeros, 1), zstandard.compress(zeros), lz4.frame.compress(zeros)):
        sizes = [len(block) for block in unpacked(io.BytesIO(bomb))]
        assert sum(sizes) == len(zeros)
        assert max(sizes) <= 65 << 20


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress, lz4.frame.compress])
def test_damage_is_told_after_what_is_whole(pack: object) -> None:
    good, bad = pack(b"good" * 50_000), pack(os.urandom(5000))  # type: ignore[operator]
    for broken in (good + bad[:-1], good + bad[:2000], good + b"junk" * 10):
        parts: list[bytes] = []
        with pytest.raises(DamagedError):
            parts.extend(unpacked(io.BytesIO(broken)))
        given_before = b"".join(parts)
        assert given_before.startswith(b"good" * 50_000)


@given(st.binary(max_size=300))
def test_any_bytes_are_given_as_they_are_or_damaged(content: bytes) -> None:
    for magic in (b"", b"\x1f\x8b\x08\x00", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18"):
        packed = magic + content
        try:
            plain = whole(packed)
        except DamagedError:
            assert packing_of(packed)
        else:
            assert packing_of(packed) or plain == packed


@pytest.mark.parametrize("packing", ["gzip", "zstd", "lz4"])
def test_what_is_packed_depends_on_the_bytes_alone(packing: Packing) -> None:
    half = os.urandom(9 << 20)
    made = b"".join(packed(iter([half, half, b"rest"]), packing))
    assert packing_of(made) == packing
    assert whole(made) == half + half + b"rest"
    assert b"".join(packed(iter([half, half, b"re", b"st"]), packing)) == made


@pytest.mark.parametrize("packing", ["gzip", "zstd", "lz4"])
def test_nothing_is_an_empty_member(packing: Packing) -> None:
    (member,) = packed(iter([]), packing)
    assert packing_of(member) == packing
    assert whole(member) == b""


class Counted(bytes):
    """Bytes that count how many of them are copied."""

    copied = 0

    def __getitem__(self, place):  # type: ignore[no-untyped-def]
        found = super().__getitem__(place)
        Counted.copied += len(found) if isinstance(found, bytes) else 0
        return found


def test_tiny_members_are_not_copied_with_all_that_follows() -> None:
    class OneBlock(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return Counted(super().read(size))

    members = gzip.compress(b"x") * 4_000
    Counted.copied = 0
    assert b"".join(unpacked(OneBlock(members))) == b"x" * 4_000
    # A slice for each member: all that follows would be 160 million bytes.
    assert 0 < Counted.copied < 4_000 * 2_048
