"""What was fitted, as a row and in words."""

from collections import Counter

import numpy as np

from webecho.study.fits import FITTED, Fits, fit_row, fitted, in_words, p_value, signed
from webecho.study.log_log_line import Line
from webecho.study.power_law import FitSettings, PowerLaw

LAW = PowerLaw(-2.5, 0.1, 4, 60, 100, 0.05, 0.4, 500, -0.5, 0.6, -3.0, 0.001)
LINE = Line(-2.1, 0.2, 3.0, 0.1)


def test_a_row_of_both() -> None:
    row = fit_row(Fits(LAW, LINE), {0: 7, 2: 90, 9: 10})
    assert [*row] == [*FITTED]
    assert (row["number"], row["from size"], row["number from there"]) == (100, 4, 60)
    assert (row["p"], row["repetitions"], row["spread of the line"]) == (0.4, 500, 0.1)
    assert {*fit_row(Fits(), {1: 3}).values()} == {3, None}


def test_both_in_words() -> None:
    law, line = in_words(Fits(LAW, LINE), "clusters")
    assert law == (
        "Power law by maximum likelihood: exponent −2.50 ± 0.10 from size 4 on, 60 of 100 "
        "clusters; Kolmogorov–Smirnov distance 0.050, p = 0.40 by 500 repetitions: nothing speaks "
        "against it; neither a power law nor a log-normal is nearer (likelihood ratio −0.50, "
        "p = 0.60); of all sizes a log-normal is nearer than a power law (likelihood ratio −3.00, "
        "p < 0.01)."
    )
    assert line == (
        "Line through log-log counts, the papers' way: exponent −2.10 ± 0.20; the counts of single "
        "sizes lie a factor of 1.3 off it."
    )


def test_what_misses_is_said() -> None:
    law = PowerLaw(-2.5, 0.1, 1, 100, 100, 0.2, 0.04, 500, 4.0, 0.0)
    first, second = in_words(Fits(law, Line(-2.1, 0.2, 3.0, 0.7)), "hosts")
    assert (
        "p = 0.04 by 500 repetitions: it misses its points (p below 0.1); a power law is" in first
    )
    assert "of all sizes" not in first
    assert second.endswith("a factor of 5.0 off it: it misses them.")


def test_too_few_are_told_so() -> None:
    first, second = in_words(fitted({2: 3}, FitSettings()), "hosts")
    assert first.startswith("Too few hosts for a power law")
    assert second.startswith("Too few hosts for a line through log-log counts")


def test_both_are_fitted() -> None:
    drawn = np.random.default_rng(1).zipf(2, 3_000)
    found = fitted(Counter(drawn[drawn < 10**9].tolist()), FitSettings(0))
    assert found.law is not None and found.line is not None
    assert abs(found.law.exponent - found.line.exponent) < 0.5


def test_numbers_as_people_write_them() -> None:
    assert (signed(-1.234), signed(0.5, 1)) == ("−1.23", "0.5")
    # On which side of 0.1 a p is, is always seen.
    assert [p_value(p) for p in (0.0, 0.098, 0.1, 0.52)] == [
        *("p < 0.01", "p = 0.098", "p = 0.10", "p = 0.52")
    ]
