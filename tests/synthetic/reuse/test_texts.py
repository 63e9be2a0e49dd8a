"""Texts as numbers, worked out by hand, and as words."""

import pytest

from tests.kernel.reference_paragraphs import sentences
from webecho.synthetic.languages import LANGUAGES, Language, vocabulary
from webecho.synthetic.reuse.texts import (
    FIRST_TEXT,
    LICENCE,
    NAMING,
    PLACES,
    cut,
    joined,
    length,
    licence,
    name,
    names,
    other_order,
    popular,
    run,
    sentence_numbers,
    windows,
    written,
)

SPACED = [language for language in LANGUAGES if language.script.stop == "."]


def test_a_document_has_a_text_after_the_common_ones() -> None:
    assert run(0, 2, 5) == (PLACES * FIRST_TEXT + 2, 5)
    assert popular(None) == () and popular(1) == ((PLACES, 6),)
    assert licence()[0] // PLACES == LICENCE < FIRST_TEXT


def test_a_cut_goes_over_runs() -> None:
    runs = ((10, 3), (50, 2), (90, 4))
    assert length(runs) == 9
    assert cut(runs, 2, 4) == ((12, 1), (50, 2), (90, 1))
    assert cut(runs, 0, 3) == ((10, 3),)
    assert cut(runs, 8, 100) == ((93, 1),)
    assert cut(runs, 9, 1) == ()


def test_runs_that_go_on_are_one() -> None:
    assert joined([(10, 3), (13, 2), (20, 1)]) == ((10, 5), (20, 1))


def test_another_order_keeps_the_first_paragraph_and_the_rest() -> None:
    turned = other_order(((1, 11),))
    assert list(sentence_numbers(turned)) == [1, 2, 3, 7, 8, 9, 4, 5, 6, 10, 11]


def test_windows_are_three_sentences_with_overlap() -> None:
    assert list(windows([1, 2, 3, 9])) == [(1, 2, 3), (2, 3, 9)]
    assert list(windows([1, 2])) == [(1, 2)]


def test_no_two_topics_have_a_name_in_common_nor_with_a_language() -> None:
    found = [one for topic in range(3000) for one in names(7, topic)]
    assert len(set(found)) == 9000
    for language in LANGUAGES:
        assert not set(found) & set(vocabulary(7, language).slots)
    assert name(7, 0) != name(8, 0)


@pytest.mark.parametrize("language", SPACED, ids=lambda language: language.name)
def test_a_sentence_is_one_to_the_paper(language: Language) -> None:
    for number in range(0, 60 * PLACES, 331):
        for topic in (None, 5):
            found = written(3, language, number, topic)
            assert sentences(found) == [found]
            assert 40 <= len(found) < 150
            has_names = topic is not None and number % PLACES < NAMING
            words = set(found.lower().replace(",", "").removesuffix(".").split())
            assert words.issuperset(names(3, 5)) == has_names
            assert words.isdisjoint(names(3, 5)) != has_names


def test_four_long_sentences_are_more_than_450_characters() -> None:
    found = [written(3, LANGUAGES[0], number, None, long=True) for number in range(400)]
    assert min(map(len, found)) * 4 + 3 > 450
    assert max(map(len, found)) < 150
