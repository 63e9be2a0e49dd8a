"""Names of one server and addresses of one page, and what only looks like them."""

from collections import defaultdict
from typing import Any

import pytest

from tests.synthetic.conftest import Planted

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def groups(planted: Planted) -> dict[str, Rows]:
    found = defaultdict(list)
    for row in planted.table("aliases"):
        found[row["how"]].append(row)
    return found


def test_each_way_has_pages_and_their_aliases(groups: dict[str, Rows]) -> None:
    assert {how: len(rows) for how, rows in groups.items()} == dict.fromkeys(
        ("machine", "www", "path", "other www", "other machine"), 24
    )
    aliases = {how: sum(row["alias_of"] is not None for row in groups[how]) for how in groups}
    assert aliases == {"machine": 12, "www": 12, "path": 12, "other www": 1, "other machine": 1}


def test_hosts_and_machines_are_as_they_are_called(groups: dict[str, Rows]) -> None:
    hosts = {how: {row["host"] for row in rows} for how, rows in groups.items()}
    machines = {how: len({row["ip"] for row in rows}) for how, rows in groups.items()}
    assert machines == {"machine": 1, "www": 2, "path": 1, "other www": 2, "other machine": 1}
    assert {how: len(each) for how, each in hosts.items()} == {**dict.fromkeys(hosts, 2), "path": 1}
    for how in ("www", "other www"):
        assert len({host.removeprefix("www.") for host in hosts[how]}) == 1
    for how in ("machine", "other machine"):
        assert len({host.removeprefix("www.") for host in hosts[how]}) == 2


def test_aliases_say_the_same_and_others_do_not(planted: Planted, groups: dict[str, Rows]) -> None:
    identity = planted.truth["identity"].to_pylist()
    for rows in groups.values():
        paths = defaultdict(set)
        for row in rows:
            if row["alias_of"] is not None:
                assert identity[row["page"]] == identity[row["alias_of"]]
            paths[row["url"].split("/", 3)[3]].add(identity[row["page"]])
        strange = sum(len(texts) > 1 for texts in paths.values())
        assert strange == (11 if rows[0]["reason"] == "popular" else 0)
