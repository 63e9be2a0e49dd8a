"""A Bloom filter has all that it took in, and errs about the rest as often as it says."""

import numpy as np
import pyarrow as pa

from webecho import _core
from webecho.study.bloom import BloomFilter


def keys(start: int, end: int) -> pa.Array:
    return _core.text_keys(
        pa.array([f"thing {number}" for number in range(start, end)], pa.string())
    )


def test_all_that_was_taken_in_is_there() -> None:
    filled = BloomFilter(5000)
    filled.add(keys(0, 5000))
    assert filled.has(keys(0, 5000)).all()
    # Three in ten million are expected.
    assert filled.error < 1e-6
    assert not filled.has(keys(5000, 25_000)).any()


def test_it_errs_as_often_as_it_says() -> None:
    # Five times as many as there is room for.
    filled = BloomFilter(300)
    filled.add(keys(0, 1500))
    errors = filled.has(keys(5000, 45_000)).mean()
    assert 0.5 * filled.error < errors < 2 * filled.error
    assert errors > 0.01


def test_nothing_is_in_an_empty_filter() -> None:
    empty = BloomFilter(0)
    empty.add(keys(0, 0))
    assert empty.error == 0
    assert not empty.has(keys(0, 10)).any()


def test_things_are_spread_over_a_filter_of_more_than_32_bits() -> None:
    """The places of a filter so large are worked out, and it is not made."""
    filled = BloomFilter(1)
    filled._size = 1 << 40
    keys = pa.array(np.random.default_rng(3).integers(-(1 << 63), 1 << 63, 2000))
    for place in filled._places(keys):
        assert place.max() > filled._size * 0.99
        assert place.min() < filled._size * 0.01
