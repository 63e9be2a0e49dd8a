"""Documents made of whole paragraphs: markup by hand, and the same paragraph wherever it stands."""

import re

import pytest

from webecho.synthetic.documents import Document
from webecho.synthetic.hosts import host_name, path
from webecho.synthetic.languages import LANGUAGES
from webecho.synthetic.linked import (
    MADE_DOCUMENTS,
    document_html,
    language_of_family,
    make_document,
    paragraph,
)
from webecho.synthetic.web import Web

WEB = Web(pages=900, seed=5, graph=True)
ORIGINAL = Document(
    page=3,
    original=3,
    member=0,
    variant=0,
    kind=0,
    common=0,
    host=1,
    component=0,
    paragraphs=[7, 8, 7],
    links=[9, 4],
    link_hosts=[1, 2],
)


def test_links_stand_on_sentences_after_the_title() -> None:
    assert document_html(["A.", "B.", "C.", "D.", "E.", "F."], ["/1", "/2"], 0) == (
        "<!DOCTYPE html>\n<html><head><title>A.</title></head>\n<body><main>\n"
        '<p><a href="/1">B.</a> <a href="/2">C.</a></p>\n'
        "<p>D. E. F.</p>\n"
        "</main></body></html>\n"
    )


def test_links_that_are_left_stand_in_a_map() -> None:
    page = document_html(["A.", "B.", "C."], ["/1", "/2", "/3", "/4"], 1)
    assert page.splitlines()[2:] == [
        "<body><article>",
        '<div><a href="/1">B.</a>',
        '<br><a href="/2">C.</a></div>',
        '<map name="more"><area href="/3"><area href="/4"></map>',
        "</article></body></html>",
    ]


@pytest.mark.parametrize("number", range(0, 400, 7))
def test_a_paragraph_has_three_sentences_with_one_period_each(number: int) -> None:
    sentences = paragraph(5, LANGUAGES[0], number)
    assert len(sentences) == 3
    for sentence in sentences:
        assert (sentence.count("."), sentence[-1]) == (1, ".")
        assert 40 <= len(sentence) < 150
    assert sentences != paragraph(5, LANGUAGES[0], number + 1)
    assert sentences != paragraph(6, LANGUAGES[0], number)


def test_families_are_in_a_language_with_periods() -> None:
    found = [language_of_family(WEB, original) for original in range(300)]
    assert {language.script.stop for language in found} == {"."}
    assert len({language.name for language in found}) > 1


def test_what_is_true_of_an_original() -> None:
    page = make_document(WEB, ORIGINAL)
    assert page.truth.keys() == set(MADE_DOCUMENTS.names)
    here, there = host_name(5, 1), host_name(5, 2)
    assert page.truth["url"] == f"http://{here}{path(3)}"
    # On the same host an address has no host.
    assert re.findall('href="(.*?)"', page.html) == [path(9), f"http://{there}{path(4)}"]
    assert (page.truth["original"], page.truth["common"], page.truth["share"]) == (None,) * 3
    assert (page.truth["component"], page.truth["short"]) == ("core", False)
    language = language_of_family(WEB, 3)
    for number, times in ((7, 2), (8, 1)):
        assert [page.html.count(each) for each in paragraph(5, language, number)] == [times] * 3


def test_what_is_true_of_a_copy() -> None:
    page = make_document(WEB, ORIGINAL._replace(page=10, member=1, common=2, paragraphs=[7, 8, 9]))
    assert (page.truth["original"], page.truth["common"], page.truth["share"]) == (3, 2, 2 / 3)
    # Every fifth page has a link that leads out of the web, which is not in the truth.
    assert page.html.count("http://outside.example/10.html") == 1
    assert page.truth["links"] == [9, 4]
    # Markup differs from that of the original, what is said does not.
    assert "<article>" in page.html and "<article>" not in make_document(WEB, ORIGINAL).html


def test_one_paragraph_is_short() -> None:
    assert make_document(WEB, ORIGINAL._replace(paragraphs=[7])).truth["short"]
