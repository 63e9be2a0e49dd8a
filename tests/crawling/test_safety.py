"""Which rules go into which list: nothing is lost."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.crawling.conftest import Crawled, assert_nothing_is_lost
from webecho.crawling.savings import Savings


def savings(*pages: tuple[str, str]) -> Savings:
    table = pa.table({"url": [url for url, _ in pages], "text": [text for _, text in pages]})
    return webecho.savings(table, least=0.0)


def statuses(found: Savings) -> dict[tuple[str, str], tuple[str, bool]]:
    return {
        (row["rule"], row["into"]): (row["status"], row["deny"]) for row in found.rules.to_pylist()
    }


def test_nothing_of_a_made_up_web_is_lost(crawled: Crawled) -> None:
    assert assert_nothing_is_lost(crawled.identity, crawled.savings) > 200


@pytest.mark.data
@pytest.mark.parametrize("number", [1, 3])
def test_nothing_of_a_snapshot_is_lost(data: Path, number: int) -> None:
    file = data / "snapshots" / f"{number}.parquet"
    found = webecho.savings(file)
    sketches = webecho.sketch(file, columns=[])
    names = ("url", "hollow", "text_digest", "markup_digest")
    # A page without text, or whose text stands in scripts, is the same if its bytes are.
    content = {
        url: text if text is not None and not hollow else markup
        for url, hollow, text, markup in zip(
            *(sketches[name].to_pylist() for name in names), strict=True
        )
    }
    assert pq.read_metadata(file).num_rows == len(content)
    assert assert_nothing_is_lost(content, found) > 10


def test_an_address_that_has_no_other_is_not_denied() -> None:
    pages = [
        (f"http://h.a/{place}{query}", f"page {place}")
        for place in range(4)
        for query in ("", "?sid=1")
    ]
    found = savings(*pages)
    assert statuses(found) == {("sid", ""): ("holds", True)}
    assert found.facts["left out by deny patterns"] == 4
    # Now there is a page that has an address with the parameter only.
    found = savings(*pages, ("http://h.a/other?sid=2", "another"))
    assert statuses(found) == {("sid", ""): ("holds", False)}
    assert found.facts["left out by deny patterns"] == 0
    assert found.facts["left out by canonical patterns"] == 4


def test_not_all_prefixes_of_a_ring_are_denied() -> None:
    found = savings(
        *((f"http://h.a/{folder}/{page}", f"page {page}") for page in range(4) for folder in "abc")
    )
    assert statuses(found) == {
        ("/b/", "/a/"): ("holds", True),
        ("/c/", "/a/"): ("holds", True),
    }
    assert_nothing_is_lost({row["url"]: row["cluster"] for row in found.urls.to_pylist()}, found)


def test_what_others_say_already_is_implied() -> None:
    """Six pages are in three folders, two more in the last two of them."""
    pages = [
        (f"http://h.a/{folder}/{page}", f"page {page}") for folder in "abc" for page in range(6)
    ]
    pages += [(f"http://h.a/{folder}/{page}", f"page {page}") for folder in "bc" for page in (6, 7)]
    assert statuses(savings(*pages)) == {
        ("/c/", "/b/"): ("holds", True),
        ("/b/", "/a/"): ("holds", False),
        ("/c/", "/a/"): ("implied", False),
    }


def test_rules_that_together_say_too_much_are_taken_back() -> None:
    """The parameter changes nothing, and the folders are the same; but of the page with both there
    is another text, of which neither rule knows."""
    pages = [
        *(
            (f"http://h.a/a/{page}{query}", f"page {page}")
            for page in range(5)
            for query in ("", "?s=1")
        ),
        *((f"http://h.a/b/{page}", f"page {page}") for page in range(4)),
        ("http://h.a/b/9?s=2", "something else"),
        ("http://h.a/a/9", "nine"),
    ]
    found = savings(*pages)
    assert statuses(found) == {("s", ""): ("holds", False), ("/b/", "/a/"): ("conflicting", False)}
    assert_nothing_is_lost(dict(pages), found)


def test_an_address_whose_content_changes_is_never_left_out() -> None:
    pages = [("http://h.a/x", "one"), ("http://h.a/y", "one"), ("http://h.a/x", "two")]
    found = savings(*pages, ("http://h.a/z", "one"))
    assert [(row["url"], row["visit_url"]) for row in found.urls.to_pylist()] == [
        ("http://h.a/y", "http://h.a/y"),
        ("http://h.a/z", "http://h.a/y"),
    ]
    assert found.facts["addresses whose content changes"] == 1
