"""Pairs of hosts are those that looking at every two of them finds."""

from collections import Counter, defaultdict
from itertools import combinations
from random import Random

import pyarrow as pa
import pytest

from webecho.api.runs import as_run
from webecho.study.host_pairs import NotLookedAt, find_pairs

Keys = list[tuple[int, int, int]]


def found(
    keys: Keys, least: int, most_hosts: int = 1000
) -> tuple[list[tuple[int, ...]], NotLookedAt]:
    columns = [
        pa.array(each, pa.int64()) for each in (zip(*keys, strict=True) if keys else [[]] * 3)
    ]
    with as_run().database() as database:
        database.add("keys", pa.table(columns, ["key", "host", "weight"]))
        missed = find_pairs(database, "keys", "found", least, most_hosts)
        rows = database.table("SELECT * FROM found").to_pylist()
    return sorted(tuple(row.values()) for row in rows), missed


def slowly(keys: Keys, least: int) -> list[tuple[int, ...]]:
    hosts: dict[int, dict[int, int]] = defaultdict(dict)
    for key, host, weight in keys:
        hosts[host][key] = weight
    pairs = []
    for left, right in combinations(sorted(hosts), 2):
        both = [(hosts[left][key], hosts[right][key]) for key in hosts[left].keys() & hosts[right]]
        own, theirs = sum(one for one, _ in both), sum(other for _, other in both)
        if own >= least and theirs >= least:
            pairs.append(
                (left, right, len(both), own, theirs, sum(map(max, both)), sum(map(min, both)))
            )
    return pairs


@pytest.mark.parametrize("seed", range(12))
def test_as_if_every_two_were_looked_at(seed: int) -> None:
    chance = Random(seed)
    # Few keys are on many hosts and many on few, as clusters are.
    keys = [
        (key, host, chance.choice([1, 1, 1, 2, 3, 12]))
        for key in range(60)
        for host in chance.sample(range(1, 31), chance.choice([1, 2, 2, 3, 5, 25]))
    ]
    least = chance.choice([1, 3, 5, 10])
    expected = slowly(keys, least)
    assert expected
    assert found(keys, least) == (expected, NotLookedAt())


def test_a_page_that_very_many_hosts_have_is_not_searched() -> None:
    """Two hosts of 20,000 share ten pages; the others have nine of the same one."""
    keys = [(0, host, 9) for host in range(1, 20_001)]
    keys += [(1, host, 1) for host in (7, 11)]
    # With a limit of two hosts nothing else could be looked at.
    pairs, missed = found(keys, 10, most_hosts=2)
    assert pairs == [(7, 11, 2, 10, 10, 10, 10)]
    assert missed == NotLookedAt()


def test_what_is_beyond_the_limit_is_counted() -> None:
    """Five hosts with the same ten pages are ten pairs; with a limit of four each is paired with
    the first."""
    keys = [(0, host, 10) for host in range(1, 6)]
    pairs, missed = found(keys, 10, most_hosts=4)
    assert [pair[:2] for pair in pairs] == [(1, 2), (1, 3), (1, 4), (1, 5)]
    assert missed == NotLookedAt(1, 6)
    assert len(found(keys, 10, most_hosts=5)[0]) == 10


def test_hosts_go_until_none_can() -> None:
    """4 and 5 have enough only together with 6, which has too little."""
    keys = [(0, 4, 5), (0, 5, 5), (1, 4, 5), (1, 6, 5), (2, 5, 5), (2, 6, 4)]
    assert found(keys, 10) == ([], NotLookedAt())
    assert Counter(key for key, _, _ in keys) == {0: 2, 1: 2, 2: 2}


def test_nothing_of_nothing() -> None:
    assert found([], 1) == ([], NotLookedAt())


def test_what_was_not_looked_at_adds_up() -> None:
    assert NotLookedAt(1, 6) + NotLookedAt(2, 3) == NotLookedAt(3, 9)
