"""`edited` by hand."""

import pytest

from webecho import SettingsError
from webecho.group.rules.banding import banding, bands_for
from webecho.group.rules.checks import EqualWords
from webecho.group.rules.edited import LEAST_RESEMBLANCE, resemblance_for
from webecho.group.rules.registry import rule
from webecho.group.rules.rule import Search
from webecho.settings import WEBECHO


def test_a_share_of_equal_words_is_looked_for_by_the_keys_of_similar() -> None:
    found = rule("edited", equal_words=0.95)
    [search] = found.searches(WEBECHO)
    assert search == Search(bands_for(84, resemblance_for(0.95, 5)), EqualWords(0.95))
    assert rule("edited").value("equal_words") == 0.9
    assert not found.compares_shingles


@pytest.mark.parametrize(
    ("share", "k", "resemblance"),
    [
        (1, 5, 1),
        # Of 100 words one is another: 5 of 100 shingles are gone on either side, 95 of 105 shared.
        (0.99, 5, 95 / 105),
        (0.95, 5, 75 / 125),
        (0.95, 8, 0.6 / 1.4),
        (0.9, 5, LEAST_RESEMBLANCE),
        (0.5, 5, LEAST_RESEMBLANCE),
    ],
)
def test_keys_find_changes_that_stand_alone(share: float, k: int, resemblance: float) -> None:
    assert resemblance_for(share, k) == pytest.approx(resemblance)


def test_the_least_resemblance_is_what_two_features_find() -> None:
    assert banding(WEBECHO.m, LEAST_RESEMBLANCE).width == 2
    assert banding(WEBECHO.m, LEAST_RESEMBLANCE - 0.01).width == 1


def test_labels() -> None:
    assert rule("edited").label == "edited-0.9"
    assert rule("edited", equal_words=1).label == "edited-1"


@pytest.mark.parametrize("value", [0, -0.5, 1.0001, float("nan")])
def test_a_share_is_above_zero_and_at_most_one(value: float) -> None:
    with pytest.raises(SettingsError, match=r"equal.words=? .*is not above 0 and at most 1; try"):
        rule("edited", equal_words=value)
