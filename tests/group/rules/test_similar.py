"""`similar` by hand."""

import pytest

from webecho import SettingsError
from webecho.group.rules.banding import bands_for
from webecho.group.rules.checks import Resemblance
from webecho.group.rules.registry import rule
from webecho.group.rules.rule import Search
from webecho.settings import WEBECHO


def test_a_resemblance_is_looked_for_by_bands() -> None:
    for value in (0.5, 0.8, 1):
        chosen = rule("similar", value)
        assert chosen.searches(WEBECHO) == (Search(bands_for(84, value), Resemblance(value)),)
    assert rule("similar").value("resemblance") == 0.8
    assert rule("similar").compares_shingles


def test_labels() -> None:
    assert rule("similar", 0.95).label == "similar-0.95"
    assert rule("similar", 1).label == "similar-1"


@pytest.mark.parametrize("value", [0, -0.5, 1.0001, float("nan"), float("inf")])
def test_a_resemblance_is_above_zero_and_at_most_one(value: float) -> None:
    with pytest.raises(SettingsError, match=r"is not above 0 and at most 1; try 0.8"):
        rule("similar", value)
