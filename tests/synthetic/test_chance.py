"""Numbers by chance: the same for the same key, whatever was drawn before."""

import pytest

from webecho.synthetic.chance import bits, numbers, share


def test_the_stream_is_pinned() -> None:
    """By the definition of SHAKE-128 over the key: another value would make another web."""
    assert bits(4, 7, "page", 3).hex() == "fb242df6"
    assert numbers(2, 7, "page", 3) == (9467, 63021)


def test_keys_part_streams() -> None:
    assert numbers(5, 1, "a") == numbers(5, 1, "a")
    assert len({numbers(5, *key) for key in ((1, "a"), (2, "a"), (1, "b"), (1, "a", 0))}) == 4
    # More of a stream begins with less of it.
    assert numbers(9, 1, "a")[:5] == numbers(5, 1, "a")


@pytest.mark.parametrize("seed", range(3))
def test_shares_are_spread_evenly(seed: int) -> None:
    drawn = [share(seed, number) for number in range(4000)]
    assert min(drawn) >= 0 and max(drawn) < 1
    for tenth in range(10):
        count = sum(tenth / 10 <= value < (tenth + 1) / 10 for value in drawn)
        # Five standard deviations of a binomial: sqrt(4000 · 0.1 · 0.9) = 19.
        assert abs(count - 400) < 95
