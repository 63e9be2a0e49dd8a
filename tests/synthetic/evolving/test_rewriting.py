"""Words give way to others, as many as were to, in every script."""

import pytest

from tests.synthetic.evolving.conftest import tokens
from webecho.synthetic.content import Content, text
from webecho.synthetic.evolving.rewriting import is_word, replaced, rewritten, words_of
from webecho.synthetic.languages import LANGUAGES, THAI, Language, vocabulary


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
@pytest.mark.parametrize("how", ["few", "some", "many"])
def test_so_many_words_are_replaced(language: Language, how: str) -> None:
    words = vocabulary(1, language)
    for number in range(6):
        paragraphs = text(words.words(120, "body", number), words, "body", number)
        before = Content("title", [*paragraphs, "www.bade.example is for sale. 12,345!"])
        after = rewritten(before, how, words, "key", number)
        old, new = ("\n".join(each.paragraphs) for each in (before, after))
        old_tokens, new_tokens = tokens(old), tokens(new)
        assert len(old_tokens) == len(new_tokens)
        changed = sum(one != other for one, other in zip(old_tokens, new_tokens, strict=True))
        spaced = language.script.spaced
        free = sum(
            is_word(word, spaced)
            for paragraph in before.paragraphs
            for word in words_of(paragraph, spaced)
        )
        assert changed == replaced(how, free, "key", number)
        assert "www.bade.example" in new
        assert "12,345" in new
        assert after == rewritten(before, how, words, "key", number)
        assert after != rewritten(before, how, words, "key", number + 100)


def test_how_many_words_that_is() -> None:
    few = {replaced("few", 200, number) for number in range(100)}
    assert few == {1, 2, 3, 4, 5}
    for how, least, most in (("some", 20, 40), ("many", 80, 120)):
        found = [replaced(how, 200, number) for number in range(200)]
        assert least <= min(found) < least + 4
        assert most - 4 < max(found) <= most
    # Of short texts no more than there are, and more than a few.
    assert [replaced(how, 4, 1) for how in ("some", "many")] == [4, 4]
    assert replaced("some", 20, 1) == 6


def test_words_are_cut_as_the_script_has_it() -> None:
    assert words_of("one two, three.", spaced=True) == ["one", "two,", "three."]
    assert words_of("กินน้ำwww.a.test นะ", spaced=False) == [
        *("กิ", "น", "น้", "ำ", "www.a.test ", "น", "ะ")
    ]
    assert THAI.spaced is False
    cases = {"one": True, "two,": True, "12": False, "a.test": False, "...": False, "": False}
    assert {word: is_word(word, spaced=True) for word in cases} == cases
    assert [is_word(word, spaced=False) for word in ("น้", "www", "。")] == [True, False, False]


def test_the_same_places_of_texts_of_the_same_length() -> None:
    """As in a family of near-copies, which all change at once."""
    words = vocabulary(1, LANGUAGES[0])
    one = Content("", [" ".join(words.words(80, "one"))])
    other = Content("", [" ".join(words.words(80, "other"))])
    changed = [
        [
            place
            for place, (old, new) in enumerate(
                zip(
                    each.paragraphs[0].split(),
                    rewritten(each, "some", words, 7).paragraphs[0].split(),
                    strict=True,
                )
            )
            if old != new
        ]
        for each in (one, other)
    ]
    assert changed[0] == changed[1] != []
