"""The URLs of a web over time: the families of one crawl, and what becomes of them."""

from collections import Counter, defaultdict
from itertools import combinations

import pytest

from webecho.synthetic.evolving.addresses import addresses, life, plan_addresses
from webecho.synthetic.evolving.lives import Address
from webecho.synthetic.evolving.versions import url_of
from webecho.synthetic.plan import KIND, plan, planned
from webecho.synthetic.web import Web

WEB = Web(pages=6000, seed=4, snapshots=5, mirrors=17, followers=400)
TABLE, RELATIONS = plan_addresses(WEB)
ALL = list(addresses(TABLE))
PLANNED = ALL[: WEB.pages]


def test_numbers_are_places_and_urls_differ() -> None:
    assert [each.number for each in ALL] == list(range(len(ALL)))
    assert len({url_of(WEB, each) for each in ALL}) == len(ALL)
    hosts = {each.host for each in PLANNED}
    # What is planted beside has hosts and machines of its own.
    assert not hosts & {each.host for each in ALL[WEB.pages :]}
    assert not hosts & {each.machine for each in ALL[WEB.pages :]}


def test_families_are_those_of_one_crawl() -> None:
    rows = list(planned(plan(WEB), 0))
    for row, each in zip(rows, PLANNED, strict=True):
        assert (row.page, row.original, row.kind, row.member) == (
            *(each.number, each.family, each.kind, each.member),
        )


def test_births_and_deaths() -> None:
    lives = [life(WEB, number) for number in range(20_000)]
    born = Counter(first for first, _ in lives)
    assert born[1] / 20_000 == pytest.approx(0.92, abs=0.01)
    for snapshot in range(2, 6):
        assert born[snapshot] / 20_000 == pytest.approx(0.02, abs=0.005)
    died = sum(last <= 5 for first, last in lives if first == 1) / born[1]
    assert died == pytest.approx(1 - 0.98**4, abs=0.01)
    assert all(first < last for first, last in lives)


def test_whole_hosts_come_and_go_with_what_they_repeat() -> None:
    whole = (KIND["mirror"], KIND["alias"])
    copies = [each for each in PLANNED if each.kind in whole]
    assert len(copies) > 50
    for each in copies:
        original = ALL[each.family]
        assert (each.born, each.dies, each.own) == (original.born, original.dies, 0)
    planted = {(each.host, each.name) for each in RELATIONS if each.way.startswith("planned")}
    assert planted == {(each.host, each.name) for each in copies}


def test_chance_makes_no_mirrors() -> None:
    """Families apart that are of one host or of whole hosts, no two hosts have ten in common."""
    families = defaultdict(set)
    for each in PLANNED:
        if each.kind not in (KIND["mirror"], KIND["alias"]):
            families[each.family].add(each.host)
    common = Counter(pair for hosts in families.values() for pair in combinations(sorted(hosts), 2))
    assert max(common.values()) < 10


def joined(each: Address) -> bool:
    return each.joins > 0


def test_pages_that_stood_alone_join_families() -> None:
    sizes = Counter(each.family for each in PLANNED)
    alone = [each for each in PLANNED if sizes[each.family] == 1]
    joining = [each for each in alone if joined(each)]
    assert len(joining) / len(alone) == pytest.approx(0.03, abs=0.01)
    for each in joining:
        target = ALL[each.joined]
        assert 2 <= each.joins <= 5
        assert target.member == 0
        assert sizes[target.number] > 1
        assert each.joined_home == target.home
        # What is joined stays what it is.
        assert not joined(target)
    assert {each.joins for each in joining} == {2, 3, 4, 5}


def test_families_are_merged_and_split() -> None:
    sizes = Counter(each.family for each in PLANNED)
    going = defaultdict(list)
    for each in PLANNED:
        if joined(each) and sizes[each.family] > 1:
            going[each.family].append(each)
    merged = {family for family, members in going.items() if len(members) == sizes[family]}
    split = set(going) - merged
    assert len(merged) > 5
    assert len(split) > 1
    for family in merged:
        [(since, into)] = {(each.joins, each.joined) for each in going[family]}
        assert 2 <= since <= 5
        assert into not in going
        assert sizes[into] > 1
    for family in split:
        assert sizes[family] >= 4
        assert len(going[family]) == sizes[family] // 2
        [text] = {each.joined for each in going[family]}
        assert text == (going[family][0].joins << 32) + family
