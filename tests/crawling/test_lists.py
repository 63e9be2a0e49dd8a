"""Lists as crawlers take them."""

import re
from xml.etree import ElementTree

import pyarrow as pa

from tests.crawling.conftest import Crawled, patterns
from webecho.crawling.lists import USUAL, beans, lists, said
from webecho.crawling.safety import Safe
from webecho.crawling.url_rules import UrlRule

RULE = UrlRule("h.a", "prefix", "/a&b--c/", "/<d>/", 20, 0, 20, 0, 1.0, 0.8389, 1.0, "holds")
SPRING = "{http://www.springframework.org/schema/beans}"


def one() -> Safe:
    return Safe([RULE], [RULE], pa.table({"url": ["http://h.a/a&b--c/"]}))


def test_each_rule_says_what_it_is() -> None:
    assert said(RULE) == ("h.a: /a&b--c/ doubles /<d>/ (20 pairs, 95 % interval 0.839 to 1.000)")
    found = lists(one())
    assert found["scrapy-deny.txt"] == f"# {said(RULE)}\n^https?://h\\.a/a\\&b\\-\\-c/.*$\n"
    assert found["scrapy-canonical.txt"] == (
        f"# {said(RULE)}\n^(https?://h\\.a)/a\\&b\\-\\-c/(.*)$\t\\g<1>/<d>/\\g<2>\n"
    )
    assert found["heritrix-reject.txt"] == (
        f"# {said(RULE)}; SURT prefix http://(a,h,)/a&b--c/\nhttps?://h\\.a/a\\&b\\-\\-c/.*\n"
    )


def test_beans_are_xml_with_the_same_patterns() -> None:
    root = ElementTree.fromstring(beans(one()))
    reject, policy = root.findall(f"{SPRING}bean")
    assert reject.get("class") == "org.archive.modules.deciderules.MatchesListRegexDecideRule"
    assert [each.text for each in reject.iter(f"{SPRING}value")] == [r"https?://h\.a/a\&b\-\-c/.*"]
    ours, *usual = [*policy.iter(f"{SPRING}bean")][1:]
    assert [each.get("class", "").rpartition(".")[2] for each in usual] == [*USUAL]
    assert {each.get("name"): each.get("value") for each in ours} == {
        "regex": r"(https?://h\.a)/a\&b\-\-c/(.*)",
        "format": "$1/<d>/$2",
    }


def test_all_patterns_of_a_web_are_patterns(crawled: Crawled) -> None:
    found = crawled.savings.lists
    assert len(patterns(found["scrapy-deny.txt"])) == crawled.savings.facts["URL rules that deny"]
    for line in patterns(found["scrapy-canonical.txt"]):
        pattern, replacement = line.split("\t")
        assert re.compile(pattern).groups == replacement.count(r"\g<")
    root = ElementTree.fromstring(found["heritrix-beans.cxml"])
    rejected = [each.text for each in root.iter(f"{SPRING}value")]
    assert rejected == patterns(found["heritrix-reject.txt"])


def test_without_rules_there_are_empty_lists() -> None:
    found = lists(Safe([], [], pa.table({"url": pa.array([], pa.string())})))
    assert found["scrapy-deny.txt"] == found["scrapy-canonical.txt"] == ""
    assert len(ElementTree.fromstring(found["heritrix-beans.cxml"])) == 2
