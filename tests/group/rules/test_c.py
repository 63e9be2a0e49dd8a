"""`c` by hand."""

import pytest

from webecho import SettingsError
from webecho.group.rules.checks import Agreement
from webecho.group.rules.keys import Pieces
from webecho.group.rules.registry import rule
from webecho.group.rules.rule import Search
from webecho.settings import WEBECHO, recipe


def test_bits_agree() -> None:
    assert rule("c").searches(WEBECHO) == (Search(Pieces(13), Agreement(least_c=372)),)
    twelve = rule("c", pieces=12)
    assert twelve.label == "c-372-pieces-12"
    assert twelve.searches(WEBECHO) == (Search(Pieces(13, asked=12), Agreement(least_c=372)),)


def test_thresholds_are_in_proportion_to_the_bits() -> None:
    assert rule("c", None, recipe("webecho", bits=192)).label == "c-186"


def test_what_cannot_be_looked_for() -> None:
    with pytest.raises(SettingsError, match="--least-c 385: a page has 384 bits; give 1 to 384"):
        rule("c", least_c=385)
    with pytest.raises(SettingsError, match="300 is too low to be looked for; give 321 or more"):
        rule("c", least_c=300)
    with pytest.raises(SettingsError, match="the rule c has no --least-b; that is for b, combined"):
        rule("c", least_b=2)
