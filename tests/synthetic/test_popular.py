"""Manuals on many servers, some of which have two names, some one machine for two."""

from collections import defaultdict

from tests.synthetic.conftest import PLANTED_WEB, Planted


def test_every_server_has_every_document(planted: Planted) -> None:
    hosts: dict[int, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    servers: dict[int, set[str]] = defaultdict(set)
    for row in planted.table("popular"):
        hosts[row["manual"]][row["document"]].add(row["host"])
        servers[row["manual"]].add(row["server"])
    assert len(hosts) == PLANTED_WEB.popular
    for manual, documents in hosts.items():
        assert 10 <= len(documents) <= 20
        assert 4 <= len(servers[manual]) <= 10
        # Every other manual has a server with two names.
        [names] = {frozenset(each) for each in documents.values()}
        assert len(names) == len(servers[manual]) + (manual % 2 == 0)


def test_a_document_is_the_same_everywhere_and_front_pages_are_not(planted: Planted) -> None:
    identity = planted.truth["identity"].to_pylist()
    documents = defaultdict(set)
    for row in planted.table("popular"):
        documents[row["manual"], row["document"]].add(identity[row["page"]])
    assert all(len(each) == 1 for each in documents.values())
    servers = {row["host"]: row["server"] for row in planted.table("popular")}
    rows = planted.truth.to_pylist()
    fronts = {
        servers[row["host"]]: row["identity"]
        for row in rows
        if row["kind"] == "popular" and row["url"].endswith("/")
    }
    assert len(set(fronts.values())) == len(fronts) == len(set(servers.values()))


def test_every_third_manual_has_two_servers_on_one_machine(planted: Planted) -> None:
    machines = defaultdict(set)
    for row in planted.table("popular"):
        machines[row["manual"], row["ip"]].add(row["server"])
    shared = {manual for (manual, _), servers in machines.items() if len(servers) > 1}
    assert shared == {0, 3}
