"""The difference of two pages: what it is made of, and that it is true."""

import difflib
from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

import webecho
from tests.collections_made import edited, prose
from tests.kernel import reference
from webecho.group.difference import Kind, Stretch
from webecho.settings import WEBECHO


def difference(left: str, right: str) -> tuple[Stretch, ...]:
    # A full stop in front, so that text beginning with < is not taken for markup.
    found = webecho.diff(f". {left}".encode(), f". {right}".encode()).difference
    assert found is not None
    return found


def listed(left: str, right: str) -> list[tuple[Kind, str]]:
    return [(each.kind, " ".join(each.words)) for each in difference(left, right)]


def test_differences_worked_out_by_hand() -> None:
    fox = "the quick brown fox jumps over the lazy dog"
    assert listed(fox, fox) == [("equal", fox)]
    assert listed(fox, "") == [("removed", fox)]
    assert listed("", fox) == [("added", fox)]
    assert listed("", "") == []
    assert listed(fox, fox.replace("fox", "cat")) == [
        ("equal", "the quick brown"),
        ("removed", "fox"),
        ("added", "cat"),
        ("equal", "jumps over the lazy dog"),
    ]
    assert listed("one two three", "zero one two") == [
        ("added", "zero"),
        ("equal", "one two"),
        ("removed", "three"),
    ]


def test_words_with_the_same_tokens_that_are_written_differently() -> None:
    equal, rewritten = difference("And The Fox, STRASSE", "And  the fox; Straße")
    assert (equal.kind, equal.left, equal.right) == ("equal", ("And",), ("And",))
    assert rewritten.kind == "rewritten"
    assert rewritten.left == ("The", "Fox,", "STRASSE")
    assert rewritten.right == ("the", "fox;", "Straße")
    assert rewritten.words == rewritten.left


def test_symbols_that_make_no_token() -> None:
    def written(left: str, right: str) -> list[tuple[Kind, tuple[str, ...], tuple[str, ...]]]:
        return [(each.kind, each.left, each.right) for each in difference(left, right)]

    assert written("the operator<< writes", "the operator>> writes") == [
        ("equal", ("the",), ("the",)),
        ("rewritten", ("operator<<",), ("operator>>",)),
        ("equal", ("writes",), ("writes",)),
    ]
    assert written("one a-b", "one a - b") == [
        ("equal", ("one",), ("one",)),
        ("rewritten", ("a-",), ("a -",)),
        ("equal", ("b",), ("b",)),
    ]
    # Of pages without any token; the full stop stands before each.
    assert written("%", "&&") == [("rewritten", (". %",), (". &&",))]
    assert written("%", "%") == written("", " \n") == []
    # At either end of a page.
    assert written("! one two?", "? one two") == [
        ("rewritten", (". ! one", "two?"), (". ? one", "two")),
    ]
    # White space is folded, of whatever characters.
    assert written("one\u3000two\n", "one  two") == [("equal", ("one", "two"), ("one", "two"))]


def test_what_stands_next_to_a_change_is_part_of_it() -> None:
    assert listed("one (two) three four", "one three four") == [
        ("equal", "one"),
        ("removed", "two"),
        ("equal", "three four"),
    ]


@given(st.text("aB<% .", max_size=20), st.text("aB<% .", max_size=20))
def test_pages_differ_if_their_text_does(left: str, right: str) -> None:
    found = webecho.diff(f". {left}".encode(), f". {right}".encode())
    same = " ".join(left.split()) == " ".join(right.split())
    assert found.same_text == same
    assert all(each.kind == "equal" for each in found.difference or ()) == same


def test_a_word_between_larger_changes_is_part_of_them() -> None:
    assert listed("a b c the d e f", "u v w the x y z") == [
        ("removed", "a b c the d e f"),
        ("added", "u v w the x y z"),
    ]


# A page with a NUL is neither HTML nor text.
ANY = st.text(st.characters(codec="utf-8", exclude_characters="\0"))
some = st.lists(st.sampled_from(["a", "b", "the", "Fox", "fox", "漢字", "Straße", "."]))
texts = st.tuples(some, some, some).map(
    lambda parts: (" ".join(parts[0] + parts[1]), " ".join(parts[1] + parts[2]))
)


@given(pages=texts | st.tuples(ANY, ANY))
@example(pages=("a b " * 300, "b a " * 300))
@example(pages=("x " * 50, "x " * 40 + "y " * 5 + "x " * 20))
def test_it_leads_from_one_page_to_the_other(pages: tuple[str, str]) -> None:
    found = difference(*pages)
    for page, side in zip(pages, ("left", "right"), strict=True):
        words = [word for each in found for word in getattr(each, side)]
        # Python's tables of characters are older than the kernel's; lengths agree all the same.
        prints = webecho.diff(f". {page}".encode(), b".").left.tokens
        # Symbols alone are told, and are no words.
        assert len(words) == prints or (not prints and len(words) == len(found) == 1)
    for each in found:
        assert each.words
        if each.kind in ("equal", "rewritten"):
            left, right = (
                reference.words(" ".join(side), WEBECHO) for side in (each.left, each.right)
            )
            assert left == right
        else:
            assert not (each.right if each.kind == "removed" else each.left)
    kinds = [each.kind for each in found]
    assert not any(one == other for one, other in pairwise(kinds))
    assert ("added", "removed") not in pairwise(kinds)


def test_it_finds_about_as_much_as_the_slow_way() -> None:
    text = prose(1, 600)
    for places in ([], [0], [599], range(5, 600, 40), [100, 101, 102, 300]):
        other = edited(text, *places)
        other = [*other[:250], *prose(2, 30), *other[250:]]
        found = difference(" ".join(text), " ".join(other))
        equal = sum(len(each.words) for each in found if each.kind == "equal")
        blocks = difflib.SequenceMatcher(None, text, other, autojunk=False).get_matching_blocks()
        assert equal == sum(block.size for block in blocks) == 600 - len(places)
