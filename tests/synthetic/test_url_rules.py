"""Hosts on which addresses that differ in one way have the same content, or not."""

from collections import Counter, defaultdict
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.synthetic.conftest import Planted
from webecho.synthetic.url_rules import with_value


def reduced(url: str, rule: dict[str, Any]) -> str:
    """An address without that in which others may differ from it, worked out another way."""
    parts = urlsplit(url)
    host, path, scheme = parts.netloc, parts.path, parts.scheme
    query = parse_qsl(parts.query)
    if rule["kind"] == "parameter":
        query = [(name, value) for name, value in query if name != rule["rule"]]
    elif rule["kind"] == "prefix" and path.startswith(rule["rule"]):
        path = rule["into"] + path.removeprefix(rule["rule"])
    elif rule["kind"] == "www":
        host = host.removeprefix("www.")
    elif rule["kind"] == "scheme":
        scheme = "http"
    return str((scheme, host, path, query))


def test_rules_are_planted_in_turn(planted: Planted) -> None:
    rules = planted.table("url_rules")
    assert Counter((row["kind"], row["nature"]) for row in rules) == {
        (kind, nature): 1
        for kind in ("parameter", "prefix", "www", "scheme")
        for nature in ("holds", "contradicted", "mixed")
    }
    for row in rules:
        assert (row["pairs"] == 0) == (row["nature"] == "contradicted")
        assert (row["contradictions"] == 0) == (row["nature"] == "holds")
        assert row["pairs"] + row["contradictions"] >= 39


def test_pairs_are_as_counted(planted: Planted) -> None:
    pages = planted.truth.to_pylist()
    for rule in planted.table("url_rules"):
        bare = rule["host"].removeprefix("www.")
        groups = defaultdict(list)
        for page in pages:
            if page["host"].removeprefix("www.") == bare:
                groups[reduced(page["url"], rule)].append(page["identity"])
        pairs = sum(each == group[0] for group in groups.values() for each in group[1:])
        others = sum(each != group[0] for group in groups.values() for each in group[1:])
        assert (pairs, others) == (rule["pairs"], rule["contradictions"])


def test_a_parameter_stands_before_others_or_after() -> None:
    assert with_value("", "sid", 2) == "sid=0002"
    assert with_value("item=1", "sid", 2) == "sid=0002&item=1"
    assert with_value("item=1", "sid", 3) == "item=1&sid=0003"
