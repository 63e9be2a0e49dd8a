"""How much of a file is read when a record is."""

import pytest

from webecho.read.marks import Marks


def test_shares_between_the_marks() -> None:
    marks = Marks()
    assert marks.passed(0) is None
    marks.add(10, 0.5)
    marks.add(30, 0.7)
    found = [marks.passed(place) for place in (0, 4, 9, 19, 29, 99)]
    assert found == pytest.approx([0.05, 0.25, 0.5, 0.6, 0.7, 0.7])


def test_no_share_is_more_than_the_whole() -> None:
    marks = Marks()
    marks.add(1, 1.2)
    assert marks.passed(0) == 1.0
