"""Levels of zstd files, found again."""

import io
import random

import pytest
import zstandard

from webecho.formats.zstd_level import LEVELS, zstd_level

# Words of which some are common, in sentences that come back: higher levels find more of them.
_MADE = random.Random(5)
_WORDS = ["".join(_MADE.choices("etaoinshrdlu", k=_MADE.randint(2, 9))) for _ in range(4000)]
_SENTENCES = [" ".join(_MADE.choices(_WORDS, k=12)) for _ in range(3000)]
TEXT = "\n".join(
    " ".join(_MADE.choices(_SENTENCES, k=2) + _MADE.choices(_WORDS[:300], k=9)) for _ in range(9000)
).encode()


@pytest.mark.parametrize("level", LEVELS)
def test_what_was_compressed_at_a_level_is_no_larger_at_the_one_found(level: int) -> None:
    before = zstandard.ZstdCompressor(level=level).compress(TEXT)
    found = zstd_level(io.BytesIO(before))
    assert found <= level
    assert len(zstandard.ZstdCompressor(level=found).compress(TEXT)) <= 1.01 * len(before)


def test_higher_levels_are_told_from_lower_ones() -> None:
    found = [
        zstd_level(io.BytesIO(zstandard.ZstdCompressor(level=level).compress(TEXT)))
        for level in (1, 3, 12, 19)
    ]
    assert found[:2] == [3, 3] and found[2] > 3 and found[3] == LEVELS[-1]


def test_what_is_broken_or_empty_has_a_level() -> None:
    whole = zstandard.ZstdCompressor(level=3).compress(TEXT)
    assert zstd_level(io.BytesIO(whole[: len(whole) // 2])) in LEVELS
    assert zstd_level(io.BytesIO(zstandard.ZstdCompressor().compress(b""))) == 3
