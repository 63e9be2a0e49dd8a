"""Text: what of a page's markup is read, and where its words are parted."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel import kernels, reference
from webecho.settings import FETTERLY_2004, HENZINGER_2006, WEBECHO, Recipe

RECIPES = [WEBECHO, FETTERLY_2004, HENZINGER_2006]
URL = "http://www.example.com/a/page.html"

# Not here: SVG and MathML, which have their examples below, and `select`, in which html5lib still
# ignores tags as the standard did until 2025.
NAMES = """a b body br button custom-element div em font h1 head hr html iframe image img label
li listing nobr noembed noframes noscript object option p plaintext pre script span style sub table
tbody td template textarea th title tr ul wbr xmp"""
ATTRIBUTES = ["", "", "/", " src=a/b.gif", " src='//ads.example/x y.gif' x", " title='a>b'", "=y"]
TEXTS = """word x é 漢字 0 &amp; &eacute &#233; &#x41; &notit; &nbsp; < & </ <! --> ]]> > " '
<!--c--> <!-- --!> <!doctype> <?pi?> <![CDATA[c]]> </> &"""
names = st.sampled_from(NAMES.split())
start_tags = st.builds("<{}{}>".format, names, st.sampled_from(ATTRIBUTES))
end_tags = names.map("</{}>".format)
texts = st.sampled_from([*TEXTS.split(), " ", "\n", "\t", "\r\n", "\0"])
markup = st.lists(st.one_of(start_tags, end_tags, texts, texts)).map("".join)


def check(html: str, recipe: Recipe, url: str | None = URL) -> None:
    text = reference.read_markup(html, recipe)
    expected = reference.token_prints(text, recipe, url)
    assert kernels.tokens(html, recipe, markup=True, url=url) == expected
    row = kernels.row(html, recipe, markup=True, urls=[url], columns=[])
    assert row["chars"] == len(reference.collapse("".join(text.pieces)))
    assert row["title"] == (reference.collapse(text.title or "") or None)


def words(html: str, recipe: Recipe = WEBECHO) -> list[str]:
    return kernels.sketcher(recipe).text(html.encode(), True, "utf-8").split()


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>one<p>two<br>three", "one two three"),
        ("<td>one</td><td>two", "one two"),
        ("<b>bo</b>ld H<sub>2</sub>O", "bold H2O"),
        ("<a>li</a>nk <span>sp</span>an", "li nk sp an"),
        ("one<!-- no -->two", "onetwo"),
        ("caf&eacute;&nbsp;au&#32;lait &lt;b>", "café au lait <b>"),
        ("<title>T&amp;T</title>body", "T&T body"),
        ("a<script>if (a < b) '</p>'</script>b<style>p{}</style>c", "a b c"),
        ("a<iframe>x</iframe>b<noframes>x</noframes>c<template>x</template>d", "a b c d"),
        ("<noscript>read</noscript> <object>this</object> <canvas>too</canvas>", "read this too"),
        ("<textarea><p>&amp;</textarea><xmp><p>&amp;</xmp>", "<p>& <p>&amp;"),
        ("<p title='x > y'>text <img alt=no>", "text"),
        ("a<plaintext><b>c", "a <b>c"),
        ("<svg><title>a</title><style>x{}</style><text>b</text></svg>c", "a b c"),
        ("<svg><path d='M0'/><script/></svg>a <math><mi>x</mi><mo>+</mo></math>", "a x +"),
        ("<svg><![CDATA[a<b>]]></svg><![CDATA[c]]>d", "a<b> d"),
        ("", ""),
    ],
)
def test_examples(html: str, expected: str) -> None:
    assert words(html) == expected.split()
    check(html, WEBECHO)


def test_the_paper_of_2004_parts_words_at_all_markup() -> None:
    assert words("<b>bo</b>ld x<!-- no -->y", FETTERLY_2004) == ["bo", "ld", "x", "y"]


@pytest.mark.parametrize(
    ("source", "term"),
    [
        ("logo.gif", "logo.gif"),
        ("/img/logo.gif?v=2#top", "logo.gif"),
        ("http://WWW.example.com:80/img/logo.gif", "logo.gif"),
        ("//www.example.com/a/b.png", "b.png"),
        ("http://ads.example.net/b.gif", "//ads.example.net/b.gif"),
        ("//cdn.example.net/b.gif?x", "//cdn.example.net/b.gif?x"),
        ("data:image/gif;base64,R0lG", "data:image/gif;base64,R0lG"),
        ("/img/", None),
    ],
)
def test_images_are_terms_in_the_paper_of_2006(source: str, term: str | None) -> None:
    html = f"one<img src=' {source} '>two<img>"
    expected = ["one", term, "two"] if term else ["one", "two"]
    found = kernels.tokens(html, HENZINGER_2006, markup=True, url=URL)
    assert found == [reference.fingerprint(each, "rabin") for each in expected]
    check(html, HENZINGER_2006)
    assert len(kernels.tokens(html, WEBECHO, markup=True, url=URL)) == 2


@given(markup, st.sampled_from(RECIPES))
def test_any_markup(html: str, recipe: Recipe) -> None:
    check(html, recipe)


@given(st.text(st.characters(exclude_categories=["Cs", "Cn"])), st.sampled_from(RECIPES))
def test_any_text(html: str, recipe: Recipe) -> None:
    check(html, recipe)


def test_a_huge_page() -> None:
    row = "<tr><td>cell <b>n</b>o&nbsp;{0}<td title='x>y'>&eacute;{0}<br>漢字<script>{0}</script>\n"
    check("<table>" + "".join(row.format(n) for n in range(3_000)), WEBECHO)


def test_deep_nesting_and_what_never_closes() -> None:
    assert words("<div>" * 200_000 + "deep" + "</div>" * 200_000) == ["deep"]
    assert words("<svg><g>" * 100_000 + "deep") == ["deep"]
    assert words("a<!--" + "x" * 1_000_000) == ["a"]
    assert words("a <p title='" + "x>" * 500_000) == ["a"]
    assert words("<" * 1_000_000) == ["<" * 1_000_000]
    assert words("&" * 1_000_000) == ["&" * 1_000_000]


@pytest.mark.data
@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_real_pages(recipe: Recipe, data: Path) -> None:
    files = ["debian_html", "snapshots/1", "snapshots/2", "snapshots/3"]
    checked = 0
    for file in files:
        for page in kernels.real_pages(data / f"{file}.parquet", 24, 30_000):
            body = page["body"]
            try:
                html = body if isinstance(body, str) else body.decode()
            except UnicodeDecodeError:
                continue
            check(html, recipe, page["url"])
            checked += 1
    assert checked > 80
