"""Words that set pages apart, with the odds worked out by hand."""

from math import log

import numpy as np
import pytest

from tests.study.terms_made import terms, token
from webecho.study.cluster_descriptions import (
    Frequencies,
    description,
    frequencies,
    log_odds,
    phrases,
)

REST = frequencies([terms("the of cake"), terms("the of tea"), terms("the house"), terms("")])


def test_frequencies_are_of_pages() -> None:
    tokens = np.array([token(word) for word in ("the", "of", "cake", "nowhere")])
    assert REST.of(tokens).tolist() == [3, 2, 1, 0]
    assert REST.pages == 4
    assert frequencies([]).of(tokens).tolist() == [0, 0, 0, 0]
    # A page that says a word twice has it once.
    assert frequencies([terms("tea tea")]).of(tokens[:1]).tolist() == [0]
    assert frequencies([terms("tea tea")]).counts.tolist() == [1]


def test_odds_are_of_pages_that_have_a_word_against_those_that_have_it_not() -> None:
    own = frequencies([terms("the lamp"), terms("the lamp"), terms("lamp tea")])
    tokens = np.array([token("lamp"), token("the"), token("tea")])
    expected = [
        log(3.5 / 0.5) - log(0.5 / 4.5),  # 3 of 3, and 0 of 4
        log(2.5 / 1.5) - log(3.5 / 1.5),  # 2 of 3, and 3 of 4
        log(1.5 / 2.5) - log(1.5 / 3.5),  # 1 of 3, and 1 of 4
    ]
    assert log_odds(own, REST, tokens).tolist() == pytest.approx(expected)


def test_a_description_has_what_is_common_here_and_rare_elsewhere() -> None:
    members = [
        terms("the red lamp of the house is bright and warm, says Anna"),
        terms("the red lamp of the house is bright and warm, says Bert"),
        terms("the red lamp of the house is bright and warm, says Carl"),
    ]
    # `the`, `of` and `house` are known elsewhere, the last one least; Anna stands on one page of
    # three.
    assert description(members, REST) == "red lamp, house is bright and warm says"


def test_what_more_than_a_tenth_of_the_others_have_comes_last() -> None:
    page = terms("one two three four five six seven eight nine", title={"nine"})
    others = [terms("ten")] * 8
    assert "nine" in (description([page], frequencies([terms("nine"), *others, *others])) or "")
    assert "nine" not in (description([page], frequencies([terms("nine"), *others])) or "")


def test_titles_headings_and_what_is_said_often_come_first() -> None:
    text = "one two three four five six seven eight nine ten"
    assert description([terms(text)], REST) == "one two three four five six seven eight"
    titled = terms(text, title={"ten"}, heading={"nine"})
    assert description([titled], REST) == "one two three four five six, nine ten"
    often = terms(f"{text} ten ten ten")
    assert description([often], REST) == "one two three four five six seven, ten"


def test_pages_of_few_words_are_described_by_all_of_them() -> None:
    assert description([terms("Untitled Document")], REST) == "nothing but Untitled Document"
    # Even if all the others have them.
    assert description([terms("the of")], REST) == "nothing but the of"
    assert description([terms("")], REST) == "no words"


def test_where_nothing_sets_them_apart_there_is_no_description() -> None:
    page = terms("a b c d e f g h i j")
    assert description([page], frequencies([page] * 3)) is None
    # Letters alone, and words that markup glued together, say nothing.
    assert description([page], REST) is None
    glued = terms(" ".join("x" * count for count in range(31, 41)))
    assert description([glued], REST) is None


def test_without_a_rest_all_words_are_as_good() -> None:
    found = description([terms("one two three four five six seven eight nine")], frequencies([]))
    assert found == "one two three four five six seven eight"


def test_words_that_follow_each_other_make_a_phrase() -> None:
    assert phrases([(0, 7, "lamp"), (0, 2, "red"), (0, 6, "a"), (1, 8, "tea")]) == (
        "red, a lamp, tea"
    )
    assert phrases([]) is None


def test_no_tokens_are_in_no_page() -> None:
    none = Frequencies(np.array([], np.int64), np.array([], np.int64), 0)
    assert none.of(np.array([1, 2])).tolist() == [0, 0]
