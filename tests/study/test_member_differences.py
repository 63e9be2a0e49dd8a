"""In which words pages of a cluster differ, worked out by hand."""

import pytest

from tests.study.terms_made import terms
from webecho.study.cluster_descriptions import frequencies
from webecho.study.member_differences import (
    IN_WORDS,
    NOTHING,
    NOTHING_MEANINGFUL,
    Member,
    differences,
    is_name,
    said_more,
)

REST = frequencies([terms("the of a"), terms("the house"), terms("the garden")])


def member(text: str, host: str | None = "www.shop.example") -> Member:
    return Member(terms(text), host)


def test_the_same_words_in_the_same_order_are_no_difference() -> None:
    found = differences(member("buy the lamp"), [member("buy the lamp")] * 3, REST)
    assert (found.compared, found.other_tokens, found.other_words) == (3, 0, 0)
    assert (found.kind, found.own, found.others) == (NOTHING, (), ())


def test_other_words_are() -> None:
    first = member("buy the red lamp")
    others = [member("buy the red chair"), member("buy the red lamp"), member("buy the green lamp")]
    found = differences(first, others, REST)
    assert (found.compared, found.other_tokens, found.other_words) == (3, 2, 2)
    assert found.kind == IN_WORDS
    # Each is lacking once, and all are as rare.
    assert (found.own, found.others) == (("lamp", "red"), ("chair", "green"))


def test_order_alone_is_nothing_meaningful() -> None:
    found = differences(member("red lamp and chair"), [member("chair and red lamp")], REST)
    assert (found.other_tokens, found.other_words) == (1, 0)
    assert (found.kind, found.own, found.others) == (NOTHING_MEANINGFUL, (), ())


def test_a_word_that_is_said_more_often_is_a_difference() -> None:
    """`red` stands in the menu of both: what is for sale here is blue."""
    found = differences(member("red blue: a red lamp"), [member("red blue: a blue lamp")], REST)
    assert found.kind == IN_WORDS
    assert (found.own, found.others) == (("red",), ("blue",))


def test_the_name_of_the_own_host_is_nothing_meaningful() -> None:
    first = member("welcome to Acme lamps", "www.acme.example")
    found = differences(first, [member("welcome to Best Lamps", "best-lamps.example")], REST)
    # `best` is the other's name; `acme` that of the first.
    assert found.kind == NOTHING_MEANINGFUL
    found = differences(first, [member("welcome to Best Lamps", "acme.example")], REST)
    assert (found.own, found.others) == ((), ("Best",))


def test_frequent_and_rare_words_come_first() -> None:
    first = member("lamp the tea")
    others = [member("the tea"), member("the tea"), member("lamp")]
    found = differences(first, others, REST)
    # Two lack the lamp, one the tea, and one what all other pages have.
    assert found.own == ("lamp", "tea", "the")
    assert found.others == ()


def test_no_more_than_eight_words_are_told() -> None:
    words = "one two three four five six seven eight nine ten"
    found = differences(member(words), [member("")], REST)
    assert len(found.own) == 8


def test_what_one_page_says_more() -> None:
    one, other = member("red red lamp"), member("red chair lamp lamp")
    assert [word for _, word in said_more(one, other)] == ["red"]
    assert {word for _, word in said_more(other, one)} == {"chair", "lamp"}
    assert [*said_more(one, one)] == []
    assert {word for _, word in said_more(one, member(""))} == {"red", "lamp"}


@pytest.mark.parametrize(
    ("word", "host", "name"),
    [
        ("Acme", "www.acme.example", True),
        ("NBC", "www.nbcnews.example", True),
        ("news", "nbcnews.example", True),
        ("girl", "the-girl-shop.example", True),
        ("cn", "nbcnews.example", False),
        ("cnew", "nbcnews.example", False),
        ("to", "to.example", False),
        ("acme", None, False),
    ],
)
def test_names_of_hosts(word: str, host: str | None, name: bool) -> None:
    assert is_name(word, host) is name
