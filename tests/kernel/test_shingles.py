"""Shingles: every window of k tokens, once."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel import kernels, reference
from webecho.settings import FETTERLY_2004, HENZINGER_2006, WEBECHO, Recipe, recipe

WORDS = ["a", "b", "c", "the", "crème", "漢", "x1", "antidisestablishmentarianism"]
words = st.lists(st.sampled_from(WORDS))


def check(text: str, recipe: Recipe) -> list[int]:
    expected = reference.shingle_set(reference.token_prints(reference.Text([text]), recipe), recipe)
    found = kernels.row(text, recipe, columns=["shingles"])["shingles"]
    assert (found or []) == sorted(expected)
    return found


@pytest.mark.parametrize(
    ("name", "k", "wrap", "count"),
    [
        ("webecho", 5, False, 3),  # of seven words, windows at 1, 2 and 3
        ("webecho", 5, True, 7),  # every word starts one
        ("webecho", 1, False, 6),  # "the" comes twice
        ("webecho", 7, False, 1),
        ("webecho", 9, False, 1),  # fewer words than k: all of them are the one shingle
        ("webecho", 9, True, 7),
        ("fetterly2004", 5, True, 7),
        ("henzinger2006", 8, False, 1),
    ],
)
def test_how_many_shingles_seven_words_have(name: str, k: int, wrap: bool, count: int) -> None:
    text = "the web repeats itself over the years"
    assert len(check(text, recipe(name, k=k, wrap=wrap))) == count


def test_a_short_page_with_wrapping_goes_round() -> None:
    assert check("a b", FETTERLY_2004) == check("b a", FETTERLY_2004)
    assert len(check("a b", FETTERLY_2004)) == 2
    assert len(check("a a", FETTERLY_2004)) == 1
    assert check("a b", WEBECHO) != check("b a", WEBECHO)


def test_no_words_no_shingles() -> None:
    for each in (WEBECHO, FETTERLY_2004, HENZINGER_2006):
        assert kernels.row("… — !", each)["shingles"] is None


@given(
    words,
    st.sampled_from(["webecho", "fetterly2004", "henzinger2006"]),
    st.integers(1, 12),
    st.booleans(),
)
def test_any_words(words: list[str], name: str, k: int, wrap: bool) -> None:
    check(" ".join(words), recipe(name, k=k, wrap=wrap))


@pytest.mark.parametrize(
    ("recipe", "count"), [(WEBECHO, 120_000), (FETTERLY_2004, 20_000)], ids=["webecho", "fetterly"]
)
def test_a_huge_page(recipe: Recipe, count: int) -> None:
    # Three cycles of words, whose order repeats only after 3 · 101 · 211 · 331 of them.
    cycles = [[f"cycle{n}word{i}" for i in range(n)] for n in (101, 211, 331)]
    text = " ".join(cycles[i % 3][i // 3 % len(cycles[i % 3])] for i in range(count))
    assert len(check(text, recipe)) > count - 10


@pytest.mark.data
@pytest.mark.parametrize(
    ("recipe", "count", "longest"),
    [(WEBECHO, 120, 30_000), (FETTERLY_2004, 100, 5_000), (HENZINGER_2006, 100, 5_000)],
    ids=lambda value: getattr(value, "name", ""),
)
def test_real_text(recipe: Recipe, count: int, longest: int, data: Path) -> None:
    pages = kernels.real_pages(data / "debian_docs.parquet", count, longest)
    assert len(pages) > count * 3 // 4
    for page in pages:
        check(page["body"], recipe)
