"""Each of the six conditions of Baeza-Yates 2007, section 4.1, has a case that it alone filters."""

from pathlib import Path

import numpy as np
import pytest

from tests.study.reuse_made import after, page, sentences, studied
from webecho.study.reuse_conditions import (
    Hits,
    distinct_paragraphs,
    new_address,
    one_of_duplicates,
    one_of_old_pairs,
    two_answers,
)

A, B = sentences("river", 1, 30), sentences("mountain", 1, 30)
OLD = {
    "http://a.example/river": page("geography", A),
    "http://b.example/mountain": page("geography", B),
    "http://c.example/other": page("cooking", sentences("oven", 1, 20)),
}
# Twelve sentences in a row are ten paragraphs.
COMPOSED = page(A[:12], B[:12])


def test_a_page_made_from_two_answers_is_left(tmp_path: Path) -> None:
    found = studied(tmp_path, OLD, {"http://n.example/": COMPOSED}, ["geography"])
    assert after(found) == [1, 1, 1, 1, 1, 1, 1]
    assert after(found, 15) == [1, 0, 0, 0, 0, 0, 0]


def test_condition_1_alone_filters_too_few_paragraphs(tmp_path: Path) -> None:
    # Eleven sentences of one are nine paragraphs.
    new = {"http://n.example/": page(A[:11], B[:12])}
    found = studied(tmp_path, OLD, new, ["geography"])
    # The mountain's ten paragraphs alone are enough for the first condition, not for two.
    assert after(found) == [1, 1, 0, 0, 0, 0, 0]
    assert after(found, 5) == [1, 1, 1, 1, 1, 1, 1]
    few = {"http://n.example/": page(A[:11], B[:11])}
    found = studied(tmp_path / "few", OLD, few, ["geography"])
    assert after(found) == [1, 0, 0, 0, 0, 0, 0]
    assert after(found, 5) == [1, 1, 1, 1, 1, 1, 1]


def test_condition_2_alone_filters_answers_to_two_queries(tmp_path: Path) -> None:
    old = {
        "http://a.example/river": page("water", A),
        "http://b.example/mountain": page("stone", B),
    }
    new = {"http://n.example/": COMPOSED}
    found = studied(tmp_path / "two", old, new, ["water", "stone"])
    assert after(found) == [1, 1, 0, 0, 0, 0, 0]
    found = studied(tmp_path / "one", old, new, ["water stone"])
    assert after(found) == [1, 1, 1, 1, 1, 1, 1]


def test_condition_3_alone_filters_what_both_have(tmp_path: Path) -> None:
    # All that comes from the first stands in the second too, but for one paragraph.
    both = A[:15]
    one = page("geography", both)
    new = {"http://n.example/": page(both, B[:12])}

    def found(other: list[str], folder: str) -> list[int]:
        old = {"http://a.example/": one, "http://b.example/": page("geography", other, B)}
        return after(studied(tmp_path / folder, old, new, ["geography"]))

    assert found(A[:14], "one") == [1, 1, 1, 0, 0, 0, 0]
    assert found(A[:13], "two") == [1, 1, 1, 1, 1, 1, 1]


def test_condition_4_alone_filters_old_addresses(tmp_path: Path) -> None:
    # The same address, written in another way.
    new = {"http://C.example:80/other": COMPOSED}
    found = studied(tmp_path / "old", OLD, new, ["geography"])
    assert after(found) == [1, 1, 1, 1, 0, 0, 0]
    new = {"http://c.example/another": COMPOSED}
    found = studied(tmp_path / "new", OLD, new, ["geography"])
    assert after(found) == [1, 1, 1, 1, 1, 1, 1]


def test_condition_5_alone_filters_duplicates_among_new_pages(tmp_path: Path) -> None:
    """Duplicates have the same paragraphs without overlap. In another order they share others with
    overlap: the two new pages are made from four old ones, no two of which are duplicates."""
    blocks = [sentences(f"block {number}", 1, 3) for number in range(12)]
    turned = [*blocks[::2], *blocks[1::2]]

    def joined(some: list[list[str]]) -> list[str]:
        return [sentence for block in some for sentence in block]

    old = {
        f"http://{name}.example/": page("geography", joined(half))
        for name, half in zip("abcd", (blocks[:6], blocks[6:], turned[:6], turned[6:]), strict=True)
    }
    new = {"http://m.example/": page(joined(blocks)), "http://n.example/": page(joined(turned))}
    assert after(studied(tmp_path / "both", old, new, ["geography"])) == [2, 2, 2, 2, 2, 1, 1]
    # Without being duplicates both would be left.
    new["http://n.example/"] += " One sentence more."
    assert after(studied(tmp_path / "more", old, new, ["geography"])) == [2, 2, 2, 2, 2, 2, 2]


def test_condition_6_alone_filters_duplicates_among_old_pages(tmp_path: Path) -> None:
    """The paper's example: A and B make a new page, and then B and C, a duplicate of A, another."""
    old = OLD | {"http://d.example/copy": OLD["http://a.example/river"]}
    new = {"http://m.example/": COMPOSED, "http://n.example/": page(A[15:27], B[15:27])}
    assert after(studied(tmp_path / "copy", old, new, ["geography"])) == [2, 2, 2, 2, 2, 2, 1]
    # From other old pages it would be left.
    old["http://d.example/copy"] = page("geography", A[15:])
    old["http://a.example/river"] = page("geography", A[:15])
    assert after(studied(tmp_path / "other", old, new, ["geography"])) == [2, 2, 2, 2, 2, 2, 2]


@pytest.mark.parametrize("seed", range(5))
def test_two_answers_as_by_looking_at_each_query(seed: int) -> None:
    chance = np.random.default_rng(seed)
    query = np.sort(chance.integers(0, 8, 30))
    shared = chance.integers(1, 20, 30)
    logs = chance.random((3, 8)) < 0.5
    found = two_answers(Hits(query, np.arange(30), shared), logs)
    for row, log in enumerate(logs):
        slow = [
            sorted(shared[query == number])[-2]
            for number in range(8)
            if log[number] and (query == number).sum() > 1
        ]
        assert found[row] == max(slow, default=0)


def test_distinct_paragraphs_counts_both_ways() -> None:
    stands = np.array([[1, 1, 1, 0, 0], [0, 1, 1, 1, 1], [1, 1, 1, 1, 0], [0, 0, 1, 1, 1]], bool)
    # The first has one that the second has not; the second and the fourth differ by one.
    assert distinct_paragraphs(stands).tolist() == [
        [False, False, False, True],
        [False, False, False, False],
        [False, False, False, False],
        [True, False, False, False],
    ]


def test_new_address() -> None:
    old = np.array([-5, 3, 9])
    assert [new_address(key, old) for key in (None, 4, 10, 3, 9, -5)] == [
        *(True, True, True),
        *(False, False, False),
    ]


def test_duplicates_and_old_pairs_count_once() -> None:
    cluster = np.array([0, 0, 0, 1, 2, 2])
    new = np.array([4, 4, 7, 5, 1, 3])
    first = one_of_duplicates(new, cluster)
    assert first.tolist() == [True, True, False, True, True, False]
    pair = np.array([0, 1, 2, 1, 1, 3])
    # Pair 1 is first met with page 1, and so page 4 is left for pair 0 alone.
    assert one_of_old_pairs(new[first], pair[first], 4).tolist() == [4, 1, -1, -1]
    assert len(one_of_duplicates(np.zeros(0, int), np.zeros(0, int))) == 0
