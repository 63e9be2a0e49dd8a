"""Shares of a whole."""

from webecho.study.shares import ratio


def test_nothing_has_no_part() -> None:
    assert ratio(3, 4) == 0.75
    assert ratio(0, 0) == ratio(2, 0) == 0.0
