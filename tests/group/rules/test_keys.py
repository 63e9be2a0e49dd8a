"""Bands are picked for the wanted resemblance, pieces for the bits that must agree."""

import pytest
from scipy.stats import binom

from webecho import SettingsError
from webecho.group.rules.keys import (
    Banding,
    Bands,
    Pieces,
    all_pieces,
    banding,
    bands_for,
    pieces_for,
    sifting,
)


def test_one_piece_more_than_bits_may_differ_finds_all() -> None:
    assert all_pieces(372, 384) == 13
    assert all_pieces(355, 384) == 30
    # Pieces of more than 32 bits are not made.
    assert all_pieces(384, 384) == 12


def test_fewer_pieces_than_find_all_pairs_are_asked_for_beside() -> None:
    assert pieces_for(384, 372, None) == Pieces(13)
    assert pieces_for(384, 372, 12) == Pieces(13, asked=12)
    # As many, or more, find all.
    assert pieces_for(384, 372, 13) == Pieces(13)
    assert pieces_for(384, 372, 20) == Pieces(20)


def test_what_pieces_cannot_find() -> None:
    with pytest.raises(SettingsError, match="320 is too low to be looked for; give 321 or more"):
        pieces_for(384, 320, None)
    for asked in (11, 65):
        with pytest.raises(SettingsError, match=f"--pieces {asked}: 384 bits make 12 to 64"):
            pieces_for(384, 372, asked)


def test_the_recall_of_bands_is_what_probability_says() -> None:
    # Six of fourteen, as in Fetterly 2004: at least one agrees with 1 − (1 − p¹⁴)⁶.
    assert Banding(6, 14).recall(0.95) == pytest.approx(1 - (1 - 0.95**14) ** 6)
    assert Banding(1, 1).recall(0.5) == 0.5
    assert Banding(84, 1).recall(1.0) == 1.0


@pytest.mark.parametrize("resemblance", [0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0])
def test_bands_are_the_widest_that_still_find_nearly_all(resemblance: float) -> None:
    chosen = banding(84, resemblance)
    assert chosen.recall(resemblance) >= 0.995
    assert chosen.bands * chosen.width <= 84
    for width in range(chosen.width + 1, 85):
        assert Banding(84 // width, width).recall(resemblance) < 0.995


def test_a_resemblance_that_no_bands_reach_takes_the_narrowest() -> None:
    assert banding(84, 0.01) == Banding(84, 1)


def test_the_bands_for_four_fifths() -> None:
    # 0.8⁵ = 0.328, 16 bands: 0.0017 are missed; 0.8⁶ = 0.262, 14 bands: 0.0142 are.
    assert banding(84, 0.8) == Banding(16, 5)
    assert bands_for(84, 0.8) == Bands(16, 5, sifting(84, 0.8))


@pytest.mark.parametrize("resemblance", [0.3, 0.5, 0.8, 0.95, 1.0])
def test_sifting_loses_hardly_a_pair_at_the_threshold(resemblance: float) -> None:
    least = sifting(84, resemblance)
    below = binom.cdf([least - 1, least], 84, resemblance)
    assert below[0] <= 0.0001 < max(below[1], 0.0002)
