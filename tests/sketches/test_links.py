"""The table of links: what is in it, whichever way and from whatever source it is made."""

from pathlib import Path

import pyarrow as pa
import pytest

import webecho
from tests.collections_made import Page, WarcFile, as_parquet, as_warc
from tests.command import contents, done
from webecho import _core
from webecho.engine.local.engine import local_run
from webecho.sketches.links import KINDS, TABLE
from webecho.sketches.page_tables import require_tables
from webecho.study.web import LinkSettings, graph_of
from webecho.workspace.schemas import LINKS
from webecho.workspace.workspace import Workspace

PAGES = [
    Page("1", "http://a.example/", "<a href=x/>x</a><a rel=nofollow href=/y>y</a>"),
    Page("2", "http://a.example/x/index.html", "<p>none"),
    Page("3", "http://a.example/y", "<iframe src='https://a.example:443/#z'></iframe>"),
]


def sketched(folder: Path, name: str, *inputs: Path, links: bool = True) -> Path:
    out = folder / name
    asked = ["--links"] if links else []
    done("sketch", *inputs, "-o", out, "--columns", "none", "--part-pages", 2, *asked)
    return out


def reached(path: Path, page: int) -> list[int]:
    """The pages that links lead to from a page."""
    web = graph_of(Workspace.open(path), LinkSettings(), local_run())
    return [number for number, yes in enumerate(web.graph.reached(page).to_pylist()) if yes]


@pytest.mark.parametrize("write", [as_parquet, as_warc])
def test_made_later_it_has_the_same_bytes(tmp_path: Path, write: object) -> None:
    file = tmp_path / ("p.parquet" if write is as_parquet else "p.warc.gz")
    source = write(file, PAGES)  # type: ignore[operator]
    along = sketched(tmp_path, "along.echo", source)
    later = sketched(tmp_path, "later.echo", source, links=False)
    require_tables(later, [TABLE], local_run(threads=2))
    assert contents(later) == contents(along)
    table = Workspace.open(later).table(TABLE)
    assert table.schema.equals(LINKS)
    rows = [(row["page"], KINDS[row["kind"]], row["nofollow"]) for row in table.to_pylist()]
    assert sorted(rows) == [(0, "a", False), (0, "a", True), (2, "iframe", False)]
    # The folder x/ is its index.html, and https is http.
    assert reached(later, 0) == [0, 1, 2]
    assert reached(later, 2) == [0, 1, 2]


def files(folder: Path, pages: dict[str, str]) -> Path:
    for name, html in pages.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(html)
    return folder


def test_pages_of_folders_link_by_their_paths(tmp_path: Path) -> None:
    one = files(
        tmp_path / "one",
        {
            "a.html": "<a href='sub/b c.html'>",
            "sub/50%?#.html": "<a href='../a.html'>",
            "sub/b c.html": "<a href='50%25%3F%23.html'><a href=http://a.html>",
        },
    )
    two = files(
        tmp_path / "two",
        {"a.html": "<a href=docs/>", "docs/index.html": "<p>", "other.html": "<a href=a.html>"},
    )
    along = sketched(tmp_path, "along.echo", one, two)
    later = sketched(tmp_path, "later.echo", one, two, links=False)
    require_tables(later, [TABLE], local_run())
    assert contents(later) == contents(along)
    # Pages 0 to 2 are of the first folder, 3 to 5 of the second, in which a.html is another.
    assert [reached(along, page) for page in range(6)] == [
        *([0, 1, 2], [0, 1, 2], [0, 1, 2]),
        *([3, 4], [4], [3, 4, 5]),
    ]


def test_redirects_of_the_crawl_lead_on(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "a.warc.gz") as warc:
        warc.response("http://a.example/1", b"<a href=/old>")
        warc.response("http://a.example/old", b"", status="301 Moved", Location="new")
        warc.response("http://a.example/new", b"", status="302 Found", Location="/2/")
        warc.response("http://a.example/2/index.html", b"<p>here")
        warc.response("http://a.example/3", b"<p>not here")
    crawl = sketched(tmp_path, "crawl.echo", warc.file)
    assert reached(crawl, 0) == [0, 1]


def test_what_cannot_be_read_twice_must_keep_them(tmp_path: Path) -> None:
    rows = pa.table({"url": [page.url for page in PAGES], "html": [page.html for page in PAGES]})
    webecho.sketch(rows, tmp_path / "kept.echo", columns="none", links=True)
    assert reached(tmp_path / "kept.echo", 0) == [0, 1, 2]
    webecho.sketch(rows, tmp_path / "not.echo", columns="none")
    with pytest.raises(webecho.InputError, match="links=True"):
        webecho.study_graph(tmp_path / "not.echo")


def test_keys_are_pinned() -> None:
    # XXH3 of the normal form less its scheme, as other tools have it too.
    urls = pa.array(["http://www.example.org/a?b=1", "docs/a.html", None])
    keys, folders = _core.address_keys(pa.record_batch([urls], names=["url"]), 1)
    assert keys.to_pylist() == [6562167494184725694, 6640326664726682982, None]
    assert folders.to_pylist() == [None] * 3
