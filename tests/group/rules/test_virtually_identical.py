"""`virtually-identical` by hand."""

from webecho.group.rules.checks import Agreement
from webecho.group.rules.keys import Supershingles
from webecho.group.rules.registry import rule
from webecho.group.rules.rule import Search
from webecho.settings import WEBECHO, recipe


def test_all_supershingles_agree_however_many_there_are() -> None:
    chosen = rule("virtually-identical")
    assert chosen.searches(WEBECHO) == (Search(Supershingles(), Agreement(6)),)
    assert chosen.searches(recipe("webecho", m=42)) == (Search(Supershingles(), Agreement(3)),)
