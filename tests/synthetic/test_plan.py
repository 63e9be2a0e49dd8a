"""The plan of a made-up web adds up: families by a power law, hosts with mirrors and aliases."""

import math
from collections import Counter, defaultdict

import pytest

from webecho.errors import SettingsError
from webecho.synthetic.hosts import alias_name, host_name
from webecho.synthetic.plan import MIRRORED_PAGES, Planned, plan, planned, power_law
from webecho.synthetic.web import KINDS, Web


def rows(web: Web) -> list[Planned]:
    return list(planned(plan(web), 0))


@pytest.mark.parametrize("duplicates", [0, 0.1, 0.3, 0.7])
def test_as_many_copies_as_asked_for(duplicates: float) -> None:
    found = rows(Web(pages=3000, duplicates=duplicates))
    assert [row.page for row in found] == list(range(3000))
    assert sum(row.member > 0 for row in found) == round(3000 * duplicates)
    for row in found:
        first = found[row.original]
        assert (first.member, first.kind) == (0, 0)
        assert (row.home, row.home_place) == (first.host, first.place)
        assert (row.kind == 0) == (row.member == 0) == (row.page == row.original)


@pytest.mark.parametrize("power", [2.1, 2.5, 3.5])
def test_sizes_follow_the_power_law(power: float) -> None:
    # Of hosts with mirrors all pages have families of one size: those would be counted often.
    found = rows(Web(pages=60_000, power=power))
    sizes = Counter(row.original for row in found if row.kind < KINDS.index("mirror"))
    families = [size for size in sizes.values() if size > 1]
    assert len(families) > 1000
    assert fitted_power(families) == pytest.approx(power, abs=0.12)


def fitted_power(sizes: list[int]) -> float:
    """The exponent under which these sizes from 2 on are most likely (Clauset 2009, section 3)."""
    logs = sum(map(math.log, sizes))
    most = 100_000

    def likelihood(power: float) -> float:
        norm = sum(size**-power for size in range(2, 200))
        # The rest of the sum as an integral.
        norm += (199.5 ** (1 - power) - most ** (1 - power)) / (power - 1)
        return -power * logs - len(sizes) * math.log(norm)

    return max((step / 100 for step in range(150, 500)), key=likelihood)


def test_sizes_of_the_power_law_by_hand() -> None:
    # Up to size 4: weights 1/4, 1/9, 1/16 of a sum of 61/144.
    size = power_law(2, 3)
    shares = {2: 36 / 61, 3: 52 / 61}
    assert [size(shares[2] - 0.001), size(shares[2] + 0.001)] == [2, 3]
    assert [size(shares[3] - 0.001), size(shares[3] + 0.001), size(0.999)] == [3, 4, 4]


def test_mirrors_have_all_pages_of_their_host_under_the_same_paths() -> None:
    found = rows(Web(pages=5000))
    places = defaultdict(set)
    for row in found:
        places[row.host].add(row.place)
    mirrors = {(row.host, row.home) for row in found if KINDS[row.kind] in ("mirror", "alias")}
    assert len(mirrors) >= 10
    for mirror, home in mirrors:
        assert places[mirror] == places[home]
        assert len(places[home]) >= MIRRORED_PAGES


def test_no_two_pages_have_one_address() -> None:
    found = [row for row in rows(Web(pages=5000)) if KINDS[row.kind] != "session id"]
    assert len({(row.host, row.place) for row in found}) == len(found)
    hosts = {row.host for row in found}
    names = {host_name(0, host) for host in hosts}
    aliases = {alias_name(0, host, number) for host in hosts for number in (1, 2, 3)}
    assert (len(names), len(aliases)) == (len(hosts), 3 * len(hosts))
    assert not names & aliases


def test_copies_are_far_apart_in_the_crawl() -> None:
    found = rows(Web(pages=5000))
    gaps = [abs(row.page - row.original) for row in found if row.member]
    # Two places by chance are a third of the whole apart.
    assert sum(gaps) / len(gaps) == pytest.approx(5000 / 3, rel=0.1)


def test_too_few_originals_for_small_families() -> None:
    with pytest.raises(SettingsError, match="lower power"):
        plan(Web(pages=2000, duplicates=0.7, power=6))
