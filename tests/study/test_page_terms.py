"""What counts of the words of pages that are read again."""

from hashlib import blake2b
from pathlib import Path

import pyarrow as pa

from tests.collections_made import WarcFile
from tests.command import done
from webecho import _core
from webecho.api.runs import as_run
from webecho.settings import WEBECHO
from webecho.study.page_terms import HEADING, TITLE, Terms, page_terms, terms_of
from webecho.workspace.workspace import Workspace

HTML = (
    "<title>Red Lamp</title><h1>A red LAMP, 12 W</h1><img src='/picture/of/lamp.png'>"
    "<p>Seen on Monday, 3 May 2004 by 1,204 readers. You may buy the lamp: item ab12.</p>"
)


def of_html(html: str) -> Terms:
    columns: dict[str, list[object]] = {
        "body": [html.encode()],
        "markup": [True],
        "charset": [None],
        "url": ["http://a.example/"],
        "stored_digest": [None],
    }
    types = [pa.binary(), pa.bool_(), pa.string(), pa.string(), pa.binary()]
    fields = zip(columns, types, strict=True)
    rows = pa.RecordBatch.from_pydict(columns, schema=pa.schema([*fields]))
    [found] = terms_of(_core.Sketcher(WEBECHO.as_dict(), 1).words(rows))
    assert found is not None
    return found


def counted(terms: Terms) -> dict[str, int]:
    return dict(zip(terms.words.to_pylist(), terms.counts.tolist(), strict=True))


def test_words_are_counted_and_numbers_dates_and_images_are_not() -> None:
    """`W` stands beside 12, Monday and one `May` are of a date, the other `may` is not; the address
    of the image does not count, nor does what has a digit in it."""
    assert counted(of_html(HTML)) == {
        **{"Red": 2, "Lamp": 3, "A": 1, "Seen": 1, "on": 1, "by": 1, "readers": 1, "You": 1},
        **{"may": 1, "buy": 1, "the": 1, "item": 1},
    }


def test_a_word_stands_where_it_counts_first() -> None:
    found = of_html(HTML)
    places = dict(zip(found.words.to_pylist(), found.places.tolist(), strict=True))
    firsts = dict(zip(found.words.to_pylist(), found.firsts.tolist(), strict=True))
    assert (places["Red"], places["Lamp"], places["A"], places["may"]) == (TITLE, TITLE, HEADING, 0)
    # Red Lamp A red LAMP 12 W …; in between stands the image.
    assert (firsts["Red"], firsts["Lamp"], firsts["A"]) == (0, 1, 2)
    assert firsts["You"] + 1 == firsts["may"]
    assert found.tokens.tolist() == sorted(found.tokens.tolist())


def test_the_digest_is_of_all_tokens_in_order() -> None:
    one, other, turned = (of_html(text) for text in ("lamp 12 red", "lamp 13 red", "red 12 lamp"))
    assert counted(one) == counted(other) == counted(turned) == {"lamp": 1, "red": 1}
    assert len({one.digest, other.digest, turned.digest}) == 3
    tokens = _core.Sketcher(WEBECHO.as_dict(), 1).tokens(b"lamp 12 red", True, None, None)
    assert one.digest == blake2b(tokens.to_numpy().tobytes(), digest_size=16).digest()
    assert of_html("").digest == of_html("<p></p>").digest == b""
    assert len(of_html("").tokens) == 0


def test_pages_are_read_again_and_a_revisit_has_what_it_repeats(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "in.warc") as warc:
        first = warc.response("http://a.example/", b"<p>the first page")
        warc.response("http://b.example/", b"<p>another page")
        warc.revisit("http://c.example/", Refers_To=first)
    done("sketch", warc.file, "-o", tmp_path / "w.echo")
    workspace = Workspace.open(tmp_path / "w.echo")
    problems: list[str] = []
    found = page_terms(workspace, pa.array([0, 2]), as_run(), problems)
    assert {page: counted(terms) for page, terms in found.items()} == {
        0: {"the": 1, "first": 1, "page": 1},
        2: {"the": 1, "first": 1, "page": 1},
    }
    assert problems == []
    warc.file.unlink()
    assert page_terms(workspace, pa.array([0, 1]), as_run(), problems) == {}
    [problem] = problems
    assert "in.warc" in problem
