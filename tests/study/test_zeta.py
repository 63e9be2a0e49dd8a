"""Zeta against SciPy's."""

import numpy as np
import pytest
from scipy.special import zeta

from webecho.study.zeta import START, log_zeta


@pytest.mark.parametrize("exponent", [1.01, 1.3, 2.0, 3.5, 8.0])
def test_zeta_has_the_digits(exponent: float) -> None:
    firsts = [1, 2, 3, START - 1, START, 100, 1e6]
    expected = [np.log(zeta(exponent, first)) for first in firsts]
    assert [*log_zeta(exponent, firsts)] == pytest.approx(expected, abs=1e-10)


def test_element_by_element() -> None:
    found = log_zeta(np.array([[1.5], [2.5]]), np.array([1, 20, 300]))
    assert found.shape == (2, 3)
    assert found[1, 0] == pytest.approx(np.log(zeta(2.5, 1)))
    assert float(log_zeta(2, 1)) == pytest.approx(np.log(np.pi**2 / 6))
