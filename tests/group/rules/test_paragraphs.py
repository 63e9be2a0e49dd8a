"""`paragraphs` by hand."""

from webecho.group.rules.keys import Paragraphs
from webecho.group.rules.registry import rule
from webecho.settings import WEBECHO


def test_the_same_paragraphs_and_nothing_more() -> None:
    chosen = rule("paragraphs")
    assert (chosen.sets, chosen.searches(WEBECHO)) == (Paragraphs(450), ())
    assert (chosen.label, chosen.columns, chosen.tables) == ("paragraphs", (), ("paragraphs",))
