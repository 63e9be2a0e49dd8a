"""`very-similar` by hand."""

from webecho.group.rules.checks import Agreement
from webecho.group.rules.keys import Supershingles
from webecho.group.rules.registry import rule
from webecho.group.rules.rule import Search
from webecho.settings import WEBECHO, recipe


def test_two_supershingles_agree_or_the_only_one() -> None:
    chosen = rule("very-similar")
    assert chosen.searches(WEBECHO) == (Search(Supershingles(), Agreement(2)),)
    assert chosen.searches(recipe("webecho", m=14)) == (Search(Supershingles(), Agreement(1)),)
    assert not chosen.pairs_of_sets
