from collections.abc import Iterator

import pyarrow as pa

from tests.write.keeping import selections
from webecho.write.selection import (
    Original,
    Selection,
    Stretch,
    Tally,
    from_first_gone,
    gone_rows,
    stretches,
)


def some(*stays: bool, first: int = 0) -> Selection:
    places = pa.array(range(first, first + len(stays)), pa.int64())
    return Selection(places, pa.array(stays, pa.bool_()))


def test_a_tally_counts_also_what_nobody_asked_for() -> None:
    tally = Tally([some(True, False), some(False, first=2), some(True, first=3)])
    next(iter(tally))
    assert (tally.kept, tally.left_out) == (1, 1)
    tally.finish()
    assert (tally.kept, tally.left_out) == (2, 2)


def test_from_shortly_before_the_first_that_goes() -> None:
    parts = [some(True, first=place) for place in range(3)]
    parts += [some(False, first=3), some(True, first=4)]
    found = from_first_gone(parts)
    assert found is not None
    assert list(found) == parts[2:]
    assert from_first_gone(parts[:3]) is None


def test_stretches_are_as_long_as_they_can_be() -> None:
    found = stretches(selections([0, 10, 20, 30, 40, 50, 60], {20, 30, 40, 50}))
    assert list(found) == [
        Stretch(0, 10, 2, stays=True),
        Stretch(20, 50, 4, stays=False),
        Stretch(60, 60, 1, stays=True),
    ]


def test_a_record_with_an_original_is_alone() -> None:
    original = Original("a.warc", 0)

    def originals(place: int) -> Original | None:
        return original if place == 30 else None

    found = stretches(selections([0, 10, 20, 30, 40], {10, 20, 30, 40}), originals)
    assert list(found) == [
        Stretch(0, 0, 1, stays=True),
        Stretch(10, 20, 2, stays=False),
        Stretch(30, 30, 1, stays=False, alone=True, original=original),
        Stretch(40, 40, 1, stays=False),
    ]


def rows(gone: set[int], count: int, step: int) -> Iterator[range]:
    return gone_rows(selections(list(range(count)), gone, step))


def test_rows_that_go_are_ranges_whatever_the_steps() -> None:
    for step in (1, 2, 3, 9):
        assert list(rows({1, 2, 3, 5, 8}, 9, step)) == [range(1, 4), range(5, 6), range(8, 9)]
        assert list(rows(set(), 9, step)) == []
        assert list(rows(set(range(9)), 9, step)) == [range(9)]
