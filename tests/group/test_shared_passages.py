"""What two pages share, by hand."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tests.kernel.kernels import sketcher
from tests.kernel.test_chunks import pages
from webecho.chunkings import Chunking
from webecho.group.shared_passages import GAP, joined, shared_passages, shared_runs
from webecho.settings import WEBECHO
from webecho.sketches.passages import Passage, passages


def lined(letters: str) -> list[Passage]:
    """A page that has a letter on each line, each of them a chunk."""
    return [
        Passage(ord(letter), line, line, 2 * (line - 1), letter)
        for line, letter in enumerate(letters, 1)
    ]


def cut(text: str, chunking: str) -> list[Passage]:
    """A page's passages, as the kernel cuts them."""
    [found] = passages(sketcher(WEBECHO), pages([text], markup=False), Chunking.parse(chunking))
    return found


Runs = list[tuple[int, tuple[int, int], tuple[int, int], str]]


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        # Two runs with a line between them that the other has not.
        (
            "abcXdef",
            "YabcdefZ",
            [(3, (1, 3), (2, 4), "a\nb\nc"), (3, (5, 7), (5, 7), "d\ne\nf")],
        ),
        # Passages that changed their places come in the order of the left page.
        ("abcd", "cdab", [(2, (1, 2), (3, 4), "a\nb"), (2, (3, 4), (1, 2), "c\nd")]),
        # What stands twice is taken where the run goes on …
        ("aba", "abXaba", [(2, (1, 2), (1, 2), "a\nb"), (1, (3, 3), (1, 1), "a")]),
        ("baa", "abaa", [(3, (1, 3), (2, 4), "b\na\na")]),
        # … and else where it stands first.
        ("ab", "aXab", [(1, (1, 1), (1, 1), "a"), (1, (2, 2), (4, 4), "b")]),
        # The left page says it twice, the right one once.
        ("abab", "ab", [(2, (1, 2), (1, 2), "a\nb"), (2, (3, 4), (1, 2), "a\nb")]),
        ("abc", "xyz", []),
        ("", "abc", []),
        ("abc", "", []),
    ],
)
def test_runs_of_chunks_on_both(left: str, right: str, expected: Runs) -> None:
    found = [
        (each.chunks, each.left_lines, each.right_lines, each.left_text)
        for each in shared_passages(lined(left), lined(right))
    ]
    assert found == expected


def test_each_side_has_its_own_words() -> None:
    one, other = "Intro line\nHello, world! How\nare you?\n", "HELLO world,\nhow are — you"
    [found] = shared_passages(cut(one, "words:3:sliding"), cut(other, "words:3:sliding"))
    # Five words are three runs of three, and come once.
    assert found.chunks == 3
    assert (found.left_lines, found.right_lines) == ((2, 3), (1, 2))
    assert found.left_text == "Hello, world! How\nare you"
    assert found.right_text == "HELLO world,\nhow are — you"


def test_sliding_lines_are_joined_without_repeating() -> None:
    lines = [f"line number {number}" for number in range(1, 9)]
    one, other = "\n".join(lines), "\n".join(["another begins", *lines[2:7], "and ends"])
    [found] = shared_passages(cut(one, "lines:2:sliding"), cut(other, "lines:2:sliding"))
    assert (found.chunks, found.left_lines, found.right_lines) == (4, (3, 7), (2, 6))
    assert found.left_text == found.right_text == "\n".join(lines[2:7])


def test_what_does_not_meet_is_put_on_lines_of_its_own() -> None:
    apart = [Passage(1, 1, 1, 0, "one"), Passage(2, 2, 2, 9, "two")]
    assert joined(apart) == f"one{GAP}two"
    meeting = [Passage(1, 1, 1, 0, "größe "), Passage(2, 1, 1, 4, "ße zwei")]
    # Starts are counted in bytes, of which ö and ß have two.
    assert joined(meeting) == "größe zwei"
    within = [Passage(1, 1, 1, 0, "one two three"), Passage(2, 1, 1, 4, "two")]
    assert joined(within) == "one two three"


def test_of_short_fingerprints_the_low_bits_are_compared() -> None:
    one, other = [Passage(7 + (5 << 32), 1, 1, 0, "a")], [Passage(7 - (9 << 32), 1, 1, 0, "b")]
    assert shared_passages(one, other) == []
    [found] = shared_passages(one, other, 32)
    assert (found.left_text, found.right_text) == ("a", "b")


@given(some.lists(some.integers(-2, 3)), some.lists(some.integers(-2, 3)))
def test_runs_are_of_all_shared_chunks_each_once(left: list[int], right: list[int]) -> None:
    runs = shared_runs(left, right)
    places = [place for run in runs for place, _ in run]
    assert places == [place for place, chunk in enumerate(left) if chunk in right]
    for run in runs:
        assert all(left[one] == right[other] for one, other in run)
        steps = {(after - one, there - other) for (one, other), (after, there) in pairwise(run)}
        assert steps <= {(1, 1)}
