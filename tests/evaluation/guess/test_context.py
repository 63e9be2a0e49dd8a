"""The text around words that differ."""

from webecho.evaluation.guess.context import FAR, around
from webecho.evaluation.label.page_text import PageText


def reading(text: str) -> PageText:
    """The words of a text, parted by white space."""
    words = text.split()
    starts, at = [], 0
    for word in words:
        at = text.index(word, at)
        starts.append(at)
        at += len(word)
    ends = [start + len(word) for start, word in zip(starts, words, strict=True)]
    return PageText("http://a.example/", text, words, starts, ends)


def test_the_line_of_words_and_what_is_before_them() -> None:
    page = reading("first line\nposted on Jul 3 by Ada\nlast line")
    found = around(page, 4, 6)
    assert found.words == ("Jul", "3")
    assert found.line == "posted on Jul 3 by Ada"
    assert found.line[found.start : found.end] == "Jul 3"
    assert found.before == "posted on "
    assert found.run == "Jul 3"


def test_a_place_between_two_words() -> None:
    page = reading("one two three")
    found = around(page, 2, 2)
    assert (found.words, found.before, found.start, found.end) == ((), "one two", 7, 7)
    assert around(page, 0, 0).start == 0


def test_only_what_is_close_is_looked_at() -> None:
    page = reading("x" * 500 + " here " + "y" * 500)
    found = around(page, 1, 2)
    assert len(found.line) == FAR + len("here") + FAR
    assert found.near in found.line and len(found.near) < len(found.line)


def test_an_address_in_the_text() -> None:
    for text in ("see http://a.example/12 now", "see www.a.example now", "see ada@a.example now"):
        assert around(reading(text), 1, 2).is_address, text
    assert not around(reading("see page 12 now"), 2, 3).is_address
