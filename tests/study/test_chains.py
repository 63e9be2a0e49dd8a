"""Chains of pairs join what they touch."""

from webecho.study.chains import lowest_joined


def test_each_has_the_lowest_of_its_chain() -> None:
    assert lowest_joined(7, [(5, 6), (1, 5), (2, 2), (4, 3)]) == [0, 1, 2, 3, 3, 1, 1]
    assert lowest_joined(3, []) == [0, 1, 2]
    assert lowest_joined(0, []) == []
