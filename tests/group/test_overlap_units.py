"""Hosts and sites that share chunks, by hand."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.collections_made import prose

# Six lines each, of which hosts have some.
LINES = [" ".join(prose(seed, 5)) for seed in range(20)]
PAGES = {
    # Two pages that share nothing with each other; together they have lines 0 to 5.
    "http://a.example.org/1": LINES[0:3],
    "http://a.example.org/2": LINES[3:6],
    "http://a.example.org/3": LINES[9:10],
    # The same site, and another.
    "http://b.example.org/1": [*LINES[1:5], LINES[12]],
    "http://b.example.org/2": [LINES[1], LINES[13]],
    "http://c.example.net/1": [*LINES[4:8], LINES[14]],
    "http://d.example.net/1": LINES[15:17],
    # Of no host.
    None: LINES[0:6],
}
SITE_PAIRS = [("a.example.org", "b.example.org"), ("a.example.org", "c.example.net")]


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    table = pa.table({"text": ["\n".join(lines) for lines in PAGES.values()], "url": [*PAGES]})
    webecho.sketch(table, tmp_path / "crawl.echo", chunks="lines:1")
    return tmp_path / "crawl.echo"


def test_hosts_have_the_chunks_of_all_their_pages(crawl: Path) -> None:
    rows = webecho.overlap(crawl, "lines:1", 2, level="host").to_pylist()
    assert rows == [
        {
            **{"left_host": "a.example.org", "right_host": "b.example.org", "shared_chunks": 4},
            # Of seven lines on one and six on the other.
            **{"left_containment": 4 / 7, "right_containment": 4 / 6, "same_site": True},
        },
        {
            **{"left_host": "a.example.org", "right_host": "c.example.net", "shared_chunks": 2},
            **{"left_containment": 2 / 7, "right_containment": 2 / 5, "same_site": False},
        },
    ]


def test_the_pages_that_carry_it(crawl: Path) -> None:
    webecho.overlap(crawl, "lines:1", 2, level="host")
    rows = pq.read_table(crawl / "overlap" / "lines-1-2-host-pages.parquet").to_pylist()
    names = ("right_host", "of_left", "page", "shared_chunks", "page_url")
    assert {row["left_host"] for row in rows} == {"a.example.org"}
    # Those of the left host first, those with most first, and of equal ones the lower page.
    assert [tuple(row[name] for name in names) for row in rows] == [
        ("b.example.org", True, 0, 2, "http://a.example.org/1"),
        ("b.example.org", True, 1, 2, "http://a.example.org/2"),
        ("b.example.org", False, 3, 4, "http://b.example.org/1"),
        ("b.example.org", False, 4, 1, "http://b.example.org/2"),
        ("c.example.net", True, 1, 2, "http://a.example.org/2"),
        ("c.example.net", False, 5, 2, "http://c.example.net/1"),
    ]


def test_sites_have_the_chunks_of_their_hosts(crawl: Path) -> None:
    [row] = webecho.overlap(crawl, "lines:1", 2, level="site").to_pylist()
    assert row == {
        **{"left_site": "example.org", "right_site": "example.net", "shared_chunks": 2},
        # 0 to 5, 9, 12 and 13; 4 to 7 and 14 to 16.
        **{"left_containment": 2 / 9, "right_containment": 2 / 7},
    }


def test_none_that_shares_so_much(crawl: Path) -> None:
    rows = webecho.overlap(crawl, "lines:1", 50, level="host")
    assert len(rows) == 0
    assert rows.column_names[:3] == ["left_host", "right_host", "shared_chunks"]
    written = pq.read_table(crawl / "overlap" / "lines-1-50-host-pages.parquet")
    assert len(written) == 0 and "page_url" in written.column_names


def test_what_stands_on_many_hosts_is_left_out(crawl: Path) -> None:
    """Line 4 is on three hosts; without it one pair shares three lines, and one but one."""
    rows = webecho.overlap(crawl, "lines:1", 1, level="host", most_pages=2).to_pylist()
    found = [(row["left_host"], row["right_host"], row["shared_chunks"]) for row in rows]
    assert found == [(*SITE_PAIRS[0], 3), (*SITE_PAIRS[1], 1)]
    name = "lines-1-1-most_pages-2-host-pages.parquet"
    carried = pq.read_table(crawl / "overlap" / name).to_pylist()
    counts = [(row["page"], row["shared_chunks"]) for row in carried]
    assert counts == [(0, 2), (1, 1), (3, 3), (4, 1), (1, 1), (5, 1)]


def test_by_short_fingerprints_the_same_pages_carry_it(crawl: Path) -> None:
    webecho.overlap(crawl, "lines:1", 2, level="host")
    webecho.overlap(crawl, "lines:1", 2, level="host", fingerprint=32)
    long, short = (
        pq.read_table(crawl / "overlap" / f"lines-1-2{bits}-host-pages.parquet")
        for bits in ("", "-fingerprint-32")
    )
    assert long.to_pylist() == short.to_pylist()
