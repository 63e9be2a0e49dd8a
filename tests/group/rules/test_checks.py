"""Checks say which measures they ask for, and the least of each."""

import pytest

from webecho.group.rules.checks import Agreement, Check, EqualWords, Resemblance


@pytest.mark.parametrize(
    ("check", "asked"),
    [
        (Resemblance(0.8), {"resemblance": 0.8}),
        (EqualWords(0.9), {"equal_words": 0.9}),
        (Agreement(), {}),
        (Agreement(least_b=2), {"b_similarity": 2}),
        (Agreement(least_c=372, sites="different"), {"c_similarity": 372}),
        (Agreement(2, 355, "same"), {"b_similarity": 2, "c_similarity": 355}),
    ],
)
def test_what_a_check_asks_for(check: Check, asked: dict[str, float]) -> None:
    assert check.asked == asked


def test_checks_are_values() -> None:
    assert Agreement(2) == Agreement(least_b=2, least_c=None, sites="any")
    assert Agreement(2) != Agreement(2, sites="same")
    assert len({Resemblance(0.8), Resemblance(0.8), Resemblance(0.9)}) == 2
