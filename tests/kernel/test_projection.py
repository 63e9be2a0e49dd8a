"""Projection: for each dimension the sign of the sum over all tokens."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel import kernels, reference
from webecho.settings import FETTERLY_2004, WEBECHO, Recipe, recipe

BOTH = ["webecho", "fetterly2004"]


def check(text: str, recipe: Recipe) -> None:
    tokens = kernels.tokens(text, recipe)
    found = kernels.row(text, recipe, columns=["projection"])["projection"]
    assert found == reference.projection(tokens, recipe)


def test_one_token_gives_its_own_signs() -> None:
    token = reference.fingerprint("echo", "fast")
    found = kernels.row("Echo", WEBECHO)["projection"]
    assert found == [reference.signs(token, number) for number in range(6)]


def test_an_even_sum_of_zero_gives_no_bit() -> None:
    """Two tokens that disagree in a dimension leave it at zero, and zero is not positive."""
    one, other, both = (kernels.row(text, WEBECHO)["projection"] for text in ("a", "b", "a b"))
    assert both == [left & right for left, right in zip(one, other, strict=True)]


def test_a_token_counts_as_often_as_it_occurs() -> None:
    """Of three tokens, two the same, those two decide."""
    assert kernels.row("a a b", WEBECHO)["projection"] == kernels.row("a", WEBECHO)["projection"]


# The sums are counted sixteen tokens at a time, with a carry at each power of two.
@pytest.mark.parametrize("count", [1, 2, 15, 16, 17, 31, 32, 33, 255, 256, 257, 700])
@pytest.mark.parametrize("name", BOTH)
def test_any_number_of_tokens(name: str, count: int) -> None:
    check(" ".join(f"w{n * n % 97}" for n in range(count)), recipe(name))


@pytest.mark.parametrize("bits", [64, 128, 320, 512, 576, 1024, 2048])
def test_other_numbers_of_bits(bits: int) -> None:
    check("one two three four five one six", recipe("webecho", bits=bits))


@given(st.lists(st.integers(0, 50), min_size=1, max_size=200), st.sampled_from(BOTH))
def test_any_words(numbers: list[int], name: str) -> None:
    check(" ".join(map(str, numbers)), recipe(name))


def test_a_huge_page() -> None:
    # 2 MB: every dimension is counted up to 400,000.
    check("yes no maybe so " * 100_000 + "no " * 7, WEBECHO)


@pytest.mark.data
@pytest.mark.parametrize("recipe", [WEBECHO, FETTERLY_2004], ids=lambda recipe: recipe.name)
def test_real_text(recipe: Recipe, data: Path) -> None:
    pages = kernels.real_pages(data / "debian_docs.parquet", 25, 10_000)
    assert len(pages) > 15
    for page in pages:
        check(page["body"], recipe)
