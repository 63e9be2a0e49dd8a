"""Which address of a cluster is visited."""

import pyarrow as pa
import pytest

import webecho
from tests.crawling.conftest import Crawled

PAGES = pa.table(
    {
        "url": ["http://h.a/long", "http://h.a/x", "http://b.a/other", None, "http://h.a/alone"],
        "text": ["the page"] * 4 + ["alone"],
        "date": pa.array(
            ["2020-01-02", "2020-01-03", "2020-01-01", "2019-01-01", "2020-01-01"], pa.string()
        ),
    }
)


@pytest.mark.parametrize(
    ("keep", "visited"),
    [
        ("first", "http://h.a/long"),
        ("shortest-url", "http://h.a/x"),
        ("earliest", "http://b.a/other"),
        ("latest", "http://h.a/x"),
    ],
)
def test_it_is_chosen_as_dedup_does(keep: str, visited: str) -> None:
    found = webecho.savings(PAGES, keep=keep)
    rows = found.urls.to_pylist()
    assert {row["visit_url"] for row in rows} == {visited}
    assert [row["url"] for row in rows if row["visit"]] == [visited]
    # Pages without an address cannot be visited, and no address stands for them.
    assert len(rows) == 3
    assert (found.facts["pages"], found.facts["addresses"]) == (5, 4)
    assert (found.facts["to visit"], found.facts["to leave out"]) == (2, 2)
    assert found.facts["bytes saved"] == 2 * len("the page")
    assert found.facts["bytes"] == 3 * len("the page") + len("alone")


def test_texts_in_scripts_are_compared_by_their_bytes() -> None:
    """Two handbooks that scripts render have the same few words beside."""
    shell = "<p>Documentation</p><script type='text/x-template'>{}</script>"
    pages = [shell.format(f"chapter {number} " * 300) for number in (1, 2, 1)]
    urls = [f"http://h.a/{number}" for number in range(3)]
    rows = webecho.savings(pa.table({"url": urls, "html": pages})).urls.to_pylist()
    assert [(row["url"], row["visit_url"]) for row in rows] == [
        ("http://h.a/0", "http://h.a/0"),
        ("http://h.a/2", "http://h.a/0"),
    ]


def test_every_copy_of_a_made_up_web_is_left_out(crawled: Crawled) -> None:
    identity = crawled.truth["identity"].to_pylist()
    facts = crawled.savings.facts
    assert facts["to leave out"] == len(identity) - len(set(identity))
    assert facts["to visit"] == len(set(identity))
    sizes = crawled.workspace.table()["bytes"].to_pylist()
    gone = [row["page"] for row in crawled.savings.urls.to_pylist() if not row["visit"]]
    assert facts["bytes saved"] == sum(sizes[page] for page in gone)
