"""Features and supershingles: the lowest shingle under each function, and their groups."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel import kernels, reference
from webecho.settings import FETTERLY_2004, WEBECHO, Recipe, recipe

BOTH = ["webecho", "fetterly2004"]


def check(text: str, recipe: Recipe) -> None:
    found = kernels.row(text, recipe)
    features = reference.features(found["shingles"], recipe)
    assert found["features"] == features
    assert found["supershingles"] == reference.supershingles(features, recipe)


def numbered(count: int) -> str:
    return " ".join(f"word{n}" for n in range(count))


def test_a_known_primitive_polynomial_and_three_that_are_none() -> None:
    t64 = 1 << 64
    assert reference.is_primitive(t64 | 0b11011)  # t⁶⁴ + t⁴ + t³ + t + 1, of every table
    assert not reference.is_primitive(t64 | 0b11010)  # divisible by t
    assert not reference.is_primitive(t64 | 0b1)  # divisible by t + 1, 64 times
    assert not reference.is_primitive(t64 | 0b110101)  # has factors, neither t nor t + 1


def test_the_functions_of_the_papers_have_different_polynomials() -> None:
    assert len({reference.polynomial(n) for n in range(86)}) == 86


@pytest.mark.parametrize("count", [1, 2, 5, 6, 12, 30, 90, 200])
@pytest.mark.parametrize("name", BOTH)
def test_pages_from_one_shingle_up(name: str, count: int) -> None:
    check(numbered(count), recipe(name))


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize(("m", "width"), [(1, 1), (6, 3), (20, 20), (84, 2), (100, 10), (200, 8)])
def test_other_numbers_of_features(name: str, m: int, width: int) -> None:
    for count in (3, 40):
        check(numbered(count), recipe(name, m=m, width=width))


@given(st.lists(st.integers(0, 300), min_size=1), st.sampled_from(BOTH), st.integers(1, 30))
def test_any_words(numbers: list[int], name: str, m: int) -> None:
    check(" ".join(map(str, numbers)), recipe(name, m=m, width=m))


@pytest.mark.parametrize("name", BOTH)
def test_order_and_repetition_do_not_matter(name: str) -> None:
    # With k = 1 a page's shingles are its words.
    single = recipe(name, k=1)
    left = kernels.row(numbered(50), single)
    right = kernels.row(" ".join(reversed((numbered(50) + " " + numbered(20)).split())), single)
    assert left["features"] == right["features"]
    assert left["supershingles"] == right["supershingles"]
    assert left["digest"] != right["digest"]


@pytest.mark.parametrize("name", BOTH)
def test_a_page_of_one_shingle_has_it_everywhere(name: str) -> None:
    row = kernels.row("word", recipe(name))
    assert row["features"] == row["shingles"] * 84
    assert len(set(row["supershingles"])) == 1


@pytest.mark.data
@pytest.mark.parametrize(
    ("recipe", "count", "longest"),
    [
        (WEBECHO, 40, 2_000),
        (WEBECHO, 1, 60_000),
        (FETTERLY_2004, 12, 1_500),
        (recipe("fetterly2004", m=6, width=2), 60, 3_000),
        (recipe("webecho", m=6, width=2), 60, 8_000),
    ],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_real_text(recipe: Recipe, count: int, longest: int, data: Path) -> None:
    pages = kernels.real_pages(data / "debian_docs.parquet", count, longest)
    assert pages
    for page in pages:
        check(page["body"], recipe)
