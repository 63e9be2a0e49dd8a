"""Server aliases, URL aliases and popular documents are told apart."""

from collections import defaultdict

import pyarrow as pa
import pytest

from tests.crawling.conftest import Crawled, crawled
from webecho.api.runs import as_run
from webecho.study.replication_reasons import (
    add_servers,
    cluster_reasons,
    pair_reasons,
    servers,
)

__all__ = ["crawled"]


@pytest.fixture(scope="module")
def told(crawled: Crawled) -> dict[str, pa.Table]:
    """What is told of the made-up web, whose identity sets are taken for clusters."""
    identity = crawled.truth.select(["page", "identity"]).rename_columns(["page", "cluster"])
    with as_run().database() as database:
        database.add("identity", identity)
        database.keep(
            "clusters",
            "SELECT page, cluster, count(*) OVER (PARTITION BY cluster) AS size FROM identity",
        )
        aliases = add_servers(database, crawled.workspace)
        kept = identity.rename_columns(["page", "kept_page"])
        return {
            "aliases": aliases,
            "clusters": cluster_reasons(database),
            "pairs": pair_reasons(database, kept),
            "servers": database.table("SELECT * FROM servers"),
        }


def test_planted_aliases_are_told_apart(crawled: Crawled, told: dict[str, pa.Table]) -> None:
    reasons = {row["page"]: row["reason"] for row in told["pairs"].to_pylist()}
    of_clusters = {row["cluster"]: row["reason"] for row in told["clusters"].to_pylist()}
    identity = crawled.truth["identity"].to_pylist()
    aliases = [row for row in crawled.table("aliases") if row["alias_of"] is not None]
    assert {row["how"] for row in aliases} == {
        *("machine", "www", "path", "other www", "other machine")
    }
    for row in aliases:
        assert reasons[row["page"]] == row["reason"], row
        assert of_clusters[identity[row["page"]]] == row["reason"]


def test_popular_documents_count_each_server_once(
    crawled: Crawled, told: dict[str, pa.Table]
) -> None:
    rows = {row["cluster"]: row for row in told["clusters"].to_pylist()}
    identity = crawled.truth["identity"].to_pylist()
    documents = defaultdict(list)
    for row in crawled.table("popular"):
        documents[identity[row["page"]]].append(row)
    assert documents
    for cluster, pages in documents.items():
        found = rows[cluster]
        assert found["reason"] == "popular"
        assert found["servers"] == len({row["server"] for row in pages})
        assert found["hosts"] == len({row["host"] for row in pages})
        assert found["machines"] == len({row["ip"] for row in pages})
        assert found["urls"] == found["pages"] == len(pages)


def test_servers_are_those_that_were_planted(crawled: Crawled, told: dict[str, pa.Table]) -> None:
    planted = {row["host"]: row["server"] for row in crawled.table("popular")}
    found = {row["host"]: row["server"] for row in told["servers"].to_pylist()}
    assert {host: found[host] for host in planted} == planted
    # Hosts of the plan that are aliases of others: named by `alias_of`.
    for row in crawled.truth.to_pylist():
        if row["alias_of"] is not None:
            assert found[row["host"]] == found[row["alias_of"]]
        if row["mirror_of"] is not None:
            assert found[row["host"]] != found[row["mirror_of"]]


def test_servers_by_a_chain_of_aliases() -> None:
    aliases = pa.table({"left_host": ["b", "c"], "right_host": ["c", "d"]})
    found = servers(["a", "d", "b", "c"], aliases)
    assert found.to_pylist() == [
        {"host": "a", "server": "a"},
        {"host": "d", "server": "d"},
        {"host": "b", "server": "d"},
        {"host": "c", "server": "d"},
    ]


def test_how_aliases_are_known(told: dict[str, pa.Table]) -> None:
    for row in told["aliases"].to_pylist():
        assert row["paths"] == row["same"]
        bare = {row["left_host"].removeprefix("www."), row["right_host"].removeprefix("www.")}
        assert row["shared_ip"] or (len(bare) == 1 and row["paths"] > 0)
