"""Followers: enough of each rate that a probability learned from snapshots can be checked."""

from collections import Counter, defaultdict
from itertools import combinations
from math import sqrt

import pytest

from webecho.synthetic.evolving.followers import RATES, hosts_a_rate, plant_followers
from webecho.synthetic.evolving.lives import follows
from webecho.synthetic.web import Web


@pytest.mark.parametrize("followers", [0, 1, 10, 11, 12, 700])
def test_so_many_urls_are_planted(followers: int) -> None:
    found = list(plant_followers(Web(snapshots=2, followers=followers), 1000, 50))
    assert [each.number for each in found] == list(range(1000, 1000 + followers))
    assert all(each.host >= 50 for each in found)
    places = Counter((each.host, each.place) for each in found)
    assert set(places.values()) <= {1}


def test_a_family_has_an_anchor_and_a_follower_of_each_rate() -> None:
    families = defaultdict(list)
    hosts = {}
    for each in plant_followers(Web(snapshots=2, followers=1100), 0, 0):
        families[each.family].append(each.rate)
        # A host has one rate.
        assert hosts.setdefault(each.host, each.rate) == each.rate
    assert len(families) == 100
    assert all(rates == [-1, *RATES] for rates in families.values())


@pytest.mark.parametrize("followers", [330, 6666, 20_000])
def test_no_two_hosts_look_like_mirrors(followers: int) -> None:
    families = defaultdict(set)
    for each in plant_followers(Web(snapshots=2, followers=followers), 0, 0):
        families[each.family].add(each.host)
    common = Counter(pair for hosts in families.values() for pair in combinations(sorted(hosts), 2))
    assert max(common.values()) < 10


def test_hosts_of_a_rate_are_a_prime() -> None:
    assert [hosts_a_rate(families) for families in (1, 600, 900, 3600)] == [13, 13, 17, 31]


@pytest.mark.parametrize("snapshots", [4, 6])
def test_ten_bins_of_200_urls_stay_as_often_as_was_planted(snapshots: int) -> None:
    """In a web of 20,000 pages, and the followers that it has unless it is asked for others."""
    web = Web(pages=20_000, snapshots=snapshots, followers=6666)
    bins: dict[int, list[bool]] = {rate: [] for rate in RATES}
    for each in plant_followers(web, web.pages, 1000):
        if each.rate >= 0 and not follows(web, each, snapshots - 1):
            bins[each.rate].append(not follows(web, each, snapshots))
    for rate, stayed in bins.items():
        expected = 1 - rate / 1000
        assert len(stayed) >= 200
        error = sqrt(expected * (1 - expected) / len(stayed))
        assert abs(sum(stayed) / len(stayed) - expected) < 3 * error
