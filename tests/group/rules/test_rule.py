"""A rule of our own, with a parameter that has a default and one that a label names."""

import pytest

from webecho.errors import SettingsError
from webecho.group.rules.checks import Agreement
from webecho.group.rules.keys import IDENTITY, Supershingles
from webecho.group.rules.parameters import Number, least_b, pieces
from webecho.group.rules.rule import Rule, RuleKind, Search
from webecho.settings import SKETCH_COLUMNS, WEBECHO, Recipe, recipe


def searches(_: Recipe, least_b: int, pieces: int | None = None) -> tuple[Search, ...]:
    if pieces == 13:
        raise SettingsError("pieces = 13: there are none; give 12")
    return (Search(Supershingles(), Agreement(least_b)),)


KIND = RuleKind(
    name="agree.ing",
    explanation="some supershingles agree",
    paper="none",
    searches=searches,
    # A named one stands last in a label, wherever it is given.
    parameters=(pieces(), least_b()),
    columns=("supershingles",),
)


def test_what_is_not_given_is_as_by_default() -> None:
    assert KIND.rule({}, WEBECHO) == Rule(KIND, (("least_b", 2),))
    assert KIND.rule({}, recipe("webecho", m=14)) == Rule(KIND, (("least_b", 1),))
    assert KIND.rule({"least_b": 5}, WEBECHO).value("least_b") == 5
    assert KIND.rule({}, WEBECHO).value("pieces") is None


def test_what_cannot_be_is_refused_when_a_rule_is_made() -> None:
    with pytest.raises(SettingsError, match=r"^--least-b 7: a page has 6 supershingles"):
        KIND.rule({"least_b": 7}, WEBECHO)
    # Also what only the searches can tell.
    with pytest.raises(SettingsError, match=r"^pieces = 13: there are none; give 12$"):
        KIND.rule({"pieces": 13}, WEBECHO)


@pytest.mark.parametrize(
    ("given", "label"),
    [
        ({}, "agree.ing-2"),
        ({"least_b": 4}, "agree.ing-4"),
        ({"pieces": 12}, "agree.ing-2-pieces-12"),
        ({"pieces": 12, "least_b": 3}, "agree.ing-3-pieces-12"),
    ],
)
def test_labels(given: dict[str, Number], label: str) -> None:
    rule = KIND.rule(given, WEBECHO)
    assert rule.label == label
    assert KIND.parsed(label) == dict(rule.values)


@pytest.mark.parametrize(
    ("label", "values"),
    [
        ("agree.ing", {}),
        ("agree.ing-pieces-12", {"pieces": 12}),
        # The dot is a dot.
        ("agreeXing", None),
        ("agree.ing-", None),
        ("agree.ing-2-12", None),
        ("agree.ing-pieces-12-2", None),
        ("an agree.ing", None),
    ],
)
def test_what_labels_say(label: str, values: dict[str, Number] | None) -> None:
    assert KIND.parsed(label) == values


def test_a_rule_says_what_it_looks_for() -> None:
    rule = KIND.rule({"least_b": 3}, WEBECHO)
    assert rule.searches(WEBECHO) == (Search(Supershingles(), Agreement(3)),)
    assert (rule.name, rule.sets) == ("agree.ing", IDENTITY)
    assert (rule.columns, rule.tables) == (("supershingles",), ())


def test_rules_of_pairs_of_sets_are_sketched_with_all_columns() -> None:
    alone = RuleKind("alone", "", "", columns=("features",))
    sets = RuleKind("sets", "", "", columns=("features",), pairs_of_sets=True)
    assert Rule(alone).sketched == ("features",)
    assert Rule(sets).sketched == SKETCH_COLUMNS


def test_without_its_searches_a_rule_asks_for_nothing() -> None:
    alone = KIND.rule({"least_b": 3, "pieces": 12}, WEBECHO).without_searches
    assert (alone.searches(WEBECHO), alone.columns, alone.values) == ((), (), ())
    assert (alone.label, alone.sets) == ("agree.ing", IDENTITY)
