"""HTML around a content: the same words in the same order, whatever the markup."""

import re

from webecho.synthetic.content import Content
from webecho.synthetic.hosts import template
from webecho.synthetic.markup import LAYOUTS, closed, filled_in, html, visible

TEMPLATE = template(0, 1)
CONTENT = Content(
    "A title", ["First.", "", "Second."], ["one", "two"], above="Above.", below="Below."
)


def words(page: str) -> list[str]:
    return re.sub(r"<[^>]*>", " ", page.replace("|", " ")).split()


def test_every_layout_has_the_words_of_the_text_in_order() -> None:
    expected = visible(TEMPLATE, CONTENT).split()
    for layout in range(len(LAYOUTS)):
        assert words(html(TEMPLATE, CONTENT, 5, layout, "key")) == expected


def test_links_go_to_earlier_pages_of_the_host() -> None:
    page = html(TEMPLATE, CONTENT, 3, 0, "key")
    places = [int(number) for number in re.findall(r'href="/\w+/(\d+)\.html"', page)]
    front = page.count('href="/"')
    assert len(places) + front == len(TEMPLATE.navigation) + len(CONTENT.related)
    assert all(place < 3 for place in places)
    assert page == html(TEMPLATE, CONTENT, 3, 0, "key")


def test_a_session_is_in_every_link() -> None:
    content = Content("t", ["p"], ["one"], planted={"session_id": "abc"})
    page = html(TEMPLATE, content, 3, 0, "key")
    assert page.count("?sid=abc") == page.count("href=") > 0


def test_fields_stand_after_paragraphs_and_the_rest_at_the_end() -> None:
    content = Content("t", ["one", "two"], fields=["a", "b", "c"])
    field = "<form><textarea>{}</textarea></form>".format
    assert filled_in(content) == ["<p>one</p>", field("a"), "<p>two</p>", field("b"), field("c")]


def test_closing_tags() -> None:
    assert [closed(tag) for tag in ("<main>", '<div class="nav">')] == ["</main>", "</div>"]
