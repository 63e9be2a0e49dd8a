"""Words: the tokens as the text spells them, one for each fingerprint."""

import unicodedata
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given

from tests.kernel import kernels, reference
from tests.kernel.test_tokens import RECIPES, any_text, awkward, mostly_ascii
from webecho.settings import HENZINGER_2006, WEBECHO, Recipe


def layout(
    body: str | bytes | None, recipe: Recipe, markup: bool = False, url: str | None = None
) -> dict[str, Any]:
    """All that is known of a page's words."""
    page = {
        "body": pa.array([body], pa.binary() if isinstance(body, bytes) else pa.string()),
        "markup": pa.array([markup]),
        "charset": pa.nulls(1, pa.string()),
        "url": pa.array([url], pa.string()),
    }
    found: dict[str, Any] = kernels.sketcher(recipe).words(pa.record_batch(page)).to_pylist()[0]
    return found


def words(
    body: str | bytes | None, recipe: Recipe, markup: bool = False, url: str | None = None
) -> tuple[list[str] | None, list[int] | None]:
    """The words of a page, and the fingerprints that came with them."""
    row = layout(body, recipe, markup, url)
    prints = row["tokens"]
    return row["words"], None if prints is None else kernels.unsigned(prints)


def check(text: str, recipe: Recipe) -> None:
    row = layout(text, recipe)
    found, prints = row["words"], kernels.unsigned(row["tokens"])
    assert row["text"] == text
    spans = [*zip(row["starts"], row["ends"], strict=True)]
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    for word, (start, end) in zip(found, spans, strict=True):
        # Where normalising changed what a token is, a stretch stands for several.
        assert text[start:end] == word or not text[start:end].isascii() or start == end
    expected = reference.words(text, recipe)
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


def test_each_word_says_where_it_stands() -> None:
    page = "<title>Ü</title><h1>漢字</h1>a <img src=/b.gif> É<textarea>c</textarea><p hidden>d"
    row = layout(page, HENZINGER_2006, markup=True)
    text = row["text"]
    assert text == "Ü\n漢字\na  É\nc\nd"
    spans = zip(row["starts"], row["ends"], strict=True)
    assert [text[start:end] for start, end in spans] == ["Ü", "漢字", "a", "", "É", "c", "d"]
    assert row["words"] == ["Ü", "漢字", "a", "b.gif", "É", "c", "d"]
    assert row["places"] == [1, 2, 0, 6, 0, 3, 5]
    # The mark makes one sign with =, and that is no word: B stands for all from there on.
    row = layout("x é=\u0338B y", WEBECHO)
    assert (row["words"], row["starts"], row["ends"]) == (
        ["x", "é", "b", "y"],
        [0, 2, 3, 7],
        [1, 3, 6, 8],
    )


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
@given(text=any_text | awkward | mostly_ascii)
def test_any_text(recipe: Recipe, text: str) -> None:
    check(text, recipe)


@pytest.mark.data
@pytest.mark.parametrize("recipe", [WEBECHO, HENZINGER_2006], ids=lambda recipe: recipe.name)
def test_real_text(recipe: Recipe, data: Path) -> None:
    for page in kernels.real_pages(data / "debian_docs.parquet", 200, 30_000):
        check(page["body"], recipe)
