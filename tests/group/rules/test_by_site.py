"""`by-site` by hand."""

from webecho.group.rules.checks import Agreement
from webecho.group.rules.keys import Pieces, Supershingles
from webecho.group.rules.registry import rule
from webecho.group.rules.rule import Search
from webecho.settings import WEBECHO, recipe


def test_bits_on_different_sites_and_both_on_the_same() -> None:
    assert rule("by-site").searches(WEBECHO) == (
        Search(Pieces(13), Agreement(least_c=372, sites="different")),
        Search(Supershingles(), Agreement(2, 355, sites="same")),
    )


def test_thresholds_are_in_proportion_to_the_recipe() -> None:
    fewer = recipe("henzinger2006", bits=192, m=42)
    assert rule("by-site", None, fewer).label == "by-site-2-178-186"
