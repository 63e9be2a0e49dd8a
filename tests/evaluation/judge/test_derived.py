"""Which rules the labelled pairs of others tell of, and which of those are theirs."""

from dataclasses import replace

import pytest

from tests.evaluation.labelled_pairs import Made, labelled_pairs
from webecho.evaluation.judge.derived import UntoldError, known_rules, members, of_sample
from webecho.evaluation.judge.labelled import Labelled
from webecho.settings import WEBECHO

# B-similarity, C-similarity, same site or not; a pair is called by its place here.
MADE: list[Made] = [
    (6, 384, True, "correct"),
    (3, 360, True, "incorrect"),
    (2, 340, True, "incorrect"),
    (5, 373, False, "correct"),
    (2, 356, False, "undecided"),
]


def of_rule(known: Labelled, text: str) -> list[int]:
    return [member.pair.left for member in members(known, text, WEBECHO)]


def test_a_rule_of_the_sample_has_its_own_pairs() -> None:
    known = labelled_pairs(MADE)
    for name in ("b-2", "b"):
        assert of_rule(known, name) == [0, 1, 2, 3, 4]
    # In a sample of several rules each has those that it found, with its own weights.
    first, *others = known.pairs
    weighted = replace(first, weights={"b-2": 1.0, "c-372": 2.5})
    both = replace(known, pairs=(weighted, *others), samples={"b-2": "s", "c-372": "s"})
    assert [(each.pair.left, each.weight) for each in of_sample(both, "c-372")] == [(0, 2.5)]


def test_stricter_thresholds_leave_some() -> None:
    known = labelled_pairs(MADE)
    assert of_rule(known, "b-3") == [0, 1, 3]
    assert of_rule(known, "combined") == [0, 1, 3, 4]
    assert of_rule(known, "combined-2-373") == [0, 3]


def test_looser_ones_and_other_measures_are_not_known() -> None:
    known = labelled_pairs(MADE)
    for name in ("b-1", "c", "c-372", "by-site", "similar"):
        with pytest.raises(UntoldError, match=f"the labels on pairs of b-2 do not tell of {name}"):
            members(known, name, WEBECHO)
    # Nor are bits where they were not measured.
    bare = tuple(replace(pair, c_similarity=None) for pair in known.pairs)
    with pytest.raises(UntoldError):
        members(replace(known, pairs=bare), "combined", WEBECHO)


def test_by_site_takes_of_two_rules() -> None:
    known = labelled_pairs(MADE, rules=("b-2", "c-340"))
    # Of `c` what is on different sites, of `combined` what is on the same.
    assert of_rule(known, "by-site") == [3, 0, 1]
    assert known_rules(known, WEBECHO) == [
        *("b-2", "c-372", "combined-2-355", "by-site-2-355-372", "c-340")
    ]
    assert known_rules(labelled_pairs(MADE), WEBECHO) == ["b-2", "combined-2-355"]


def test_a_bare_name_is_the_only_rule_of_that_name() -> None:
    known = labelled_pairs(MADE, rules=("similar-0.9",))
    assert of_rule(known, "similar") == [0, 1, 2, 3, 4]
    two = labelled_pairs(MADE, rules=("similar-0.9", "similar-0.8"))
    assert of_rule(two, "similar-0.8") == [0, 1, 2, 3, 4]
