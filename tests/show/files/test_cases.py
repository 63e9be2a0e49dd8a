"""Cases as a page for a browser: what comes from a crawl is never markup."""

from html.parser import HTMLParser

from webecho.show.files.cases import beside, cases_page, cut
from webecho.study.reuse_cases import Case
from webecho.study.reuse_passages import MarkedCase, MarkedPage, Passage

EVIL = '"><script>alert(1)</script><img src=x onerror=alert(1)>'


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.marked: list[tuple[str | None, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.found and self.found[-1][0] == "mark":
            self.marked.append((self.found[-1][1]["class"], data.strip()))


def marked_page(*passages: tuple[str, tuple[int, ...]]) -> MarkedPage:
    return MarkedPage(1, f"http://a.example/{EVIL}", tuple(Passage(*each) for each in passages))


def read(case: MarkedCase) -> Tags:
    tags = Tags()
    tags.feed(cases_page([case]))
    return tags


def test_nothing_of_a_crawl_is_markup() -> None:
    page = marked_page((EVIL, (1,)), (EVIL, ()))
    case = MarkedCase(EVIL, Case(EVIL, EVIL, 1, (2, 3), (1, 2), (10, 10)), page, (page, page))
    found = {tag for tag, _ in read(case).found}
    assert found == {
        *("html", "head", "meta", "title", "style", "body", "h1", "p", "span", "section"),
        *("h2", "h3", "div", "code", "mark"),
    }
    assert "default-src 'none'" in cases_page([case]).replace("&#x27;", "'")


def test_what_is_shared_is_marked_with_whom() -> None:
    new = marked_page(("own", ()), ("one", (1,)), ("two", (2,)), ("both", (1, 2)))
    old = marked_page(("one", (1,))), marked_page(("two", (1,)))
    case = MarkedCase("pair", Case("log", "query", 1, (2, 3), (1, 2), (10, 10)), new, old)
    # The first old page, the new one, the second old page.
    assert [each for each in read(case).marked if each[1]] == [
        ("s1", "one"),
        *(("s1", "one"), ("s2", "two"), ("s12", "both")),
        ("s2", "two"),
    ]


def test_long_pages_are_cut() -> None:
    new = marked_page(*((str(number), (1 + number % 2,)) for number in range(150)))
    old = marked_page()
    case = MarkedCase("pair", Case("log", "query", 1, (2, 3), (1, 2), (10, 10)), new, (old, old))
    assert [text for _, text in read(case).marked if text][-1] == "99"


def test_long_texts_are_cut() -> None:
    assert cut("abcdef", 4) == "ab […] ef"
    text = "a" * 200 + "b" * 200
    assert beside(text, True, False) == "… " + "b" * 80
    assert beside(text, False, True) == "a" * 80 + " …"
    assert beside(text, False, False) == "a" * 80 + " […] " + "b" * 80
    assert beside("short", True, True) == "short"
