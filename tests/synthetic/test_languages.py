"""Words of made-up languages: distinct, in their script, as frequent as natural ones."""

import math
import unicodedata
from collections import Counter

import pytest

from tests.kernel.reference import words as tokens
from webecho.settings import WEBECHO
from webecho.synthetic.languages import LANGUAGES, VOCABULARY, Language, language_of, vocabulary

NAMES = {"Han": "CJK"}


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_words_are_of_their_script(language: Language) -> None:
    letters = set("".join(set(vocabulary(1, language).slots)))
    wanted = NAMES.get(language.script.name, language.script.name.upper())
    assert {unicodedata.name(letter).split()[0] for letter in letters} == {wanted}


def test_frequencies_fall_as_zipf_has_it() -> None:
    counts = [count for _, count in Counter(vocabulary(1, LANGUAGES[0]).slots).most_common()]
    assert len(counts) == VOCABULARY
    # From rank 10 to rank 1,000 by 1 / (rank + 2.7): (1002.7 / 12.7).
    assert counts[9] / counts[999] == pytest.approx(1002.7 / 12.7, rel=0.1)
    assert sum(counts) == 65_536


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_tokens_of_a_text_are_its_words_or_its_characters(language: Language) -> None:
    words = vocabulary(1, language)
    drawn = words.words(3000, "drawn")
    found = tokens(" ".join(words.sentences(drawn, "cut")), WEBECHO)
    assert len(found) / len(drawn) == pytest.approx(words.tokens, rel=0.03)
    if language.script.spaced:
        assert found == tokens(" ".join(drawn), WEBECHO)
        assert len(found) == len(drawn)


def test_the_same_key_cuts_other_words_at_the_same_places() -> None:
    words = vocabulary(1, LANGUAGES[0])
    one, other = (words.sentences(words.words(200, key), "cut") for key in ("one", "other"))
    assert one != other
    assert [len(each.split()) for each in one] == [len(each.split()) for each in other]
    assert sum(len(each.split()) for each in one) == 200


def test_most_templates_are_latin_and_sixty_have_all_languages() -> None:
    found = Counter(language_of(number) for number in range(60))
    assert set(found) == set(LANGUAGES)
    assert 0.6 < sum(n for one, n in found.items() if one.script.name == "Latin") / 60 < 0.75
    assert math.isclose(sum(language.share for language in LANGUAGES), 1)
