"""The lists in Scrapy itself, used as the documentation says."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.crawling.conftest import Crawled, canonical, patterns

scrapy = pytest.importorskip(
    "scrapy", reason="NOT SHOWN that Scrapy takes the lists: pip install scrapy"
)
DOCS = Path(__file__).parents[2] / "docs" / "savings.md"


@pytest.fixture(scope="module")
def example(crawled: Crawled, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the example of the documentation defines, with the lists of a made-up web."""
    folder = tmp_path_factory.mktemp("lists")
    for name, text in crawled.savings.lists.items():
        (folder / name).write_text(text, encoding="utf-8")
    [code] = (
        each
        for each in re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.S)
        if "LinkExtractor" in each
    )
    assert code.count("crawl.echo/savings/text") == 1
    defined: dict[str, Any] = {}
    exec(code.replace("crawl.echo/savings/text", str(folder)), defined)
    return defined


def page_with(urls: list[str]) -> Any:
    links = "".join(f'<a href="{url.replace("&", "&amp;")}">link</a>' for url in urls)
    return scrapy.http.HtmlResponse(
        "http://elsewhere.example/", body=f"<html><body>{links}</body></html>".encode()
    )


def test_links_that_a_pattern_denies_are_not_followed(
    crawled: Crawled, example: dict[str, Any]
) -> None:
    urls = crawled.truth["url"].to_pylist()
    denied = patterns(crawled.savings.lists["scrapy-deny.txt"])
    left = [url for url in dict.fromkeys(urls) if not any(re.search(each, url) for each in denied)]
    found = [link.url for link in example["links"].extract_links(page_with(urls))]
    assert found == left and len(left) < len({*urls})
    # Of every content an address is left.
    assert {crawled.identity[url] for url in left} == {*crawled.identity.values()}


def test_what_is_the_same_but_for_a_rule_is_fetched_once(
    crawled: Crawled, example: dict[str, Any]
) -> None:
    from scrapy.dupefilters import RFPDupeFilter

    seen = RFPDupeFilter(fingerprinter=example["Canonical"]())
    urls = [*dict.fromkeys(crawled.truth["url"].to_pylist())]
    fetched = [url for url in urls if not seen.request_seen(scrapy.Request(url))]
    rules = crawled.savings.lists["scrapy-canonical.txt"]
    first: dict[str, str] = {}
    for url in urls:
        first.setdefault(canonical(rules, url), url)
    assert fetched == [*first.values()] and len(fetched) < len(urls)
    assert {crawled.identity[url] for url in fetched} == {*crawled.identity.values()}
