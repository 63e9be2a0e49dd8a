"""Words: the tokens as the text spells them, one for each fingerprint."""

import unicodedata
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given

from tests.kernel import kernels, reference
from tests.kernel.test_tokens import RECIPES, any_text, awkward, mostly_ascii
from webecho.settings import HENZINGER_2006, WEBECHO, Recipe


def words(
    body: str | bytes | None, recipe: Recipe, markup: bool = False, url: str | None = None
) -> tuple[list[str] | None, list[int] | None]:
    """The words of a page, and the fingerprints that came with them."""
    page = {
        "body": pa.array([body], pa.binary() if isinstance(body, bytes) else pa.string()),
        "markup": pa.array([markup]),
        "charset": pa.nulls(1, pa.string()),
        "url": pa.array([url], pa.string()),
    }
    row = kernels.sketcher(recipe).words(pa.record_batch(page)).to_pylist()[0]
    prints = row["tokens"]
    return row["words"], None if prints is None else kernels.unsigned(prints)


def check(text: str, recipe: Recipe) -> None:
    found, prints = words(text, recipe)
    expected = reference.words(text, recipe)
    assert found is not None
    assert prints == [reference.fingerprint(word, recipe.fingerprint) for word in expected]
    assert len(found) == len(expected)
    for word, token in zip(found, expected, strict=True):
        folded = unicodedata.normalize("NFC", word).casefold() if recipe.fold_case else word
        assert token in (word, folded)


def test_words_are_spelt_as_in_the_text() -> None:
    text = "The quick-brown FOX, Straße: E\u0301cole 漢字2024"
    assert words(text, WEBECHO)[0] == [
        *("The", "quick", "brown", "FOX", "Straße", "E\u0301cole", "漢", "字", "2024")
    ]
    assert words("", WEBECHO) == ([], [])
    assert words(None, WEBECHO) == (None, None)


def test_markup_charset_and_images_are_read_as_for_sketches() -> None:
    page = '<meta charset=latin1><title>Ü</title><p>On<b>e</b> <img src="/a/My%20logo.gif"> two'
    assert words(page.encode("latin1"), WEBECHO, markup=True)[0] == ["Ü", "One", "two"]
    found, prints = words(page, HENZINGER_2006, markup=True, url="http://a.example/")
    assert found == ["Ü", "One", "My%20logo.gif", "two"]
    assert prints == kernels.tokens(page, HENZINGER_2006, markup=True, url="http://a.example/")


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
@given(text=any_text | awkward | mostly_ascii)
def test_any_text(recipe: Recipe, text: str) -> None:
    check(text, recipe)


@pytest.mark.data
@pytest.mark.parametrize("recipe", [WEBECHO, HENZINGER_2006], ids=lambda recipe: recipe.name)
def test_real_text(recipe: Recipe, data: Path) -> None:
    for page in kernels.real_pages(data / "debian_docs.parquet", 200, 30_000):
        check(page["body"], recipe)
