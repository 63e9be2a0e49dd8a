"""Rules have names and parameters, and bands are picked for the wanted resemblance."""

import pytest
from scipy.stats import binom

from webecho import SettingsError
from webecho.group.rules import Banding, Rule, all_pieces, banding, rule, sifting
from webecho.settings import recipe


def test_rules_are_labelled_with_their_parameter() -> None:
    assert rule("exact").label == "exact"
    assert rule("very-similar").label == "very-similar"
    assert rule("similar").label == "similar-0.8"
    assert rule("similar", 0.95).label == "similar-0.95"
    assert rule("similar", 1).label == "similar-1"
    assert rule("b").label == "b-2"
    assert rule("c").label == "c-372"
    assert rule("c", pieces=12).label == "c-372-pieces-12"
    assert rule("combined", least_c=350).label == "combined-2-350"
    assert rule("by-site").label == "by-site-2-355-372"


def test_thresholds_are_in_proportion_to_the_recipe() -> None:
    fewer = recipe("henzinger2006", bits=192, m=42)
    assert rule("by-site", None, fewer).label == "by-site-2-178-186"
    assert rule("b", None, recipe("webecho", m=14)).label == "b-1"


def test_one_piece_more_than_bits_may_differ_finds_all() -> None:
    assert all_pieces(372, 384) == 13
    assert all_pieces(355, 384) == 30
    # Pieces of more than 32 bits are not made.
    assert all_pieces(384, 384) == 12


def test_different_resemblances_never_share_a_label() -> None:
    """The label names the file: a shared one would overwrite another's result."""
    values = (0.8, 0.80000001, 0.8000000000000002, 0.79999999, 1 / 3, 0.333333, 1e-9)
    labels = {rule("similar", value).label for value in values}
    assert len(labels) == len(values)


def test_an_unknown_rule_is_told_the_known_ones() -> None:
    with pytest.raises(SettingsError) as error:
        rule("same")
    assert str(error.value) == (
        "no rule is called 'same'; there are exact, very-similar, virtually-identical, similar, "
        "b, c, combined, by-site, paragraphs"
    )


@pytest.mark.parametrize("value", [0, -0.5, 1.0001, float("nan"), float("inf")])
def test_a_resemblance_is_above_zero_and_at_most_one(value: float) -> None:
    with pytest.raises(SettingsError, match=r"is not above 0 and at most 1; try 0.8"):
        rule("similar", value)


@pytest.mark.parametrize("name", ["exact", "very-similar", "virtually-identical"])
def test_only_similar_has_a_resemblance(name: str) -> None:
    with pytest.raises(SettingsError, match=f"the rule {name} has no resemblance"):
        Rule(name, 0.8)


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


@pytest.mark.parametrize("resemblance", [0.3, 0.5, 0.8, 0.95, 1.0])
def test_sifting_loses_hardly_a_pair_at_the_threshold(resemblance: float) -> None:
    least = sifting(84, resemblance)
    below = binom.cdf([least - 1, least], 84, resemblance)
    assert below[0] <= 0.0001 < max(below[1], 0.0002)
