"""`b` by hand."""

import pytest

from webecho import SettingsError
from webecho.group.rules.checks import Agreement
from webecho.group.rules.keys import Supershingles
from webecho.group.rules.registry import rule
from webecho.group.rules.rule import Search
from webecho.settings import WEBECHO, recipe


def test_supershingles_agree() -> None:
    assert rule("b").searches(WEBECHO) == (Search(Supershingles(), Agreement(2)),)
    assert rule("b", least_b=6).searches(WEBECHO) == (Search(Supershingles(), Agreement(6)),)
    assert rule("b").pairs_of_sets


def test_where_there_is_one_supershingle_it_agrees() -> None:
    assert rule("b", None, recipe("webecho", m=14)).label == "b-1"


@pytest.mark.parametrize("least", [0, 7])
def test_no_more_can_agree_than_there_are(least: int) -> None:
    with pytest.raises(SettingsError, match=f"--least-b {least}: a page has 6 supershingles"):
        rule("b", least_b=least)
