"""`combined` by hand."""

from webecho.group.rules.checks import Agreement
from webecho.group.rules.keys import Supershingles
from webecho.group.rules.registry import rule
from webecho.group.rules.rule import Search
from webecho.settings import WEBECHO


def test_supershingles_agree_and_bits_do_too() -> None:
    assert rule("combined").searches(WEBECHO) == (Search(Supershingles(), Agreement(2, 355)),)
    assert rule("combined", least_c=350).label == "combined-2-350"


def test_bits_are_not_looked_for_so_that_any_number_will_do() -> None:
    assert rule("combined", least_c=1).label == "combined-2-1"
