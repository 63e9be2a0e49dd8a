"""What two pages share, by hand."""

from itertools import product, takewhile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from tests.kernel.kernels import sketcher
from tests.kernel.test_chunks import pages
from webecho.chunkings import Chunking
from webecho.group.shared_passages import Run, longest_run, shared_passages, shared_runs
from webecho.settings import WEBECHO
from webecho.sketches.passages import GAP, Passages, passages


def made(text: str, *chunks: tuple[int, int, int, int, int]) -> Passages:
    """A page with these chunks: fingerprint, first and last line, where it begins and ends."""
    columns = np.array(chunks, np.int64).reshape(-1, 5).T
    return Passages(text.encode(), *columns)


def lined(letters: str) -> Passages:
    """A page that has a letter on each line, each of them a chunk."""
    chunks = [
        (ord(letter), line, line, 2 * (line - 1), 2 * line - 1)
        for line, letter in enumerate(letters, 1)
    ]
    return made("\n".join(letters), *chunks)


def cut(text: str, chunking: str) -> Passages:
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
        # What stands twice is taken where the run is longest …
        ("aba", "abXaba", [(3, (1, 3), (4, 6), "a\nb\na")]),
        ("baa", "abaa", [(3, (1, 3), (2, 4), "b\na\na")]),
        ("ab", "aXab", [(2, (1, 2), (3, 4), "a\nb")]),
        # … and of runs of one length where it stands first.
        ("abX", "abYab", [(2, (1, 2), (1, 2), "a\nb")]),
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
    apart = made("one      two", (1, 1, 1, 0, 3), (2, 2, 2, 9, 12))
    assert apart.cut(0, 2) == f"one{GAP}two"
    assert (apart.cut(1), apart.lines(0, 2)) == ("two", (1, 2))
    # Places are counted in bytes, of which ö and ß have two.
    meeting = made("größe zwei", (1, 1, 1, 0, 8), (2, 1, 1, 5, 12))
    assert meeting.cut(0, 2) == "größe zwei"
    within = made("one two three", (1, 1, 1, 0, 13), (2, 1, 1, 4, 7))
    assert within.cut(0, 2) == "one two three"


def test_of_short_fingerprints_the_low_bits_are_compared() -> None:
    one = made("a", (7 + (5 << 32), 1, 1, 0, 1))
    other = made("b", (7 - (9 << 32), 1, 1, 0, 1))
    assert shared_passages(one, other) == []
    assert longest_run(one.chunks, other.chunks) is None
    [found] = shared_passages(one, other, 32)
    assert (found.left_text, found.right_text) == ("a", "b")
    assert longest_run(one.chunks, other.chunks, 32) == Run(0, 0, 1)


def common(left: list[int], right: list[int], one: int, other: int) -> int:
    """How many chunks from two places on are the same."""
    pairs = zip(left[one:], right[other:], strict=False)
    return sum(1 for _ in takewhile(lambda two: two[0] == two[1], pairs))


FEW = some.lists(some.integers(-2, 3), max_size=30)


@given(FEW, FEW)
def test_runs_are_of_all_shared_chunks_each_once(left: list[int], right: list[int]) -> None:
    runs = [*shared_runs(np.array(left, np.int64), np.array(right, np.int64))]
    places = [place for run in runs for place in range(run.left, run.left + run.count)]
    assert places == [place for place, chunk in enumerate(left) if chunk in right]
    for run in runs:
        lengths = [common(left, right, run.left, other) for other in range(len(right))]
        assert (run.count, run.right) == (max(lengths), lengths.index(max(lengths)))


@given(FEW, FEW)
def test_the_longest_run_of_all(left: list[int], right: list[int]) -> None:
    every = [
        (-common(left, right, one, other), one, other)
        for one, other in product(range(len(left)), range(len(right)))
    ]
    count, one, other = min(every, default=(0, 0, 0))
    expected = Run(one, other, -count) if count else None
    assert longest_run(np.array(left, np.int64), np.array(right, np.int64)) == expected


def test_what_is_said_a_million_times_takes_no_square_of_it() -> None:
    same = np.full(1_000_000, 7, np.int64)
    other = np.append(same, 8)
    assert [*shared_runs(same, other)] == [Run(0, 0, 1_000_000)]
    assert longest_run(same, other) == Run(0, 0, 1_000_000)


def test_sliding_chunks_take_no_more_than_the_page() -> None:
    """Their texts together would be 400 times as long."""
    text = " ".join(f"word{number % 1013}" for number in range(50_000))
    [found] = shared_passages(*[cut(text, "words:400:sliding")] * 2)
    assert (found.chunks, found.left_text) == (50_000 - 399, text)
    held = [column.nbytes for column in vars(found.left).values() if isinstance(column, np.ndarray)]
    assert sum(held) == 5 * 8 * found.chunks
