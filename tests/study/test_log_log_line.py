"""Lines are found through counts that follow a power law."""

import random
from collections import Counter

import pytest

from webecho.study.log_log_line import log_log_line, middle


def test_an_exact_power_law_is_found_exactly() -> None:
    counts = {size: 1e9 * size**-1.5 for size in range(1, 1 << 14)}
    found = log_log_line(counts)
    assert found is not None
    # Within a bin the law is curved; that is all that is left.
    assert found.exponent == pytest.approx(-1.5, abs=0.03)
    assert found.error < 0.02
    assert found.spread < 0.05
    assert found.count(100) == pytest.approx(1e9 * 100**-1.5, rel=0.1)


@pytest.mark.parametrize("exponent", [1.3, 2.0, 2.5])
def test_a_drawn_power_law_is_found_within_its_error(exponent: float) -> None:
    sizes = range(1, 1 << 16)
    drawn = random.Random(1).choices(sizes, [size**-exponent for size in sizes], k=20_000)
    found = log_log_line(Counter(drawn))
    assert found is not None
    assert found.exponent == pytest.approx(-exponent, abs=max(0.05, 3 * found.error))
    assert found.error < 0.1


def test_noise_around_a_line_is_its_spread() -> None:
    """Every other size has ten times what the law says, every other a tenth: a decade off."""
    counts = {size: 1e8 * size**-1.0 * 10.0 ** (size % 2 * 2 - 1) for size in range(1, 4096)}
    found = log_log_line(counts)
    assert found is not None
    # Bins see the mean of both, which is nearer to the high ones.
    assert 0.9 < found.spread < 1.3


def test_too_few_sizes_make_no_line() -> None:
    assert log_log_line({}) is None
    assert log_log_line({1: 100, 2: 50, 3: 25, 15: 12}) is None
    # Nine things of size 9 are too few; of size 0 the law says nothing.
    assert log_log_line({0: 50, 1: 100, 2: 50, 5: 25, 9: 9, 17: 3}) is None
    assert log_log_line({0: 50, 1: 100, 2: 50, 5: 25, 9: 10, 17: 3}) is not None


def test_the_middle_of_a_bin() -> None:
    assert middle(0) == 0.0
    assert middle(1) == pytest.approx(0.389076, abs=1e-6)  # of 2 and 3
    # The integral goes on where the sum ends.
    assert middle(10) - middle(9) == pytest.approx(0.30103, abs=1e-3)
