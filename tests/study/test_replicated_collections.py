"""The most replicated collections of pages, worked out by hand and by comparing each with each."""

import random
from itertools import combinations

import pyarrow as pa
import pytest

from webecho.api.runs import as_run
from webecho.engine.protocol import Database
from webecho.study.replicated_collections import (
    Replicated,
    Servers,
    collection_rows,
    common_folder,
    joined,
    of_first_server,
    replicated_collections,
)


def located(database: Database, documents: list[list[str]], aliases: dict[str, str]) -> None:
    """A cluster for each document, with a page on each of these hosts."""
    rows = []
    for cluster, hosts in enumerate(documents):
        first = len(rows)
        for host in hosts:
            url = f"http://{host}/manual/{cluster}.html"
            rows.append({"page": len(rows), "cluster": first, "url": url, "host": host})
            rows[-1] |= {"size": len(hosts), "title": f"Chapter {cluster}"}
    names = sorted({row["host"] for row in rows})
    database.add("located", pa.Table.from_pylist(rows))
    database.add("sketches", pa.Table.from_pylist(rows).select(["page", "title"]))
    servers = {"host": names, "server": [aliases.get(name, name) for name in names]}
    database.add("servers", pa.table(servers))


def found(
    documents: list[list[str]],
    agree: float = 0.8,
    pages: int = 1,
    aliases: dict[str, str] | None = None,
) -> list[tuple[int, int]]:
    """How many servers and documents each collection has."""
    with as_run().database() as database:
        located(database, documents, aliases or {})
        return [
            (len(each.servers), len(each.documents))
            for each in replicated_collections(database, agree, pages)
        ]


def test_documents_on_the_same_servers_are_one_collection() -> None:
    manual, faq = [["a", "b", "c"]] * 3, [["a", "d"]] * 2
    # What one server alone has is no collection.
    assert found([*faq, ["a", "a"], *manual, ["e"]]) == [(3, 3), (2, 2)]
    assert found([*faq, *manual], pages=3) == [(3, 3)]
    assert found([*faq, *manual], pages=4) == []


def test_servers_agree_by_so_much_at_the_least() -> None:
    # Four of five servers: 0.8 exactly.
    documents = [["a", "b", "c", "d", "e"], ["a", "b", "c", "d"]]
    assert found(documents) == [(5, 2)]
    assert found(documents, agree=0.81) == [(5, 1), (4, 1)]
    # Three of five are joined with the five by way of the four.
    chain = [*documents, ["a", "b", "c"]]
    assert found(chain, agree=0.75) == [(5, 3)]
    assert found(chain, agree=0.8) == [(5, 2), (3, 1)]
    assert found([["a", "b"], ["c", "d"]], agree=0.01) == [(2, 1), (2, 1)]


def test_an_alias_counts_once() -> None:
    documents = [["a", "www.a", "b"]] * 2 + [["c", "www.c"]]
    assert found(documents) == [(3, 2), (2, 1)]
    # Two names of one server are one server, and what it alone has is no collection.
    assert found(documents, aliases={"www.a": "a", "www.c": "c"}) == [(2, 2)]


@pytest.mark.parametrize("agree", [0.01, 0.3, 0.5, 2 / 3, 0.8, 0.9, 1.0])
def test_sets_are_joined_as_by_comparing_each_with_each(agree: float) -> None:
    for seed in range(20):
        chance = random.Random(seed)
        many = chance.randrange(3, 14)
        sets = {
            frozenset(chance.sample("abcdefghijklmn"[:many], chance.randrange(2, many)))
            for _ in range(60)
        }
        group = {each: {each} for each in sets}
        for one, other in combinations(sets, 2):
            if len(one & other) / len(one | other) >= agree:
                both = group[one] | group[other]
                group |= dict.fromkeys(both, both)
        expected = {frozenset(each) for each in group.values()}
        assert {frozenset(each) for each in joined(sets, agree)} == expected


def test_rows_by_the_server_of_the_first_page() -> None:
    with as_run().database() as database:
        located(database, [["a", "b"], ["b", "a", "c"], ["d", "e"]], {})
        every = replicated_collections(database, 0.5, 1)
        rows = collection_rows(database, every, 5).to_pylist()
        [first] = collection_rows(database, every, 1).to_pylist()
    assert (
        first
        == rows[0]
        == {
            "rank": 1,
            "servers": 3,
            "pages": 2,
            "copies": 5,
            "representative": "http://a/manual/",
            "title": "Chapter 0",
        }
    )
    assert rows[1]["representative"] == "http://d/manual/2.html"


def test_the_server_that_has_the_first_page() -> None:
    servers: Servers = frozenset("ab")
    assert of_first_server(Replicated(servers, ({"a": 7, "b": 3}, {"a": 4}, {"b": 5}))) == [3, 5]


@pytest.mark.parametrize(
    ("urls", "folder"),
    [
        (["http://a/x/1.html"], "http://a/x/1.html"),
        (["http://a/x/1.html", "http://a/x/2.html"], "http://a/x/"),
        (["http://a/x/y/1.html", "http://a/x/2.html"], "http://a/x/"),
        (["http://a/x/1.html", "http://a/y/1.html"], "http://a/"),
        # Two names of one server have no folder in common.
        (["http://a/x/1.html", "http://www.a/x/2.html"], "http://a/x/1.html"),
        (["http://a/x/1.html", "https://a/x/2.html"], "http://a/x/1.html"),
    ],
)
def test_the_folder_in_which_all_addresses_lie(urls: list[str], folder: str) -> None:
    assert common_folder(urls) == folder
