"""`webecho.passages`: what two pages share, as they have it."""

from pathlib import Path

import pyarrow as pa
import pytest

import webecho
from tests.collections_made import WarcFile, as_jsonl, page, prose
from webecho.api.passages import Passages, PassagesRequest, run_passages
from webecho.api.runs import as_run

LINES = [" ".join(prose(seed, 4)).capitalize() + "." for seed in range(30)]
# The second has eight of the first's lines, in two runs, one line further down each.
PAGES = ["\n".join(LINES[:16]), "\n".join([LINES[20], *LINES[3:7], LINES[21], *LINES[10:14]])]


def html(text: str) -> str:
    return "".join(f"<p>{line}</p>" for line in text.splitlines())


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    pages = [page(number, html(text)) for number, text in enumerate(PAGES)]
    webecho.sketch(as_jsonl(tmp_path / "pages.jsonl", pages), tmp_path / "crawl.echo")
    return tmp_path / "crawl.echo"


def spans(found: Passages) -> list[tuple[object, ...]]:
    return [(each.chunks, each.left_lines, each.right_lines) for each in found.shared]


def test_passages_in_order_with_their_places(crawl: Path) -> None:
    found = webecho.passages(crawl, "doc-0", "http://www.example.org/1.html", "lines:2:sliding")
    # Lines 4 to 7 are lines 2 to 5 there, and 11 to 14 are 7 to 10.
    assert spans(found) == [(3, (4, 7), (2, 5)), (3, (11, 14), (7, 10))]
    assert [each.left_text for each in found.shared] == [
        "\n".join(LINES[3:7]),
        "\n".join(LINES[10:14]),
    ]
    assert (found.shared_chunks, found.left_chunks, found.right_chunks) == (6, 15, 9)
    assert found.left == {"page": 0, "url": "http://www.example.org/0.html", "id": "doc-0"}
    assert found.right["page"] == 1 and found.notes == ()


def test_by_four_lines_unless_something_else_is_said(crawl: Path) -> None:
    # None of the first's begins where one of the second's does.
    assert webecho.passages(crawl, "#0", "#1").shared == ()
    assert spans(webecho.passages(crawl, "#1", "#1")) == [(3, (1, 10), (1, 10))]
    one = webecho.passages(crawl, "#0", "#1", "lines:1")
    assert spans(one) == [(4, (4, 7), (2, 5)), (4, (11, 14), (7, 10))]
    assert spans(webecho.passages(crawl, "#0", "#1", "lines:1", fingerprint=32)) == spans(one)


def test_it_is_what_overlap_counts(crawl: Path) -> None:
    for chunking in ("lines:1", "words:3:sliding", "sentence", "lines:2:sliding"):
        [row] = webecho.overlap(crawl, chunking, 1).to_pylist()
        found = webecho.passages(crawl, "#0", "#1", chunking)
        assert found.shared_chunks == row["shared_chunks"] > 0
        assert found.left_chunks == round(row["shared_chunks"] / row["left_containment"])


def test_of_two_collections(crawl: Path) -> None:
    other = pa.table({"text": ["\n".join(LINES[20:24]), PAGES[1].upper()], "id": ["x", "y"]})
    found = webecho.passages(crawl, "doc-0", "y", "lines:1", beside=other)
    assert spans(found) == [(4, (4, 7), (2, 5)), (4, (11, 14), (7, 10))]
    assert found.shared[0].right_text == "\n".join(LINES[3:7]).upper()
    assert found.right == {"page": 1, "url": None, "id": "y"}
    with pytest.raises(webecho.InputError, match="no page is called 'y'"):
        webecho.passages(crawl, "doc-0", "y")


def test_a_revisit_shows_what_it_repeats(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "a.warc.gz") as warc:
        warc.revisit("http://a.example/1", Refers_To="<urn:uuid:a.warc.gz-2>")
        warc.response("http://a.example/1", html(PAGES[0]).encode())
        warc.response("http://b.example/2", html(PAGES[1]).encode())
    found = webecho.passages(tmp_path / "a.warc.gz", "#0", "http://b.example/2", "lines:1")
    assert spans(found) == [(4, (4, 7), (2, 5)), (4, (11, 14), (7, 10))]
    assert (found.left["page"], found.left["url"]) == (0, "http://a.example/1")


def test_several_pages_of_one_name_are_said(tmp_path: Path) -> None:
    same = [page(0, html(text)) for text in PAGES]
    webecho.sketch(as_jsonl(tmp_path / "same.jsonl", same), tmp_path / "same.echo")
    url = "http://www.example.org/0.html"
    found = run_passages(PassagesRequest(tmp_path / "same.echo", url, url), as_run())
    assert (found.left["page"], found.right["page"]) == (0, 1)
    assert found.notes[0].startswith(f"2 pages are called {url}: #0, #1;")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"chunk": "rows"}, "'rows' is no chunking; give page, lines:N"),
        ({"fingerprint": 16}, "fingerprint=16: give 64, or the paper's 32"),
    ],
)
def test_what_is_wrong_is_refused(crawl: Path, given: dict[str, object], message: str) -> None:
    with pytest.raises(webecho.SettingsError, match=message):
        webecho.passages(crawl, "#0", "#1", **given)
