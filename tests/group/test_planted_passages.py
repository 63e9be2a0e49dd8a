"""A passage that two otherwise different pages share gives exactly the chunks that it has."""

import pyarrow as pa
import pytest

import webecho
from tests.collections_made import prose

WORDS = 5  # on each line


def page(seed: int, before: int, passage: list[str], after: int) -> str:
    """Lines of its own around a passage."""
    own = [" ".join(prose(seed * 1000 + line, WORDS)) for line in range(before + after)]
    return "\n".join([*own[:before], *passage, *own[before:]])


# With lines after it on both pages. Chunks of n lines begin at lines 0, n, 2n, … of each page: the
# passage begins at the same place within one on both pages where the lines before it are equal
# modulo n. Then those chunks are shared that lie within it.
PLANTED = [
    # before left, right, lines; lines:4, lines:2, lines:4:sliding, words:8:sliding
    #
    # 0 and 0, 0 and 0 modulo 4: 20 lines are 5 chunks of four, 10 of two.
    (0, 0, 20, 5, 10, 17, 93),
    (4, 8, 20, 5, 10, 17, 93),
    # 1 and 1: three lines are in a chunk with others, 17 are left, and modulo 2 one, 19.
    (1, 5, 20, 4, 9, 17, 93),
    # 2 and 2: two lines, 19 are left of 21; modulo 2 none.
    (2, 6, 21, 4, 10, 18, 98),
    # 3 and 3: one line, 2 are left of 3, too few for four and one of two.
    (3, 7, 3, 0, 1, 0, 8),
    # 1 and 3: the same modulo 2 only.
    (1, 3, 20, 0, 9, 17, 93),
    (0, 2, 20, 0, 10, 17, 93),
    # 1 and 2: neither. What slides finds all of it.
    (1, 2, 20, 0, 0, 17, 93),
    (3, 0, 64, 0, 0, 61, 313),
    # Two lines of five words are three runs of eight; one line is none.
    (0, 1, 2, 0, 0, 0, 3),
    (0, 1, 1, 0, 0, 0, 0),
]
CHUNKINGS = ("lines:4", "lines:2", "lines:4:sliding", "words:8:sliding")


@pytest.mark.parametrize("planted", PLANTED)
def test_the_shared_chunks_of_a_passage(planted: tuple[int, ...]) -> None:
    left, right, length, *expected = planted
    passage = [" ".join(prose(10_000_000 + line, WORDS)) for line in range(length)]
    texts = [page(1, left, passage, 7), page(2, right, passage, 6)]
    assert shared(texts) == dict(zip(CHUNKINGS, expected, strict=True))


def test_at_the_end_of_both_pages_a_last_part_counts() -> None:
    """0 and 0 modulo 4: ten lines are two chunks of four, and one of two lines."""
    passage = [" ".join(prose(10_000_000 + line, WORDS)) for line in range(10)]
    at_end = [page(1, 0, passage, 0), page(2, 4, passage, 0)]
    assert shared(at_end) == dict(zip(CHUNKINGS, (3, 5, 7, 43), strict=True))
    # It is no chunk of a page that goes on.
    at_one = [page(1, 0, passage, 0), page(2, 4, passage, 5)]
    assert shared(at_one) == dict(zip(CHUNKINGS, (2, 5, 7, 43), strict=True))


def test_what_stands_twice_counts_once() -> None:
    passage = [" ".join(prose(10_000_000 + line, WORDS)) for line in range(8)]
    texts = [page(1, 4, passage + passage, 4), page(2, 0, passage, 4)]
    # Where the passage meets itself, no chunk is shared.
    assert shared(texts) == dict(zip(CHUNKINGS, (2, 4, 5, 33), strict=True))


def test_wrapped_in_another_way_its_words_stay() -> None:
    """Lines end elsewhere, so that none is the same; runs of words go over lines."""
    words = prose(10_000_000, 60)
    one = [" ".join(words[start : start + 5]) for start in range(0, 60, 5)]
    other = [" ".join(words[start : start + 7]).upper() for start in range(0, 60, 7)]
    found = shared([page(1, 3, one, 4), page(2, 2, other, 4)])
    assert found == dict(zip(CHUNKINGS, (0, 0, 0, 53), strict=True))


def shared(texts: list[str]) -> dict[str, int]:
    """The chunks that the two pages share, by each chunking and both methods."""
    table = pa.table({"text": texts})
    found = {}
    for chunking in CHUNKINGS:
        counts = {
            tuple(webecho.overlap(table, chunking, 1, method=method)["shared_chunks"].to_pylist())
            for method in ("sorted", "coarse")
        }
        [[*count]] = counts
        found[chunking] = sum(count)
    return found
