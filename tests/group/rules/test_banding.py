"""Bands are picked for the wanted resemblance."""

import pytest
from scipy.stats import binom

from webecho.group.rules.banding import Banding, banding, bands_for, sifting
from webecho.group.rules.keys import Bands


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
