"""Shares of a whole."""

from math import inf

import pytest

from webecho.study.shares import Z, ratio, student, wilson


def test_nothing_has_no_part() -> None:
    assert ratio(3, 4) == 0.75
    assert ratio(0, 0) == ratio(2, 0) == 0.0


def test_wilsons_interval_as_it_is_in_books() -> None:
    # Newcombe 1998, table I: 81 of 263 and 0 of 20, method 3.
    assert wilson(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0, 0.1611), abs=5e-5)
    assert wilson(1, 29) == pytest.approx((0.8830, 1), abs=5e-5)
    assert wilson(0.3, inf) == (0.3, 0.3)
    # A larger quantile asks for more.
    assert wilson(0.5, 96, 1.0) == pytest.approx((0.4492, 0.5508), abs=5e-5)


def test_students_quantiles_as_they_are_in_books() -> None:
    for freedom, known in ((3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (120, 1.980)):
        assert student(freedom) == pytest.approx(known, rel=0.01)
    assert student(inf) == Z
    assert student(0.5) == student(2) == pytest.approx(4.303, rel=0.04)
