"""Links: which markup is one, and where it leads; held against html5lib and urllib."""

from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel import kernels
from tests.kernel.reference_text import Reader
from webecho import _core
from webecho.read.urls import normal
from webecho.settings import WEBECHO
from webecho.sketches.links import KINDS

PAGE = "http://www.example.org/dir/page.html"
Link = tuple[int, str, bool]


class Follower(Reader):
    """Reads with html5lib, and notes what a crawler would follow."""

    def __init__(self) -> None:
        super().__init__(WEBECHO)
        self.base: str | None = None
        self.nofollow = False
        self.found: list[tuple[str, str, bool]] = []

    def take_start(
        self, name: str, attributes: dict[str, str], dropped: bool, in_html: bool
    ) -> None:
        inside = in_html and not self.templates
        super().take_start(name, attributes, dropped, in_html)
        if not inside:
            return
        words = attributes.get("rel", "").lower().split()
        content = attributes.get("content", "").lower().replace(",", " ").split()
        if name in ("a", "area") and "href" in attributes:
            self.found.append((name, attributes["href"], "nofollow" in words))
        elif name in ("frame", "iframe") and "src" in attributes:
            self.found.append((name, attributes["src"], False))
        elif name == "link" and "canonical" in words and "href" in attributes:
            self.found.append(("canonical", attributes["href"], False))
        elif name == "base" and "href" in attributes and self.base is None:
            self.base = attributes["href"]
        elif name == "meta" and attributes.get("name", "").lower() == "robots":
            self.nofollow |= bool({"nofollow", "none"} & set(content))


def key(url: str) -> int:
    keys, _ = _core.address_keys(pa.record_batch([pa.array([url])], names=["url"]), 1)
    return int(keys[0].as_py())


def slow_links(html: str, url: str) -> set[tuple[int, str, bool]]:
    """Links by the other implementation; those of `<meta>` refreshes apart."""
    reader = Follower()
    reader.read(html)
    base = urljoin(url, reader.base) if reader.base else url
    found = set()
    for kind, href, nofollow in reader.found:
        target = normal(urljoin(base, href.strip(" \t\r\n\f")))
        if target is not None:
            found.add((key(target), kind, nofollow or reader.nofollow))
    return found


def links(html: str | bytes, url: str | None = PAGE) -> list[tuple[int, str, bool]]:
    body = html.encode() if isinstance(html, str) else html
    pages = pa.record_batch(
        {
            "body": pa.array([body], pa.binary()),
            "markup": pa.array([True]),
            "charset": pa.array(["utf-8"]),
            "url": pa.array([url], pa.string()),
        }
    )
    sketcher = kernels.sketcher(WEBECHO)
    alone = sketcher.links(pages).to_pylist()[0]
    along: Any = sketcher.sketch(pages, ["links"]).to_pylist()[0]
    assert {name: along[name] for name in alone} == alone
    codes = alone["link_kinds"] or []
    targets = alone["links"] or []
    return [(to, KINDS[code // 2], bool(code % 2)) for to, code in zip(targets, codes, strict=True)]


def test_the_links_of_a_page_are_sorted_and_there_once() -> None:
    html = """<base href="/b/"><a href="x.html">x</a> <A HREF='x.html#top'>again</A>
        <a href=x.html rel="nofollow">x</a><iframe src=//other.example/y></iframe>
        <meta http-equiv=refresh content="0; url=z"><link rel=canonical href=http://c.example>"""
    x, other = key("http://www.example.org/b/x.html"), key("https://other.example/y")
    z, canonical = key("http://www.example.org/b/z"), key("http://c.example/")
    assert links(html) == sorted(
        [
            (x, "a", False),
            (x, "a", True),
            (other, "iframe", False),
            (z, "redirect", False),
            (canonical, "canonical", False),
        ],
        key=lambda link: (link[0], KINDS.index(link[1]), link[2]),
    )


def test_text_and_pages_without_a_body_have_none() -> None:
    pages = pa.record_batch(
        {
            "body": pa.array([b"<a href=x>", None, b"<p>"], pa.binary()),
            "markup": pa.array([False, True, True]),
            "charset": pa.nulls(3, pa.string()),
            "url": pa.array([PAGE] * 3),
        }
    )
    assert kernels.sketcher(WEBECHO).links(pages)["links"].to_pylist() == [None] * 3


names = [
    "a",
    "area",
    "frame",
    "iframe",
    "link",
    "meta",
    "base",
    "p",
    "div",
    "template",
    "script",
    "svg",
    "title",
    "style",
    "b",
]
values = [
    "x",
    "/y?q=1",
    "../z#f",
    "http://a.example/",
    "//b.example",
    "mailto:c@d",
    " e ",
    "",
    "?",
    ".",
]
rels = ["", " rel=nofollow", " rel='canonical x'", " name=robots content='noindex, nofollow'"]
start_tags = st.builds(
    "<{}{}='{}'{}>".format,
    st.sampled_from(names),
    st.sampled_from([" href", " src", " HREF", " data-href"]),
    st.sampled_from(values),
    st.sampled_from(rels),
)
markup = st.lists(
    st.one_of(start_tags, start_tags, st.sampled_from(names).map("</{}>".format), st.just("text "))
).map("".join)


@given(markup)
def test_generated_pages(html: str) -> None:
    assert set(links(html)) == slow_links(html, PAGE)


@pytest.mark.data
def test_real_pages(data: Path) -> None:
    count = 0
    for number in (1, 3):
        for page in kernels.real_pages(data / "snapshots" / f"{number}.parquet", 60):
            html = page["body"].decode("utf-8", "replace")
            found = {link for link in links(html, page["url"]) if link[1] != "redirect"}
            assert found == slow_links(html, page["url"]), page["url"]
            count += len(found)
    assert count > 1000


@given(st.binary(max_size=300), st.text(max_size=30))
def test_any_bytes_at_any_address_have_the_same_links_along_and_alone(
    body: bytes, url: str
) -> None:
    # `links` holds both ways against each other.
    links(b"<a href='" + body + b"'><base href='" + body[::-1] + b"'>" + body, url)
