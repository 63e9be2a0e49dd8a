"""Names, machines and templates of hosts."""

import re

from webecho.synthetic.hosts import (
    alias_name,
    domain,
    host_name,
    ip,
    ordinary_hosts,
    path,
    template,
    template_of,
)
from webecho.synthetic.web import Web


def test_no_two_hosts_have_one_name_and_none_can_belong_to_anyone() -> None:
    names = [domain(3, host) for host in range(5000)]
    assert len({*names}) == 5000
    assert all(
        re.fullmatch(r"([bdfghklmnprstvwxyzcj][aeiou]){4}\.(example|test)", n) for n in names
    )
    assert domain(4, 0) != names[0]


def test_other_names_of_a_host() -> None:
    name = domain(3, 7)
    assert host_name(3, 7) == f"www.{name}"
    assert [alias_name(3, 7, alias) for alias in (1, 2)] == [name, f"www2.{name}"]


def test_some_ordinary_hosts_share_machines_and_no_others_do() -> None:
    web = Web(pages=40_000)
    hosts = ordinary_hosts(web)
    assert hosts == 1000
    own = [f"10.0.{host >> 8}.{host & 255}" for host in range(hosts)]
    elsewhere = [host for host in range(hosts) if ip(web, host) != own[host]]
    assert 150 < len(elsewhere) < 250
    assert ip(web, 1 << 16 | 5) == "10.1.0.5"


def test_three_hosts_of_five_have_templates_of_their_own() -> None:
    web = Web(pages=4000)
    assert ordinary_hosts(web) == 100
    assert [template_of(web, host).number for host in (0, 59, 60, 61)] == [0, 59, 0, 1]
    found = template(web.seed, 5)
    assert found is template_of(web, 65)
    assert 4 <= len(found.navigation) <= 9


def test_paths_of_places() -> None:
    assert [path(place) for place in (0, 1, 7, 8)] == [
        "/",
        "/articles/1.html",
        "/news/7.html",
        "/articles/8.html",
    ]
