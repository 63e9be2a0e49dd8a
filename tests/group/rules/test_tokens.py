"""`tokens` by hand."""

from webecho.group.rules.keys import IDENTITY
from webecho.group.rules.registry import rule
from webecho.settings import WEBECHO


def test_identity_sets_and_nothing_more() -> None:
    chosen = rule("tokens")
    assert (chosen.sets, chosen.searches(WEBECHO)) == (IDENTITY, ())
    assert (chosen.label, chosen.columns, chosen.tables) == ("tokens", (), ())
    # Pages without tokens are the same by their bytes.
    assert IDENTITY.columns == ("digest", "markup_digest")
